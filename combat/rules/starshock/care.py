"""Medicine and items in a fight: Emergency Medicate, Rouse, consumables, devices."""

from __future__ import annotations

from ..core import events as e
from ..core.commands import Command, Preview
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers
from ..core.state import Combatant, Item, State, find_condition, find_item, has_condition, present, replace
from ..core.table import Table, Then
from .damage import Harm, heal, hurt, roll_points, wake
from .doses import face_check, take_dose
from .economy import pay
from .items import spend_one
from .place import describe_distance, is_near, is_willing, is_within
from .records import CheckOr, Thing
from .rolls import DICE, action_penalty, adjusted, assist_terms, check_terms, roll_check, use_assist
from .sheet import find_option, is_conscious, read_dose, read_thing
from .tables import DAY_SECONDS, DIFFICULTY

KEY, SKILL = "dex", "Medicate"  # SS-OTHER-11
HEALS = 1  # SS-OTHER-15
LATER_DICE = "1d6"  # RULING R37


class Patient(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str


class Dose(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[SS-OTHER-24] A consumable for somebody; `sure` accepts the harm of a second one in a day."""

    item: str
    target: str
    sure: bool = False


class Device(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another item, on somebody."""

    item: str
    target: str = ""


# ---------------------------------------------------------------- medicine


def has_kit(fighter: Combatant) -> bool:
    """Whether a Medical Kit is at hand.  [SS-OTHER-14]"""
    return any(item.data.get("medical") for item in fighter.items)


def medicine_terms(state: State, command: Patient, paid: bool = True) -> Modifiers:
    """[SS-OTHER-11] [SS-OTHER-14] Dex + Medicate; -1 without a kit, -1 on oneself.  RULING R23 R24"""
    fighter = state[command.actor]
    terms = [
        *check_terms(state, fighter, KEY, SKILL, "SS-OTHER-11"),
        *action_penalty(state, fighter, paid),
        *assist_terms(state, fighter, KEY, SKILL),
    ]
    if not has_kit(fighter) and find_option(state, "no_kit") == "minus_one":
        terms.append(Modifier("No Medical Kit", -1, "SS-OTHER-14"))
    if command.target == command.actor:
        terms.append(Modifier("Oneself", -1, "SS-OTHER-11"))
    return adjusted(command, tuple(terms), "SS-OTHER-11")


def check_patient(state: State, command: Patient) -> Combatant:
    """[SS-OTHER-12] [SS-OTHER-13] [SS-COMA-10] A willing patient in reach, not in a coma."""
    fighter, target = state[command.actor], state[command.target]
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead.")
    if has_condition(target, "coma"):
        raise Refused("bad_target", f"{target.name} is in a coma: only a medical center helps.")
    check_willing(state, fighter, target)
    if fighter.id == target.id and find_option(state, "self_medicate") == "forbidden":
        raise Refused("bad_target", "At this table nobody treats oneself.")
    return target


def check_willing(state: State, fighter: Combatant, target: Combatant) -> None:
    """[SS-OTHER-12] [SS-OTHER-24] Willing, and within 1 m or in the same zone."""
    if not is_willing(fighter, target):
        raise Refused("bad_target", f"{target.name} is not willing.")
    if not is_near(state, fighter, target):
        away = describe_distance(state, fighter, target)
        raise Refused("out_of_range", f"{target.name} is out of reach ({away}): move there first.")


def medicate(table: Table, command: Patient) -> Then:
    """[SS-OTHER-11] Emergency Medicate."""
    check_patient(table.state, command)
    pay(
        table,
        command.actor,
        "emergency_medicate",
        "Emergency Medicate",
        "SS-OTHER-11",
        per=command.target,
    )
    return Then(_treat, command)


def _treat(table: Table, command: Patient) -> None:
    """[SS-OTHER-15] One point less; [SS-OTHER-16] the unconscious may come round.  RULING R23"""
    if not _roll_medicine(table, command, "SS-OTHER-11", "Emergency Medicate"):
        return
    heal(table, command.target, HEALS, "Emergency Medicate", "SS-OTHER-15")
    if table.option("rouse") == "merged" and has_condition(table.state[command.target], "unconscious"):
        wake(table, command.target, "roused", "SS-UNC-06")


def _roll_medicine(table: Table, command: Patient, rule: str, what: str) -> bool:
    fighter = table.state[command.actor]
    three = not has_kit(fighter) and find_option(table.state, "no_kit") != "minus_one"
    result = roll_check(
        table,
        command.actor,
        medicine_terms(table.state, command),
        DIFFICULTY,
        rule=rule,
        what=what,
        target=command.target,
        again=KEY,
        dice="3d6" if three else DICE,
    )
    use_assist(table, command.actor, KEY, SKILL)
    return result.good


def rouse(table: Table, command: Patient) -> Then:
    """[SS-UNC-06] Wake somebody, without healing.  RULING R23"""
    check_rouse(table.state, command)
    pay(table, command.actor, "rouse", "Rousing", "SS-UNC-06", per=command.target)
    return Then(_rouse, command)


def check_rouse(state: State, command: Patient) -> None:
    """Only the unconscious can be roused.  [SS-COMA-10]"""
    target = check_patient(state, command)
    if find_option(state, "rouse") == "merged":
        raise Refused("not_allowed", "At this table Emergency Medicate wakes as well.")
    if not has_condition(target, "unconscious"):
        raise Refused("bad_target", f"{target.name} is not unconscious.")


def _rouse(table: Table, command: Patient) -> None:
    if _roll_medicine(table, command, "SS-UNC-06", "Rouse"):
        wake(table, command.target, "roused", "SS-UNC-06")


def preview_medicine(state: State, command: Patient) -> Preview:
    """The sums of Emergency Medicate and of Rouse."""
    check_patient(state, command)
    number = (Modifier("Difficulty", DIFFICULTY, "SS-OTHER-11"),)
    return Preview(medicine_terms(state, command, paid=False), number, "Difficulty", DICE)


# ---------------------------------------------------------------- consumables


def use_consumable(table: Table, command: Dose) -> Then | None:
    """[SS-OTHER-23] An action; the dose is gone; [SS-OTHER-24] its effects go to a willing target."""
    item = check_dose(table.state, command)
    who = command.actor
    pay(table, who, "use_consumable", "Using a consumable", "SS-OTHER-23")
    spend_one(table, who, item)
    text = f"{{who}} uses {item.name} on {{target}}."
    table.tell(e.Said(text, who, command.target), "SS-OTHER-23")
    _remember_coma_dose(table, command.target, item)
    again = is_second_today(table.state, table.state[command.target])
    table.tell(e.Marked(command.target, "dosed", table.state.clock), "SS-OTHER-24", e.GM_ONLY)
    onward = (_overdose, command.target) if again else ()
    return take_dose(table, command.target, read_dose(item), who, "SS-OTHER-24", onward)


def check_dose(state: State, command: Dose) -> Item:
    """Refuse what is no consumable, harms, is not wanted, or was used in this coma already.

    RULING R37: harmful ones ride on attacks; a second one in a day does harm, and says so first.
    """
    fighter, target = state[command.actor], state[command.target]
    item = find_item(fighter, command.item)
    if item.kind != "consumable":
        raise Refused("bad_value", f"{item.name} is no consumable.")
    if not item.data["beneficial"]:
        raise Refused("not_allowed", f"{item.name} is harmful: it rides on an attack, or the GM places it.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead.")
    check_willing(state, fighter, target)
    check_coma_dose(target, item)
    if is_second_today(state, target):
        if find_option(state, "extra_consumable") == "forbidden":
            raise Refused("not_allowed", f"{target.name} had a consumable within 24 hours.")
        if not command.sure:
            harm = f"does {LATER_DICE} damage to {target.name}"
            raise Refused("not_allowed", f"A second one within 24 hours {harm}: say that you are sure.")
    return item


def is_second_today(state: State, target: Combatant) -> bool:
    """Whether somebody had a consumable within the last 24 hours.  RULING R37"""
    last = target.marks.get("dosed")
    return last is not None and state.clock - int(last) < DAY_SECONDS


def check_coma_dose(target: Combatant, item: Item) -> None:
    """[SS-COMA-09] The same one works one time in a coma.  RULING R35"""
    held = find_condition(target, "coma")
    if held and held.marks.get(f"had {item.data['id']}"):
        raise Refused("not_allowed", f"{item.name} was used in this coma already; another one may help.")


def _remember_coma_dose(table: Table, who: str, item: Item) -> None:
    held = find_condition(table.state[who], "coma")
    if held:
        marks = {**held.marks, f"had {item.data['id']}": True}
        table.tell(e.ConditionChanged(who, replace(held, marks=marks)), "SS-COMA-09", e.GM_ONLY)


def _overdose(table: Table, who: str) -> Then | None:
    """RULING R37"""
    points, roll = roll_points(table, who, LATER_DICE, "SS-OTHER-24", "a second consumable within a day")
    harm = Harm(amount=points, why="a second consumable within a day", rule="SS-OTHER-24")
    return hurt(table, who, harm, roll)


# ---------------------------------------------------------------- devices


def use_device(table: Table, command: Device) -> Then | None:
    """[SS-OTHER-02] Use another item: one with a check for its victims, or one the GM rules on."""
    item, victims = check_device(table.state, command)
    who = command.actor
    pay(table, who, "interact", "Using an item", "SS-OTHER-02", per=item.id)
    if item.data.get("single_use"):
        spend_one(table, who, item)
    table.tell(e.Said(f"{{who}} uses {item.name}: {item.data['text']}", who), "SS-OTHER-02")
    return Then(_face_device, tuple(f.id for f in victims), read_thing(item).check, item.name)


def check_device(state: State, command: Device) -> tuple[Item, list[Combatant]]:
    """Refuse what is no such item, and a target out of its reach."""
    fighter = state[command.actor]
    item = find_item(fighter, command.item)
    if item.kind != "item":
        raise Refused("bad_value", f"{item.name} is used in another way.")
    thing = read_thing(item)
    if thing.check is None:
        return item, []
    if not command.target:
        raise Refused("bad_target", f"Choose the target of {item.name}.")
    target = state[command.target]
    if not is_within(state, fighter, target, thing.reach_zones, thing.reach_m):
        away = describe_distance(state, fighter, target)
        raise Refused("out_of_range", f"{item.name} does not reach {target.name} ({away}).")
    return item, find_victims(state, target, thing)


def find_victims(state: State, target: Combatant, thing: Thing) -> list[Combatant]:
    """The target alone, or everybody around it: the whole zone, or some metres of a map."""
    if not thing.radius_m:
        return [target]
    return [
        other
        for other in present(state)
        if is_conscious(other) and is_near(state, target, other, thing.radius_m)
    ]


def _face_device(table: Table, left: tuple[str, ...], check: CheckOr | None, why: str) -> Then | None:
    if not left or check is None:
        return None
    face_check(table, left[0], check, "SS-COND-01", why)
    return Then(_face_device, left[1:], check, why)
