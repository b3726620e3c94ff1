"""Care by the round: first aid, stabilizing, pressure on wounds, death saves."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, Preview, Targeted
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import nearest
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    State,
    Until,
    count_levels,
    find_condition,
    has_condition,
    present,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions, spend

from ..body.damage import after_change, die, heal, hurt, stabilize
from ..body.supplies import is_usable, take_use
from ..book.options import find_option
from ..book.tables import CRITICAL
from ..characters.conditions import KINDS
from ..characters.sheet import is_able, max_hp
from ..dice import (
    DICE,
    check_terms,
    did_succeed,
    is_natural_2,
    is_natural_20,
    name_save,
    roll_check,
    save_terms,
    succeeds,
    table_terms,
)
from ..hazards.exposure import is_counted_out
from ..move.cost import pay_move
from ..world.acting import act, target_field
from ..world.heights import span
from ..world.sight_lines import ARM_M, check_within, find_between, in_meters, is_within

FIRST_AID_TN, STABILIZE_TN = 11, 14  # COS-MED-01, COS-DEATH-07
ENOUGH_FOR_BLEEDING = "outcome.stops_bleeding"
FIRST_AID_DICE = "1d6"  # COS-MED-04
DEATH_TN = 17  # COS-DEATH-02
NEAR_M = 2  # COS-STATE-23
DAY_SECONDS = 86_400
STABLE_HP = -1  # COS-DEATH-03


def patient_of(state: State, command: Targeted) -> Combatant:
    """The living patient, within reach."""
    healer, patient = state[command.actor], state[command.target]
    if has_condition(patient, "dead"):
        raise Refused("bad_target", f"{patient.name} is dead.")
    check_within(state, healer, patient, "care")
    return patient


def find_dying(state: State, helper: Combatant) -> list[Combatant]:
    """Nearby allies who die without aid, those nearest to death first. [COS-STATE-23]"""
    found = [
        other
        for other in present(state)
        if other.side == helper.side
        and other.id != helper.id
        and has_condition(other, "dying")
        and find_between(state, helper, other).meters <= NEAR_M + 0.01
    ]
    return sorted(found, key=lambda other: other.tracks["hp"] + int(other.sheet["attributes"]["MIG"]))


def needs_aid(patient: Combatant) -> bool:
    """Whether first aid can do something for someone. [COS-MED-01] [COS-MED-02] [COS-MED-03]"""
    return patient.tracks["hp"] < max_hp(patient) or has_condition(
        patient, "bleeding", "dying", "unconscious"
    )


def find_kit(healer: Combatant) -> Item | None:
    """The best first aid kit carried; a medical kit counts as one. [COS-DEATH-08]  RULING R19.

    Among equals, a kit with no other use; kits that are used up do not count.
    """
    kits = [item for item in healer.items if "first_aid" in item.data.get("applies_to", ())]
    ready = [kit for kit in kits if is_usable(kit)]
    return max(ready, key=lambda kit: (kit.data["medicine_bonus"], not kit.data["enables"]), default=None)


def kit_terms(healer: Combatant) -> Modifiers:
    """The bonus of the kit to first aid and stabilizing. [COS-DEATH-08]"""
    kit = find_kit(healer)
    return (Modifier(kit.name, int(kit.data["medicine_bonus"]), "COS-DEATH-08"),) if kit else ()


def care_skill(patient: Combatant) -> str:
    """The skill that treats a patient: Medicine, or another for some species."""
    return str(patient.sheet["abilities"].get("healed_by_skill") or "Medicine")


def aid_terms(state: State, healer: Combatant, patient: Combatant) -> Modifiers:
    """Intellect and half Medicine [COS-MED-01]; a kit helps. [COS-DEATH-08]"""
    return (
        *check_terms(state, healer, "INT", skill_name=care_skill(patient), rule="COS-MED-01"),
        *kit_terms(healer),
    )


def aid_target(state: State, patient: Combatant) -> int:
    """The target number: 11, or 14 on a dying patient.  RULING R19."""
    dying = has_condition(patient, "dying")
    at_11 = find_option(state, "first_aid_stabilises_at_11")
    return STABILIZE_TN if dying and not at_11 else FIRST_AID_TN


def preview_aid(state: State, command: Targeted) -> Preview:
    """The sums of first aid in rounds."""
    own = table_terms(command, "COS-MED-01")
    return aid_preview(state, state[command.actor], patient_of(state, command), own)


def aid_preview(state: State, healer: Combatant, patient: Combatant, own: Modifiers) -> Preview:
    """The sums of first aid, with the table's `own` terms."""
    tn = aid_target(state, patient)
    label = "term.stabilize" if tn == STABILIZE_TN else "term.first_aid"
    notes = (say("note.stops_bleeding", n=FIRST_AID_TN),) if tn > FIRST_AID_TN else ()
    terms = (*aid_terms(state, healer, patient), *own)
    return Preview(terms, (Modifier(label, tn, "COS-MED-01"),), "against.tn", dice=DICE, notes=notes)


