"""Care inside a fight: first aid, stabilizing, pressure on wounds, death saves."""

from __future__ import annotations

from ..core import events as e
from ..core.commands import Command, Preview
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.space import distance
from ..core.state import (
    Combatant,
    Condition,
    Item,
    State,
    Until,
    count_levels,
    find_condition,
    has_condition,
    present,
)
from ..core.table import Table, Then
from ..core.turns import gain, lift, lift_kinds, spend
from .damage import die, heal, hurt, settle, stabilize
from .movement import pay_move
from .rolls import (
    DICE,
    check_terms,
    did_succeed,
    is_natural_2,
    is_natural_20,
    roll_check,
    roll_save,
    table_terms,
)
from .sheet import is_able, max_hp
from .supplies import is_usable, take_use
from .tables import CRITICAL

FIRST_AID_TN, STABILIZE_TN = 11, 14  # COS-MED-01, COS-DEATH-07
FIRST_AID_DICE = "1d6"  # COS-MED-04
DEATH_TN = 17  # COS-DEATH-02
CARE_REACH_M = 1
NEAR_M = 2  # COS-STATE-23
DAY_SECONDS = 86_400
STABLE_HP = -1  # COS-DEATH-03


class Care(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str


def patient_of(state: State, command: Care) -> Combatant:
    """The living patient within reach."""
    healer, patient = state[command.actor], state[command.target]
    if has_condition(patient, "dead"):
        raise Refused("bad_target", f"{patient.name} is dead.")
    metres = distance(healer.at, patient.at)
    if metres > CARE_REACH_M + 0.01:
        text = f"Out of reach: care needs {CARE_REACH_M} m, {patient.name} is {metres:.0f} m away."
        raise Refused("out_of_range", text)
    return patient


def find_dying(state: State, actor: str) -> list[Combatant]:
    """[COS-STATE-23] Comrades close by who die without aid, those nearest to death first."""
    helper = state[actor]
    found = [
        other
        for other in present(state)
        if other.id != actor
        and other.side == helper.side
        and has_condition(other, "dying")
        and distance(helper.at, other.at) <= NEAR_M + 0.01
    ]
    return sorted(found, key=lambda other: other.tracks["hp"] + int(other.sheet["attributes"]["MIG"]))


def find_kit(healer: Combatant) -> Item | None:
    """[COS-DEATH-08] The best first aid kit carried; a medical kit counts as one.  RULING R19.

    Of equals the one that does nothing else. One that is used up helps nobody.
    """
    kits = [item for item in healer.items if "first_aid" in item.data.get("applies_to", ())]
    ready = [kit for kit in kits if is_usable(kit)]
    return max(ready, key=lambda kit: (kit.data["medicine_bonus"], not kit.data["enables"]), default=None)


def kit_terms(healer: Combatant) -> Modifiers:
    """[COS-DEATH-08] What the kit adds to first aid and stabilizing."""
    kit = find_kit(healer)
    return (Modifier(kit.name, int(kit.data["medicine_bonus"]), "COS-DEATH-08"),) if kit else ()


def care_skill(patient: Combatant) -> str:
    """The skill that treats a patient: Medicine, for some species another."""
    return str(patient.sheet["abilities"].get("healed_by_skill") or "Medicine")


def aid_terms(state: State, command: Care) -> Modifiers:
    """[COS-MED-01] Intellect and half Medicine; [COS-DEATH-08] a kit helps."""
    healer = state[command.actor]
    terms = check_terms(state, healer, "INT", care_skill(state[command.target]), "COS-MED-01")
    return (*terms, *kit_terms(healer), *table_terms(command, "COS-MED-01"))


def aid_target(state: State, command: Care) -> int:
    """11, or 14 on a dying patient.  RULING R19."""
    dying = has_condition(patient_of(state, command), "dying")
    at_11 = state.options.get("first_aid_stabilises_at_11")
    return STABILIZE_TN if dying and not at_11 else FIRST_AID_TN


def preview_aid(state: State, command: Care) -> Preview:
    """The sums of first aid."""
    tn = aid_target(state, command)
    label = "Stabilize" if tn == STABILIZE_TN else "First aid"
    notes = (f"{FIRST_AID_TN} or more stops bleeding in any case",) if tn > FIRST_AID_TN else ()
    return Preview(aid_terms(state, command), (Modifier(label, tn, "COS-MED-01"),), "TN", DICE, notes)


def first_aid(table: Table, command: Care) -> Then:
    """[COS-ACT-06] A Standard Action: one Medicine roll for everything.  RULING R19."""
    patient_of(table.state, command)
    spend(table, command.actor, {"standard": 1}, "First aid", "COS-ACT-06")
    return Then(_treat, command)


def _treat(table: Table, command: Care) -> Then | None:
    """[COS-MED-01] [COS-MED-02] [COS-MED-03] [COS-COND-02] [COS-DEATH-07] [COS-DEATH-09]"""
    tn, terms, who = aid_target(table.state, command), aid_terms(table.state, command), command.target
    rule = "COS-DEATH-07" if tn == STABILIZE_TN else "COS-MED-01"
    patient = table.state[who]
    kit = find_kit(table.state[command.actor])
    if kit:
        take_use(table, command.actor, kit, rule="COS-DEATH-08")
    why = "help" if patient.hidden else f"help for {patient.name}"
    roll = roll_check(table, command.actor, terms, tn, rule, "Medicine", why, also=(FIRST_AID_TN,))
    good = did_succeed(table)
    total = roll.total + add_up(terms)
    if not good and (is_natural_2(roll) or total < FIRST_AID_TN):
        return None
    lift_kinds(table, who, "bleeding", "pressed", why="first aid", rule="COS-MED-02")
    if not good:
        return None
    if has_condition(table.state[who], "dying"):
        stabilize(table, who, "COS-MED-03")
    patient = table.state[who]
    fainted = find_condition(patient, "unconscious")
    if fainted and fainted.marks.get("cause") == CRITICAL.name:
        lift(table, who, fainted, "first aid", "COS-MED-01")  # RULING R15
    return Then(_restore, command)


def _restore(table: Table, command: Care) -> None:
    """[COS-MED-04] 1d6 HP, [COS-MED-05] one time per day for a patient.  RULING R20."""
    patient = table.state[command.target]
    if patient.tracks["hp"] >= max_hp(patient):
        return  # nothing to restore: the day's healing is kept
    last = patient.marks.get("first_aid_at")
    if last is not None and table.state.clock - int(last) < DAY_SECONDS:
        text = "{who} has had the healing of first aid today already."
        table.tell(e.Said(text, patient.id), "COS-MED-05")
        return
    roll = table.roll(FIRST_AID_DICE, by=command.actor, rule="COS-MED-04", why=f"HP for {patient.name}")
    table.tell(e.Marked(patient.id, "first_aid_at", table.state.clock), "COS-MED-05", e.GM_ONLY)
    heal(table, patient.id, roll.total, why="first aid", rule="COS-MED-04", roll=roll)


def press(table: Table, command: Care) -> None:
    """[COS-COND-03] Pressure on the wound, a Move Action: no loss until the presser's next turn."""
    patient = patient_of(table.state, command)
    if not has_condition(patient, "bleeding"):
        raise Refused("bad_target", f"{patient.name} does not bleed.")
    pay_move(table, command.actor, "Pressure", "COS-COND-03")
    for held in patient.conditions:
        if held.kind == "pressed" and "holds" not in held.marks:
            lift(table, patient.id, held, "pressed anew")
    until = Until(command.actor, "end", 2)  # this turn's end is the first
    gain(table, patient.id, "pressed", until=until, by=command.actor)


def lose_blood(table: Table, who: str) -> None:
    """[COS-COND-01] [COS-DMG-07] [COS-COND-04] Bleeding at the start of the turn; armor is no help."""
    fighter = table.state[who]
    wounds = find_condition(fighter, "bleeding")
    if wounds is None or has_condition(fighter, "dead", "last_breath"):
        return
    lost = count_open_wounds(table.state, fighter)
    if not lost:
        table.tell(e.Said("Pressure holds back {who}'s bleeding.", who), "COS-COND-03")
        return
    terms = (Modifier("Bleeding", lost, "COS-COND-01"),)
    hurt(table, who, lost, why="bleeding", rule="COS-COND-01", terms=terms)


def count_open_wounds(state: State, fighter: Combatant) -> int:
    """[COS-COND-03] [COS-COND-04] The levels of bleeding that nothing holds back.

    A bandage holds the wounds it was put on; somebody who presses holds them all.
    """
    pressure = [held for held in fighter.conditions if held.kind == "pressed"]
    if any(_is_pressed(state, fighter, held) for held in pressure):
        return 0
    held_back = max((int(held.marks.get("holds", 0)) for held in pressure), default=0)
    return max(0, count_levels(fighter, "bleeding") - held_back)


def _is_pressed(state: State, fighter: Combatant, pressed: Condition) -> bool:
    """Whether somebody conscious and still in reach presses on the wound."""
    presser = state.combatants.get(pressed.by)
    if presser is None or not is_able(presser):
        return False
    return distance(presser.at, fighter.at) <= CARE_REACH_M + 0.01


def save_against_death(table: Table, who: str) -> None:
    """[COS-DEATH-01] [COS-DEATH-02] [COS-STATE-21] The death save at the start of a dying turn.

    RULING R17: 2d10 + Might against 17.
    """
    if not has_condition(table.state[who], "dying") or has_condition(table.state[who], "last_breath"):
        return  # RULING R42: in vacuum the countdown runs in place of death saves
    roll = roll_save(table, who, "MIG", DEATH_TN, "COS-DEATH-02", "death save")
    good = did_succeed(table)
    if is_natural_2(roll):
        die(table, who, "two ones on a death save", "COS-DEATH-05")
    elif is_natural_20(roll):
        _recover(table, who)
    elif good:
        _settle_at(table, who, STABLE_HP, "COS-DEATH-03")
        stabilize(table, who, "COS-DEATH-03")
    elif table.option("lethal_dying"):
        die(table, who, "a failed death save", "COS-STATE-21")
    else:
        _keep_dying(table, who)


def _keep_dying(table: Table, who: str) -> None:
    """[COS-DEATH-04] [COS-STATE-22] One HP less."""
    terms = (Modifier("Dying", 1, "COS-STATE-22"),)
    hurt(table, who, 1, why="dying", rule="COS-DEATH-04", terms=terms)


def _recover(table: Table, who: str) -> None:
    """[COS-DEATH-06] Two tens: 1 HP, conscious, without the save of the Critical state."""
    before = table.state[who]
    _settle_at(table, who, 1, "COS-DEATH-06")
    settle(table, before)


def _settle_at(table: Table, who: str, hp: int, rule: str) -> None:
    old = table.state[who].tracks["hp"]
    if old != hp:
        table.tell(e.TrackChanged(who, "hp", old, hp, "death save"), rule)
