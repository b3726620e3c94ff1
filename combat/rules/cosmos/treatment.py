"""Medicine beyond first aid: field medicine, surgery, radiation, nano-medicine, regeneration.

What it takes stands in data/gear.toml: the kit, the facility, the era.
"""

from __future__ import annotations

from typing import Any, Literal

from ..core import events as e
from ..core.commands import Command, Field, Preview
from ..core.errors import Refused
from ..core.gm import GmCommand
from ..core.modifiers import Modifier, Modifiers
from ..core.requests import Choice
from ..core.state import Combatant, Condition, Item, State, find_condition, has_condition, present
from ..core.table import Table, Then
from ..core.turns import gain, lift, lift_kinds, spend
from .clock import check_quiet, go_on
from .damage import go_limp, heal, stabilize
from .environment import read_setting
from .healing import DAY_SECONDS, Care, care_skill, patient_of
from .rolls import DICE, check_terms, did_succeed, roll_check, table_terms
from .sheet import ability, is_able, max_hp, skill
from .supplies import consume, is_usable, take_use
from .tables import CRITICAL, ERAS, medical_gear

Method = Literal["field", "surgery", "radiation", "nano", "regeneration", "gift"]
TARGETS = {"field": 14, "surgery": 17, "radiation": 14}  # COS-MED-06, COS-MED-11, RULING R43
HP_DICE = {"field": "2d6", "surgery": "3d6"}  # COS-MED-08, COS-MED-12
RULES = {
    "field": "COS-MED-06",
    "surgery": "COS-MED-11",
    "radiation": "COS-HAZ-17",
    "nano": "COS-MED-17",
    "regeneration": "COS-MED-16",
    "gift": "",
}
NEEDS = {"field": "field_medicine", "surgery": "surgery", "radiation": "radiation_treatment"}
FACILITIES = {"facility": "surgical_facility", "ward": "advanced_facility"}
SURGERY_SECONDS, HOUR = 7200, 3600  # RULING R20
MOST_HOURS = 240
TREATABLE = ("blinded", "deafened", "fatigued", "frightened", "slowed", "stunned", "unconscious")
LABELS = {
    "field": "Field medicine (10 minutes, medical kit)",
    "surgery": "Surgery (2 hours, facility)",
    "radiation": "Treat radiation (facility)",
    "nano": "Nano-medicine dose",
    "regeneration": "Regeneration tank",
    "gift": "Healing gift (1 hour)",
}


