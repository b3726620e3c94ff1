"""Medicine: what works at once in a fight, and treatment outside of rounds.

data/gear.toml holds the requirements: kit, facility, era.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted, first_open, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    State,
    count_levels,
    find_condition,
    has_condition,
    present,
)
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions, spend

from ..body.damage import go_limp, heal, stabilize
from ..body.supplies import consume, is_usable, take_use
from ..book.options import find_option
from ..book.tables import CRITICAL, ERAS, medical_gear
from ..care.healing import (
    DAY_SECONDS,
    aid_preview,
    care_skill,
    friend_fields,
    give_first_aid,
    needs_aid,
    patient_of,
)
from ..characters.conditions import KINDS
from ..characters.sheet import is_able, max_hp, skill
from ..dice import DICE, check_terms, did_succeed, roll_check, table_terms
from ..environment import read_setting
from ..move.cost import pay_move
from ..world.acting import act, gm
from ..world.sight_lines import find_thing
from .clock import check_quiet, go_on

Method = Literal["first_aid", "field", "surgery", "radiation", "nano", "regeneration", "gift"]
SURGERY_SECONDS, HOUR = 7200, 3600  # RULING R20
MAX_HOURS = 240
RULES = {"presses": "COS-COND-03", "stabilizes": "COS-MED-03", "heals": "COS-MED-17"}


class Treat(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One treatment of `target` by `by`. `hours` are for regeneration; `points` limit a nano dose."""

    by: str
    target: str
    method: Method
    hours: int = 1
    points: int = 0


# ---------------------------------------------------------------- requirements


def has_means(state: State, healer: Combatant, what: str) -> bool:
    """Whether a carried kit or the place makes a treatment possible."""
    here = medical_gear().get(read_setting(state, "facility", "none"))
    return (here is not None and what in here.enables) or find_inventory_for(healer, what) is not None


def find_inventory_for(healer: Combatant, what: str) -> Item | None:
    """The kit that makes a treatment possible and is not used up."""
    kits = (item for item in healer.items if what in item.data.get("enables", ()))
    return next((kit for kit in kits if is_usable(kit)), None)


def check_means(state: State, healer: Combatant, method: str) -> None:
    """A medical kit for field medicine [COS-MED-10]; a facility for surgery. [COS-MED-14]"""
    what = TREATMENTS[method].need
    if not what or has_means(state, healer, what):
        return
    if method == "field":
        raise Refused("not_allowed", f"Field medicine needs a medical kit; {healer.name} carries none.")
    text = "That needs a medical facility: set “Medical care here” in the scene if there is one."
    raise Refused("not_allowed", text)


def has_era(state: State, era: str) -> bool:
    """Whether the campaign has access to an era. [COS-MED-19]  RULING R20."""
    now = str(find_option(state, "era"))
    return era == "Any" or ERAS.index(now) >= ERAS.index(era)


def check_treat(state: State, command: Treat) -> tuple[Combatant, Combatant]:
    """Refuse an impossible treatment: healer, patient, place or era."""
    healer, patient = state[command.by], state[command.target]
    if not is_able(healer):
        raise Refused("bad_target", f"{healer.name} is in no state to treat anyone.")
    if has_condition(patient, "dead"):
        raise Refused("bad_target", f"{patient.name} is dead.")
    if state.phase == "fight" and command.method == "first_aid":
        raise Refused("not_allowed", "In rounds, first aid is an action: choose it on the healer's turn.")
    if state.phase == "fight" and command.method != "nano":
        raise Refused("not_allowed", "That takes too long for rounds: end the fight first.")
    check_means(state, healer, command.method)
    TREATMENTS[command.method].check(state, healer, patient, command)
    return healer, patient