def first_aid(context: RuleContext, command: Targeted) -> Then:
    """A Standard Action: one Medicine roll for everything. [COS-ACT-06]  RULING R19."""
    patient = patient_of(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="First aid", rule="COS-ACT-06")
    return Then(give_first_aid, command.actor, patient.id, table_terms(command, "COS-MED-01"))


def give_first_aid(context: RuleContext, healer: str, who: str, own: Modifiers) -> Then | None:
    """Roll Medicine, with the table's `own` terms, and treat what the total is enough for. [COS-MED-01]
    [COS-MED-02] [COS-MED-03] [COS-COND-02] [COS-DEATH-07] [COS-DEATH-09]"""
    patient = context.state[who]
    tn, terms = aid_target(context.state, patient), aid_terms(context.state, context.state[healer], patient)
    terms = (*terms, *own)
    rule = "COS-DEATH-07" if tn == STABILIZE_TN else "COS-MED-01"
    kit = find_kit(context.state[healer])
    if kit:
        take_use(context, healer, kit, rule="COS-DEATH-08")
    why = "roll.help" if who in context.unknown else say("roll.help_for", target=who)
    lesser = (FIRST_AID_TN, ENOUGH_FOR_BLEEDING) if has_condition(patient, "bleeding") else None
    roll = roll_check(context, healer, terms, target=tn, rule=rule, what="Medicine", why=why, lesser=lesser)
    good = did_succeed(context)
    if good or (lesser and succeeds(roll, roll.total + add_up(terms), FIRST_AID_TN)):
        remove_conditions(context, who, *KINDS.ended_by("first aid"), why="why.first_aid", rule="COS-MED-02")
    if not good:
        return None
    if has_condition(context.state[who], "dying"):
        stabilize(context, who, "COS-MED-03")
    patient = context.state[who]
    fainted = find_condition(patient, "unconscious")
    if fainted and fainted.marks.get("cause") == CRITICAL.name:
        remove_condition(context, who, fainted, why="why.first_aid", rule="COS-MED-01")  # RULING R15
    return Then(_restore, healer, who)


def _restore(context: RuleContext, healer: str, who: str) -> None:
    """1d6 HP [COS-MED-04], once per day for a patient. [COS-MED-05]  RULING R20."""
    patient = context.state[who]
    if patient.tracks["hp"] >= max_hp(patient):
        return  # nothing to restore: the patient keeps the day's healing
    last = patient.marks.get("first_aid_at")
    if last is not None and context.state.clock - int(last) < DAY_SECONDS:
        context.emit(e.Said("log.had_first_aid", patient.id), "COS-MED-05")
        return
    roll = context.roll(
        FIRST_AID_DICE, by=healer, rule="COS-MED-04", why=say("roll.hp_for", target=patient.id)
    )
    context.emit(e.Marked(patient.id, "first_aid_at", context.state.clock), "COS-MED-05", e.GM_ONLY)
    heal(context, patient.id, roll.total, why="why.first_aid", rule="COS-MED-04", roll=roll)


def press(context: RuleContext, command: Targeted) -> None:
    """Pressure on the wound, a Move Action: no loss until the presser's next turn. [COS-COND-03]"""
    patient = patient_of(context.state, command)
    if not has_condition(patient, "bleeding"):
        raise Refused("bad_target", f"{patient.name} does not bleed.")
    pay_move(context, command.actor, "Pressure", "COS-COND-03")
    for held in patient.conditions:
        if held.kind == "pressed" and "holds" not in held.marks:
            remove_condition(context, patient.id, held, "why.pressed_again")
    until = Until(command.actor, "end", 2)  # the end of this turn counts as the first
    add_condition(context, patient.id, "pressed", until=until, by=command.actor)