class Treat(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One treatment of `target` by `by`. `hours` are for regeneration; `points` limit a nano dose."""

    by: str
    target: str
    method: Method
    hours: int = 1
    points: int = 0


# ---------------------------------------------------------------- what it takes


def has_means(state: State, healer: Combatant, what: str) -> bool:
    """Whether a kit that is carried, or the place, makes a treatment possible."""
    place = FACILITIES.get(read_setting(state, "facility", "none"), "")
    here = medical_gear()[place].enables if place else ()
    return what in here or find_kit_for(healer, what) is not None


def find_kit_for(healer: Combatant, what: str) -> Item | None:
    """The kit that makes a treatment possible and is not used up."""
    kits = (item for item in healer.items if what in item.data.get("enables", ()))
    return next((kit for kit in kits if is_usable(kit)), None)


def check_means(state: State, healer: Combatant, method: str) -> None:
    """[COS-MED-10] A medical kit for field medicine; [COS-MED-14] a facility for surgery."""
    what = NEEDS.get(method)
    if what is None or has_means(state, healer, what):
        return
    if method == "field":
        raise Refused("not_allowed", f"Field medicine needs a medical kit; {healer.name} carries none.")
    text = "That needs a medical facility: set “Medical care here” in the scene if there is one."
    raise Refused("not_allowed", text)


def has_era(state: State, era: str) -> bool:
    """[COS-MED-19] Whether the campaign knows something of an era.  RULING R20."""
    now = str(state.options.get("era", "Stellar"))
    return era == "Any" or ERAS.index(now) >= ERAS.index(era)


def check_treat(state: State, command: Treat) -> tuple[Combatant, Combatant]:
    """Refuse what nobody can do: by whom, to whom, where, in which era."""
    healer, patient = state[command.by], state[command.target]
    if not is_able(healer):
        raise Refused("bad_target", f"{healer.name} is in no state to treat anybody.")
    if has_condition(patient, "dead"):
        raise Refused("bad_target", f"{patient.name} is dead.")
    if state.phase == "fight" and command.method != "nano":
        raise Refused("not_allowed", "That takes too long for rounds: end the fight first.")
    check_means(state, healer, command.method)
    _CHECKS[command.method](state, healer, patient, command)
    return healer, patient


def _check_field(state: State, healer: Combatant, patient: Combatant, command: Treat | None = None) -> None:
    if patient.marks.get("field_medicine"):
        raise Refused("no_budget", f"{patient.name} has had field medicine in this encounter.")


def _check_surgery(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    """RULING R20: one time per day. RULING R5: not without the skill."""
    wanted = care_skill(patient)
    if skill(healer, wanted) < 1:
        raise Refused("not_allowed", f"Surgery needs {wanted} 1; {healer.name} has none.")
    if healer.id == patient.id:
        raise Refused("bad_target", "Nobody operates on oneself: the patient is helpless.")
    last = patient.marks.get("surgery_at")
    if last is not None and state.clock - int(last) < DAY_SECONDS:
        raise Refused("no_budget", f"{patient.name} has had surgery today already.")


def _check_radiation(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    if not has_condition(patient, "irradiated"):
        raise Refused("bad_target", f"{patient.name} carries no harm of radiation.")


def _check_nano(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    find_dose(state, healer, patient)
    if not 0 <= command.points <= 999:
        raise Refused("bad_value", "A dose heals 1 to 999 points, or all of them with 0.")


def _check_regeneration(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    tank = find_tank()
    if not has_era(state, tank.era):
        raise Refused("not_allowed", f"Regeneration belongs to the {tank.era} era.")
    if not 1 <= command.hours <= MOST_HOURS:
        raise Refused("bad_value", f"Regenerate 1 to {MOST_HOURS} hours.")
    check_quiet(state)


def _check_gift(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    """The healing gift of a species: so often a day, for others."""
    if not healer.sheet["abilities"].get("heal_other") or healer.id == patient.id:
        raise Refused("not_allowed", f"{healer.name} has no gift to heal others.")
    last = healer.marks.get("gift_at")
    if last is not None and state.clock - int(last) < DAY_SECONDS:
        raise Refused("no_budget", f"{healer.name} has used the gift today already.")


_CHECKS = {
    "field": _check_field,
    "surgery": _check_surgery,
    "radiation": _check_radiation,
    "nano": _check_nano,
    "regeneration": _check_regeneration,
    "gift": _check_gift,
}


def find_dose(state: State, healer: Combatant, patient: Combatant) -> tuple[str, Item]:
    """A dose of nano-medicine that either of them carries, in an era that knows it."""
    for owner in (healer, patient):
        for item in owner.items:
            if item.data.get("heals") == "full":
                check_dose_era(state, item)
                return owner.id, item
    raise Refused("not_allowed", "Neither of them carries a dose of nano-medicine.")


def check_dose_era(state: State, item: Item) -> None:
    """[COS-MED-19] Refuse a dose the campaign does not know yet."""
    if not has_era(state, str(item.data["era"])):
        raise Refused("not_allowed", f"{item.name} belongs to the {item.data['era']} era.")


def find_tank() -> Any:
    """The record of what regenerates by the hour."""
    return next(record for record in medical_gear().values() if record.heal_per_hour)


def find_full() -> Any:
    """The record of what heals all at once."""
    return next(record for record in medical_gear().values() if record.heals == "full")


# ---------------------------------------------------------------- doing it


def care_terms(state: State, healer: Combatant, patient: Combatant, method: str) -> Modifiers:
    """Intellect and half Medicine; kits help first aid only.  RULING R5 R19."""
    return check_terms(state, healer, "INT", care_skill(patient), RULES[method])


def treat(table: Table, command: Treat) -> Then | None:
    """Begin a treatment outside of rounds."""
    healer, patient = check_treat(table.state, command)
    text = f"{{who}} treats {{target}}: {LABELS[command.method]}."
    table.tell(e.Said(text, healer.id, patient.id), RULES[command.method])
    if command.method == "nano":
        owner, dose = find_dose(table.state, healer, patient)
        consume(table, owner, dose, "uses", "COS-MED-17")
        return Then(inject, patient.id, command.points)
    if command.method == "regeneration":
        return regenerate(table, command)
    if command.method == "gift":
        return Then(lay_hands, healer.id, patient.id)
    terms = (*care_terms(table.state, healer, patient, command.method), *_own_terms(command))
    return Then(attempt, healer.id, patient.id, command.method, terms)


def _own_terms(command: Command) -> Modifiers:
    return table_terms(command, "COS-MED-06")


def attempt(table: Table, healer: str, patient: str, method: str, terms: Modifiers) -> Then | None:
    """[COS-MED-06] [COS-MED-11] [COS-HAZ-17] The Medicine check of a treatment."""
    if method == "surgery":
        _put_under(table, patient)
    kit = find_kit_for(table.state[healer], NEEDS[method])
    if kit:
        take_use(table, healer, kit, rule="COS-MED-10")
    what, why = care_skill(table.state[patient]), f"{method} for {table.state[patient].name}"
    roll_check(table, healer, terms, TARGETS[method], RULES[method], what, why)
    if not did_succeed(table):
        return None
    if method == "field":
        return Then(relieve, healer, patient)
    return Then(operate, healer, patient) if method == "surgery" else Then(cleanse, patient)


def field_medicine(table: Table, command: Care) -> Then:
    """[COS-MED-06] In rounds only where the table plays so: a Standard Action.  RULING R20."""
    patient = check_field_medicine(table.state, command)
    spend(table, command.actor, {"standard": 1}, "Field medicine", "COS-MED-06")
    healer = table.state[command.actor]
    terms = (*care_terms(table.state, healer, patient, "field"), *_own_terms(command))
    return Then(attempt, healer.id, patient.id, "field", terms)


def check_field_medicine(state: State, command: Care) -> Combatant:
    """Refuse it out of reach, without a kit, a second time."""
    check_in_rounds(state, command.actor)
    patient = patient_of(state, command)
    check_means(state, state[command.actor], "field")
    _check_field(state, state[command.actor], patient)
    return patient


def check_in_rounds(state: State, actor: str) -> None:
    """RULING R20: ten minutes do not fit into rounds."""
    if not state.options.get("field_medicine_in_rounds"):
        raise Refused("not_allowed", "Field medicine takes 10 minutes: not in rounds at this table.")


def preview_field(state: State, command: Care) -> Preview:
    """The sums of field medicine in rounds."""
    patient = check_field_medicine(state, command)
    terms = (*care_terms(state, state[command.actor], patient, "field"), *_own_terms(command))
    return Preview(terms, (Modifier("Field medicine", TARGETS["field"], "COS-MED-06"),), "TN", DICE)


def relieve(table: Table, healer: str, who: str) -> Then:
    """[COS-MED-07] All that first aid does; [COS-MED-09] and one condition less."""
    ease(table, who, "COS-MED-07")
    held = find_treatable(table.state[who])
    if held:
        chosen = choose_condition(table, healer, held)
        if chosen:
            lift(table, who, chosen, "field medicine", "COS-MED-09")
    return Then(restore_field, healer, who)


def ease(table: Table, who: str, rule: str) -> None:
    """Bleeding ends, the dying are stable, who fainted from wounds wakes."""
    lift_kinds(table, who, "bleeding", "pressed", why="treated", rule=rule)
    if has_condition(table.state[who], "dying"):
        stabilize(table, who, rule)
    fainted = find_condition(table.state[who], "unconscious")
    if fainted and fainted.marks.get("cause") == CRITICAL.name and table.state[who].tracks["hp"] > 0:
        lift(table, who, fainted, "treated", rule)


def find_treatable(patient: Combatant) -> list[Condition]:
    """The conditions field medicine can end: not injuries, and no faint below 1 HP."""
    down = patient.tracks["hp"] <= 0
    kinds = [kind for kind in TREATABLE if not (down and kind == "unconscious")]
    return [held for held in patient.conditions if held.kind in kinds]


def choose_condition(table: Table, healer: str, held: list[Condition]) -> Condition | None:
    """[COS-MED-09] The healer picks."""
    options = (*(Choice(c.id, c.label) for c in held), Choice("none", "None of them"))
    question = "Field medicine ends one condition: which?"
    chosen = table.ask(healer, question, options, rule="COS-MED-09", default=held[0].id)
    return next((condition for condition in held if condition.id == chosen), None)


def restore_field(table: Table, healer: str, who: str) -> None:
    """[COS-MED-08] 2d6 HP in place of the 1d6 of first aid, one time per encounter.  RULING R20."""
    roll = table.roll(HP_DICE["field"], by=healer, rule="COS-MED-08", why=f"HP for {table.state[who].name}")
    table.tell(e.Marked(who, "field_medicine", True), "COS-MED-08", e.GM_ONLY)
    table.tell(e.Marked(who, "first_aid_at", table.state.clock), "COS-MED-05", e.GM_ONLY)
    heal(table, who, roll.total, why="field medicine", rule="COS-MED-08", roll=roll)


def _put_under(table: Table, who: str) -> None:
    """[COS-MED-15] The patient is helpless for two hours, by the clock.  RULING R20."""
    table.tell(e.Marked(who, "surgery_at", table.state.clock), "COS-MED-11", e.GM_ONLY)
    marks = {"ends_at": table.state.clock + SURGERY_SECONDS}
    if not has_condition(table.state[who], "helpless"):
        gain(table, who, "helpless", rule="COS-MED-15", ends="after 2 hours", marks=marks)
        go_limp(table, who)


def operate(table: Table, healer: str, who: str) -> None:
    """[COS-MED-12] 3d6 HP, and [COS-MED-13] serious injuries are repaired."""
    ease(table, who, "COS-MED-13")
    lift_kinds(table, who, "injury", why="surgery", rule="COS-MED-13")
    roll = table.roll(HP_DICE["surgery"], by=healer, rule="COS-MED-12", why=f"HP for {table.state[who].name}")
    heal(table, who, roll.total, why="surgery", rule="COS-MED-12", roll=roll)


def cleanse(table: Table, who: str) -> None:
    """[COS-HAZ-17] The harm of radiation becomes ordinary: rest can heal it."""
    lift_kinds(table, who, "irradiated", why="treated", rule="COS-HAZ-17")


def inject(table: Table, who: str, most: int = 0) -> None:
    """[COS-MED-17] Nano-medicine heals at once, all or what the GM says.  RULING R20."""
    patient = table.state[who]
    ease(table, who, "COS-MED-17")
    missing = max_hp(patient) - patient.tracks["hp"]
    points = min(missing, most) if most else missing
    heal(table, who, points, why=find_full().name, rule="COS-MED-17")


def regenerate(table: Table, command: Treat) -> Then:
    """[COS-MED-16] 10 HP for each hour in the tank; the time passes for everybody."""
    tank = find_tank()
    points = command.hours * int(tank.heal_per_hour)
    ease(table, command.target, "COS-MED-16")
    heal(table, command.target, points, why=tank.name, rule="COS-MED-16")
    return Then(go_on, table.state.clock + command.hours * HOUR, True)


def lay_hands(table: Table, healer: str, who: str) -> None:
    """A species' gift: HP for somebody else, once a day, an hour's work."""
    dice = str(table.state[healer].sheet["abilities"]["heal_other"])
    roll = table.roll(dice, by=healer, rule=RULES["gift"], why=f"HP for {table.state[who].name}")
    table.tell(e.Marked(healer, "gift_at", table.state.clock), to=e.GM_ONLY)
    heal(table, who, roll.total, why="a healing gift", rule=RULES["gift"], roll=roll)


# ---------------------------------------------------------------- forms


def preview_treat(state: State, command: Treat) -> Preview:
    """The sums of a treatment that takes a roll."""
    healer, patient = check_treat(state, command)
    if command.method not in TARGETS:
        return Preview(notes=("no roll",))
    terms = (*care_terms(state, healer, patient, command.method), *_own_terms(command))
    target = (Modifier(LABELS[command.method], TARGETS[command.method], RULES[command.method]),)
    return Preview(terms, target, "TN", DICE)


def treat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: who treats whom, and how; what the era does not know is greyed."""
    people = sorted(present(state), key=lambda f: -skill(f, "Medicine"))
    healers = tuple(Choice(f.id, f.name, f"Medicine {skill(f, 'Medicine')}") for f in people)
    hurt = sorted(people, key=lambda f: f.tracks["hp"] - max_hp(f))
    patients = tuple(Choice(f.id, f.name, f"{f.tracks['hp']}/{max_hp(f)} HP") for f in hurt)
    methods = tuple(Choice(key, label, "", _closed(state, key)) for key, label in LABELS.items())
    return (
        Field("by", "Who treats", "target", healers, healers[0].value if healers else ""),
        Field("target", "Whom", "target", patients, patients[0].value if patients else ""),
        Field("method", "How", "choice", methods, "field", rule="COS-MED-06"),
        Field("hours", "Hours of regeneration", "number", value="1", low=1, high=MOST_HOURS, required=False),
        Field("points", "HP of a dose (0: all)", "number", value="0", low=0, high=999, required=False),
    )


def _closed(state: State, method: str) -> str:
    """[COS-MED-19] Why a treatment does not exist here; empty if it does."""
    if method == "gift" and not any(has_gift(fighter) for fighter in present(state)):
        return "nobody here has such a gift"
    eras = {"nano": find_full().era, "regeneration": find_tank().era}
    era = eras.get(method, "Any")
    return "" if has_era(state, era) else f"known from the {era} era on"


def has_gift(fighter: Combatant) -> bool:
    """Whether a fighter's species can heal others."""
    return ability(fighter, "heal_other_per_day") > 0