def _check_first_aid(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    if not needs_aid(patient):
        raise Refused("bad_target", f"{patient.name} needs no first aid: choose someone who does.")


def _check_field(state: State, healer: Combatant, patient: Combatant, command: Treat | None = None) -> None:
    if patient.marks.get("field_medicine"):
        raise Refused("no_budget", f"{patient.name} has had field medicine: the GM can start a new day.")


def _check_surgery(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    """RULING R20: refuse a second surgery in a day. RULING R5: or one without the skill."""
    wanted = care_skill(patient)
    if skill(healer, wanted) < 1:
        raise Refused("not_allowed", f"Surgery needs {wanted} 1; {healer.name} has none.")
    if healer.id == patient.id:
        raise Refused("bad_target", "You can't operate on yourself: patients are helpless.")
    last = patient.marks.get("surgery_at")
    if last is not None and state.clock - int(last) < DAY_SECONDS:
        raise Refused("no_budget", f"{patient.name} has had surgery today: the GM can start a new day.")


def _check_radiation(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    if not has_condition(patient, "irradiated"):
        raise Refused("bad_target", f"{patient.name} has no radiation damage.")


def _check_nano(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    find_dose(state, healer, patient)
    if not 0 <= command.points <= 999:
        raise Refused("bad_value", "A dose heals 1 to 999 points, or all of them with 0.")


def _check_regeneration(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    tank = find_tank()
    if not has_era(state, tank.era):
        raise Refused("not_allowed", f"Regeneration belongs to the {tank.era} era.")
    if not 1 <= command.hours <= MAX_HOURS:
        raise Refused("bad_value", f"Regenerate 1 to {MAX_HOURS} hours.")
    check_quiet(state, patient.id)


def _check_gift(state: State, healer: Combatant, patient: Combatant, command: Treat) -> None:
    """Refuse a healing gift on the healer, without the species for it, or twice a day."""
    if not healer.sheet["abilities"].get("heal_other") or healer.id == patient.id:
        raise Refused("not_allowed", f"{healer.name} has no gift to heal others.")
    last = healer.marks.get("gift_at")
    if last is not None and state.clock - int(last) < DAY_SECONDS:
        raise Refused("no_budget", f"{healer.name} has used the gift today: the GM can start a new day.")
    check_quiet(state, patient.id)


class Treatment(NamedTuple):
    """A way to treat someone: its label, its words in the log, its rule, and what refuses it.

    One with a roll has its target number `tn`, the dice of HP that a success restores, if any, and the `need`
    that a kit or a facility enables.  RULING R43
    """

    label: str
    words: str
    rule: str
    check: Callable[[State, Combatant, Combatant, Treat], None]
    tn: int = 0
    dice: str = ""
    need: str = ""


TREATMENTS: dict[str, Treatment] = {
    "first_aid": Treatment(
        "First aid (a moment)", "treatment.first_aid", "COS-MED-01", check=_check_first_aid
    ),
    "field": Treatment(
        "Field medicine (10 minutes, medical kit)", "treatment.field", "COS-MED-06",
        check=_check_field, tn=14, dice="2d6", need="field_medicine",
    ),
    "surgery": Treatment(
        "Surgery (2 hours, facility)", "treatment.surgery", "COS-MED-11",
        check=_check_surgery, tn=17, dice="3d6", need="surgery",
    ),
    "radiation": Treatment(
        "Treat radiation (facility)", "treatment.radiation", "COS-HAZ-17",
        check=_check_radiation, tn=14, need="radiation_treatment",
    ),
    "nano": Treatment("Nano-medicine dose", "treatment.nano", "COS-MED-17", check=_check_nano),
    "regeneration": Treatment(
        "Regeneration tank", "treatment.regeneration", "COS-MED-16", check=_check_regeneration
    ),
    "gift": Treatment("Healing gift (1 hour)", "treatment.gift", "", check=_check_gift),
}  # fmt: skip


def find_dose(state: State, healer: Combatant, patient: Combatant) -> tuple[str, Item]:
    """A dose of nano-medicine that healer or patient carries, in an era that knows it."""
    for owner in (healer, patient):
        for item in owner.items:
            if item.data.get("heals") == "full":
                check_dose_era(state, item)
                return owner.id, item
    raise Refused("not_allowed", "Neither of them carries a dose of nano-medicine.")


def check_dose_era(state: State, item: Item) -> None:
    """Refuse a dose from an era the campaign has no access to. [COS-MED-19]"""
    if not has_era(state, str(item.data["era"])):
        raise Refused("not_allowed", f"{item.name} belongs to the {item.data['era']} era.")


def find_tank() -> Any:
    """The record of the item that regenerates by the hour."""
    return next(record for record in medical_gear().values() if record.heal_per_hour)


def find_full() -> Any:
    """The record of the item that heals all at once."""
    return next(record for record in medical_gear().values() if record.heals == "full")


# ---------------------------------------------------------------- treating


def care_terms(state: State, healer: Combatant, patient: Combatant, method: str) -> Modifiers:
    """Intellect and half Medicine; kits help first aid only.  RULING R5 R19."""
    return check_terms(state, healer, "INT", skill_name=care_skill(patient), rule=TREATMENTS[method].rule)


def treat(context: RuleContext, command: Treat) -> Then | None:
    """Begin a treatment outside of rounds."""
    healer, patient = check_treat(context.state, command)
    treatment = TREATMENTS[command.method]
    told = e.Said("log.treats", healer.id, patient.id, {"method": treatment.words})
    context.emit(told, treatment.rule)
    if command.method == "first_aid":
        return Then(give_first_aid, healer.id, patient.id, _own_terms(command, "first_aid"))
    if command.method == "nano":
        owner, dose = find_dose(context.state, healer, patient)
        consume(context, owner, dose, how="how.uses", rule="COS-MED-17")
        return Then(inject, patient.id, command.points)
    if command.method == "regeneration":
        return regenerate(context, command)
    if command.method == "gift":
        return Then(lay_hands, healer.id, patient.id)
    terms = (*care_terms(context.state, healer, patient, command.method), *_own_terms(command))
    return Then(attempt, healer.id, patient.id, command.method, terms)


def _own_terms(command: Command, method: str = "field") -> Modifiers:
    return table_terms(command, TREATMENTS[method].rule)


def attempt(context: RuleContext, healer: str, patient: str, method: str, terms: Modifiers) -> Then | None:
    """The Medicine check of a treatment. [COS-MED-06] [COS-MED-11] [COS-HAZ-17]"""
    if method == "surgery":
        _put_under(context, patient)
    treatment = TREATMENTS[method]
    kit = find_inventory_for(context.state[healer], treatment.need)
    if kit:
        take_use(context, healer, kit, rule="COS-MED-10")
    what, why = (
        care_skill(context.state[patient]),
        say("roll.treatment", what=treatment.words, target=patient),
    )
    roll_check(context, healer, terms, target=treatment.tn, rule=treatment.rule, what=what, why=why)
    if not did_succeed(context):
        return None
    if method == "field":
        return Then(relieve, healer, patient)
    return Then(operate, healer, patient) if method == "surgery" else Then(cleanse, patient)


def field_medicine(context: RuleContext, command: Targeted) -> Then:
    """A Standard Action, in rounds only by table option. [COS-MED-06]  RULING R20."""
    patient = check_field_medicine(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="Field medicine", rule="COS-MED-06")
    healer = context.state[command.actor]
    terms = (*care_terms(context.state, healer, patient, "field"), *_own_terms(command))
    return Then(attempt, healer.id, patient.id, "field", terms)


def check_field_medicine(state: State, command: Targeted) -> Combatant:
    """Refuse it out of reach, without a kit, or a second time."""
    check_in_rounds(state, command.actor)
    patient = patient_of(state, command)
    check_means(state, state[command.actor], "field")
    _check_field(state, state[command.actor], patient)
    return patient


def check_in_rounds(state: State, actor: str) -> None:
    """RULING R20: refuse ten minutes of work in rounds."""
    if not find_option(state, "field_medicine_in_rounds"):
        raise Refused("not_allowed", "Field medicine takes 10 minutes: not in rounds at this table.")


def preview_field(state: State, command: Targeted) -> Preview:
    """The sums of field medicine in rounds."""
    patient = check_field_medicine(state, command)
    terms = (*care_terms(state, state[command.actor], patient, "field"), *_own_terms(command))
    return Preview(
        terms, (Modifier("term.field_medicine", TREATMENTS["field"].tn, "COS-MED-06"),), "against.tn", DICE
    )


def relieve(context: RuleContext, healer: str, who: str) -> Then:
    """Do all that first aid does [COS-MED-07]; end one condition. [COS-MED-09]"""
    ease(context, who, "COS-MED-07")
    held = find_treatable(context.state[who])
    if held:
        chosen = choose_condition(context, healer, held)
        if chosen:
            remove_condition(context, who, chosen, why="why.field_medicine", rule="COS-MED-09")
    return Then(restore_field, healer, who)


def ease(context: RuleContext, who: str, rule: str) -> None:
    """End bleeding, stabilize the dying, and wake those who fainted from wounds."""
    remove_conditions(context, who, *KINDS.ended_by("first aid"), why="why.treated", rule=rule)
    if has_condition(context.state[who], "dying"):
        stabilize(context, who, rule)
    fainted = find_condition(context.state[who], "unconscious")
    if fainted and fainted.marks.get("cause") == CRITICAL.name and context.state[who].tracks["hp"] > 0:
        remove_condition(context, who, fainted, why="why.treated", rule=rule)


def find_treatable(patient: Combatant) -> list[Condition]:
    """The conditions field medicine can end: no injuries, and no faint below 1 HP."""
    down = patient.tracks["hp"] <= 0
    kinds = [kind for kind in KINDS.ended_by("field medicine") if not (down and kind == "unconscious")]
    return [held for held in patient.conditions if held.kind in kinds]


def choose_condition(context: RuleContext, healer: str, held: list[Condition]) -> Condition | None:
    """The condition that the healer picks. [COS-MED-09]"""
    options = (*(Choice(c.id, context.system.draw(c.label)) for c in held), Choice("none", "None of them"))
    question = "Field medicine ends one condition: which?"
    chosen = context.ask(healer, question, options, rule="COS-MED-09", default=held[0].id)
    return next((condition for condition in held if condition.id == chosen), None)


def restore_field(context: RuleContext, healer: str, who: str) -> None:
    """2d6 HP in place of the 1d6 of first aid, once per encounter. [COS-MED-08]  RULING R20."""
    roll = context.roll(
        TREATMENTS["field"].dice, by=healer, rule="COS-MED-08", why=say("roll.hp_for", target=who)
    )
    context.emit(e.Marked(who, "field_medicine", True), "COS-MED-08", e.GM_ONLY)
    context.emit(e.Marked(who, "first_aid_at", context.state.clock), "COS-MED-05", e.GM_ONLY)
    heal(context, who, roll.total, why="why.field_medicine", rule="COS-MED-08", roll=roll)


def _put_under(context: RuleContext, who: str) -> None:
    """Make the patient helpless for two hours, by the clock. [COS-MED-15]  RULING R20."""
    context.emit(e.Marked(who, "surgery_at", context.state.clock), "COS-MED-11", e.GM_ONLY)
    marks = {"ends_at": context.state.clock + SURGERY_SECONDS}
    if not has_condition(context.state[who], "helpless"):
        add_condition(context, who, "helpless", rule="COS-MED-15", ends="ends.after_2_hours", marks=marks)
        go_limp(context, who)


def operate(context: RuleContext, healer: str, who: str) -> None:
    """3d6 HP [COS-MED-12], and serious injuries are repaired. [COS-MED-13]"""
    ease(context, who, "COS-MED-13")
    remove_conditions(context, who, *KINDS.ended_by("surgery"), why="why.surgery", rule="COS-MED-13")
    roll = context.roll(
        TREATMENTS["surgery"].dice, by=healer, rule="COS-MED-12", why=say("roll.hp_for", target=who)
    )
    heal(context, who, roll.total, why="why.surgery", rule="COS-MED-12", roll=roll)


def cleanse(context: RuleContext, who: str) -> None:
    """Turn radiation damage into ordinary damage, which rest can heal. [COS-HAZ-17]"""
    remove_conditions(
        context, who, *KINDS.ended_by("radiation treatment"), why="why.treated", rule="COS-HAZ-17"
    )


def inject(context: RuleContext, who: str, most: int = 0) -> None:
    """Heal at once with nano-medicine: everything, or the GM's limit. [COS-MED-17]  RULING R20."""
    patient = context.state[who]
    ease(context, who, "COS-MED-17")
    missing = max_hp(patient) - patient.tracks["hp"]
    points = min(missing, most) if most else missing
    heal(context, who, points, why=find_full().name, rule="COS-MED-17")


def regenerate(context: RuleContext, command: Treat) -> Then:
    """10 HP for each hour in the tank; the time passes for everyone. [COS-MED-16]"""
    tank = find_tank()
    points = command.hours * int(tank.heal_per_hour)
    ease(context, command.target, "COS-MED-16")
    heal(context, command.target, points, why=tank.name, rule="COS-MED-16")
    return _take_hours(context, command.hours)


def _take_hours(context: RuleContext, hours: int) -> Then:
    """Let the hours of a treatment pass for everyone.  RULING R20"""
    return Then(go_on, context.state.clock + hours * HOUR, hours > 0)


def lay_hands(context: RuleContext, healer: str, who: str) -> Then:
    """Use a species' gift: HP for someone else, once a day; its hours pass for everyone.  RULING R20"""
    abilities = context.state[healer].sheet["abilities"]
    dice, hours = str(abilities["heal_other"]), int(abilities.get("heal_other_hours", 0))
    roll = context.roll(dice, by=healer, rule=TREATMENTS["gift"].rule, why=say("roll.hp_for", target=who))
    context.emit(e.Marked(healer, "gift_at", context.state.clock), to=e.GM_ONLY)
    heal(context, who, roll.total, why="why.a_healing_gift", rule=TREATMENTS["gift"].rule, roll=roll)
    return _take_hours(context, hours)


# ---------------------------------------------------------------- forms


def preview_treat(state: State, command: Treat) -> Preview:
    """The sums of a treatment that takes a roll."""
    healer, patient = check_treat(state, command)
    if command.method == "first_aid":
        return aid_preview(state, healer, patient, _own_terms(command, "first_aid"))
    treatment = TREATMENTS[command.method]
    if not treatment.tn:
        return Preview(notes=("note.no_roll",))
    terms = (*care_terms(state, healer, patient, command.method), *_own_terms(command))
    target = (Modifier(treatment.words, treatment.tn, treatment.rule),)
    return Preview(terms, target, "against.tn", DICE)


def treat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: healer, patient and method; treatments beyond the era are grayed out."""
    people = sorted(present(state), key=lambda f: -skill(f, "Medicine"))
    healers = tuple(Choice(f.id, f.name, f"Medicine {skill(f, 'Medicine')}") for f in people)
    hurt = sorted(people, key=lambda f: f.tracks["hp"] - max_hp(f))
    patients = tuple(Choice(f.id, f.name, f"{f.tracks['hp']}/{max_hp(f)} HP") for f in hurt)
    methods = tuple(Choice(key, one.label, "", _closed(state, key)) for key, one in TREATMENTS.items())
    return (
        Field("by", "Who treats", "target", options=healers, value=healers[0].value if healers else ""),
        Field("target", "Whom", "target", options=patients, value=patients[0].value if patients else ""),
        Field("method", "How", "choice", options=methods, value="field", rule="COS-MED-06"),
        number_field("hours", "Regeneration (h)", 1, low=1, high=MAX_HOURS, required=False),
        number_field("points", "HP of a dose, 0: all", 0, low=0, high=999, required=False),
    )


def _closed(state: State, method: str) -> str:
    """Why a treatment is not available here; empty if it is. [COS-MED-19]"""
    if method == "gift" and not any(f.sheet["abilities"].get("heal_other") for f in present(state)):
        return "no one here has such a gift"
    eras = {"nano": find_full().era, "regeneration": find_tank().era}
    era = eras.get(method, "Any")
    return "" if has_era(state, era) else f"known from the {era} era on"


# Bandages, patches and doses that work at once, without a roll: a Move Action in a fight.


class Apply(Targeted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use a bandage, a patch or a dose on `target`."""

    item: str


def find_effect(item: Item) -> str:
    """The instant effect of an item: presses, stabilizes or heals; empty if it has none."""
    return next((key for key in RULES if item.data.get(key)), "") if is_usable(item) else ""


def check_apply(state: State, command: Apply) -> tuple[Combatant, Item]:
    """Refuse items without an instant effect, and patients out of reach or without need of it."""
    item = find_thing(state, command.actor, command.item)
    effect = find_effect(item)
    if not effect:
        raise Refused("bad_value", f"{item.name} does nothing on its own.")
    patient = patient_of(state, command)
    if effect == "presses" and not has_condition(patient, "bleeding"):
        raise Refused("bad_target", f"{patient.name} does not bleed.")
    if effect == "stabilizes" and not has_condition(patient, "dying"):
        raise Refused("bad_target", f"{patient.name} is not dying.")
    if effect == "heals":
        check_dose_era(state, item)
    return patient, item


def apply(context: RuleContext, command: Apply) -> Then:
    """A Move Action and one use, no roll. [COS-COND-03] [COS-MED-03] [COS-MED-17]"""
    _, item = check_apply(context.state, command)
    effect = find_effect(item)
    pay_move(context, command.actor, item.name, RULES[effect])
    take_use(context, command.actor, item, rule=RULES[effect])
    return Then(_EFFECTS[effect], command.target)


def bandage(context: RuleContext, who: str) -> None:
    """Apply lasting pressure: present wounds stop bleeding, new ones do not. [COS-COND-03]"""
    remove_conditions(context, who, "pressed", why="why.bandaged")
    levels = count_levels(context.state[who], "bleeding")
    add_condition(
        context, who, "pressed", label="condition.bandaged", ends="ends.first_aid", marks={"holds": levels}
    )


_EFFECTS: dict[str, Callable[[RuleContext, str], None]] = {
    "presses": bandage,
    "stabilizes": lambda context, who: stabilize(context, who, "COS-MED-03"),
    "heals": lambda context, who: inject(context, who),
}


def check_has_gadget(state: State, actor: str) -> None:
    """Refuse the action to a combatant without such an item."""
    if not has_any(state[actor].items, find_effect):
        raise Refused("not_allowed", f"{state[actor].name} carries no bandage, patch or dose.")


def gadget_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item to use and its target, allies and the actor first."""
    things = [item for item in state[actor].items if find_effect(item)]
    options = tuple(Choice(i.id, i.name, str(i.data.get("effect", ""))) for i in things)
    return (
        Field("item", "What", "choice", options=options, value=first_open(options), rule="COS-COND-03"),
        *friend_fields(state, actor),
    )


ACTIONS = (
    act("field_medicine", field_medicine, check_in_rounds, fields=friend_fields, preview=preview_field),
    gm("treat", treat, fields=treat_fields, preview=preview_treat),
    act("apply", apply, check_has_gadget, fields=gadget_fields),
)