def lose_blood(context: RuleContext, who: str) -> None:
    """Lose blood at the start of the turn; armor does not help. [COS-COND-01] [COS-DMG-07] [COS-COND-04]"""
    combatant = context.state.combatants[who]
    wounds = find_condition(combatant, "bleeding")
    if wounds is None or has_condition(combatant, "dead") or is_counted_out(context.state, combatant):
        return
    lost = count_open_wounds(context.state, combatant)
    if not lost:
        context.emit(e.Said("log.pressure", who), "COS-COND-03")
        return
    terms = (Modifier("term.bleeding", lost, "COS-COND-01"),)
    hurt(context, who, lost, why="why.bleeding", rule="COS-COND-01", terms=terms)


def count_open_wounds(state: State, combatant: Combatant) -> int:
    """The levels of bleeding that nothing stops. [COS-COND-03] [COS-COND-04]

    A bandage stops the wounds present when it was applied; pressure stops them all.
    """
    if not has_condition(combatant, "bleeding"):
        return 0
    pressure = [held for held in combatant.conditions if held.kind == "pressed"]
    if any(_is_pressed(state, combatant, held) for held in pressure):
        return 0
    held_back = max((int(held.marks.get("holds", 0)) for held in pressure), default=0)
    return max(0, count_levels(combatant, "bleeding") - held_back)


def _is_pressed(state: State, combatant: Combatant, pressed: Condition) -> bool:
    """Whether someone conscious and still in reach presses on the wound."""
    presser = state.combatants.get(pressed.by)
    return presser is not None and is_able(presser) and is_within(state, presser, combatant)


def save_against_death(context: RuleContext, who: str) -> None:
    """The death save at the start of a dying turn. [COS-DEATH-01] [COS-DEATH-02] [COS-STATE-21]

    RULING R17: 2d10 + Might against 17.
    """
    if not has_condition(context.state[who], "dying") or is_counted_out(context.state, context.state[who]):
        return  # RULING R42: in vacuum the countdown runs in place of death saves
    terms, rule = save_terms(context.state, context.state[who], "MIG", "COS-DEATH-02"), "COS-DEATH-02"
    roll = roll_check(
        context, who, terms, target=DEATH_TN, rule=rule, what=name_save("MIG"), why="roll.death_save"
    )
    good = did_succeed(context)
    if is_natural_2(roll):
        die(context, who, "why.two_ones_on_a_death_save", "COS-DEATH-05")
    elif is_natural_20(roll):
        _recover(context, who)
    elif good:
        _settle_at(context, who, STABLE_HP, "COS-DEATH-03")
        stabilize(context, who, "COS-DEATH-03")
    elif context.option("lethal_dying"):
        die(context, who, "why.a_failed_death_save", "COS-STATE-21")
    else:
        _keep_dying(context, who)


def _keep_dying(context: RuleContext, who: str) -> None:
    """Lose one HP. [COS-DEATH-04] [COS-STATE-22]"""
    terms = (Modifier("term.dying", 1, "COS-STATE-22"),)
    hurt(context, who, 1, why="why.dying", rule="COS-DEATH-04", terms=terms)


def _recover(context: RuleContext, who: str) -> None:
    """Two tens: 1 HP, conscious, without the save of the Critical state. [COS-DEATH-06]"""
    before = context.state[who]
    _settle_at(context, who, 1, "COS-DEATH-06")
    after_change(context, before)


def _settle_at(context: RuleContext, who: str, hp: int, rule: str) -> None:
    old = context.state[who].tracks["hp"]
    if old != hp:
        context.emit(e.TrackChanged(who, "hp", old, new=hp, why="why.death_save"), rule)


def friend_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The patient, with allies and the actor first."""

    def check(patient: Combatant) -> None:
        patient_of(state, Targeted(actor=actor, target=patient.id))

    return (target_field(state, actor, foes=False, own=True, check=check),)


def care_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of first aid: those who need it, filled with someone nearby who is dying. [COS-STATE-23]"""

    def check(patient: Combatant) -> None:
        patient_of(state, Targeted(actor=actor, target=patient.id))
        if not needs_aid(patient):
            raise Refused("bad_target", f"{patient.name} needs no first aid.")

    field = target_field(state, actor, foes=False, own=True, check=check)
    dying = find_dying(state, state[actor])
    if not dying:
        return (field,)
    names = ", ".join(f"{f.name} ({in_meters(span(*nearest(state[actor], f)))})" for f in dying)
    text = f"Dying: {names}. Medicine {STABILIZE_TN} stabilizes, from {ARM_M} m."
    return (replace(field, value=dying[0].id, help=text, rule="COS-STATE-23"),)


ACTIONS = (
    act("first_aid", first_aid, fields=care_fields, preview=preview_aid),
    act("press", press, fields=friend_fields),
)
