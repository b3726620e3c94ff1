"""Medicine and items in a fight: Emergency Medicate, Rouse, consumables, devices."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Give,
    Precondition,
    Preview,
    Targeted,
    adjusted,
    first_open,
    form_about,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import map_of
from combat.rules.core.space.rays.area_shapes import Shape, is_inside
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Item,
    State,
    find_condition,
    has_condition,
    present,
    replace,
)
from combat.rules.core.turn.hands import use_one

from .body.damage import Harm, heal, hurt, roll_points, wake
from .body.doses import face_check, take_dose
from .book import tables
from .book.options import find_option
from .book.tables import DAY_SECONDS, DIFFICULTY, CheckOr, Thing
from .characters.conditions import check_target
from .characters.sheet import is_conscious, read_dose, read_thing
from .dice import DICE, action_penalty, assist_terms, check_terms, roll_check, use_assist
from .world.acting import act, count_name, gm, items_field, target_field
from .world.economy import pay
from .world.place import are_enemies, count_meters, describe_range_to, is_map, is_near, is_within
from .world.sight_lines import check_seen, check_within, find_grid, find_thing

KEY, SKILL = "dex", "Medicate"  # SS-OTHER-11
HEALS = 1  # SS-OTHER-15
LATER_DICE = "1d6"  # RULING R37
DOSES = tuple(Choice(key, row.name) for key, row in tables.consumables().items())
HARMFUL = next(key for key, row in tables.consumables().items() if not row.beneficial)
DEVICES = (Choice(key, row.name) for key, row in tables.things().items() if row.check)


class Dose(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A consumable for someone; `sure` accepts the harm of a second one in a day. [SS-OTHER-24]"""

    item: str
    target: str
    sure: bool = False


# ---------------------------------------------------------------- medicine


def has_kit(combatant: Combatant) -> bool:
    """Whether a Medical Kit is at hand.  [SS-OTHER-14]"""
    return any(item.data.get("medical") for item in combatant.items)


def medicine_terms(state: State, command: Targeted, paid: bool = True) -> Modifiers:
    """Dex + Medicate; -1 without a kit, -1 on yourself. [SS-OTHER-11] [SS-OTHER-14]  RULING R23 R24"""
    combatant = state[command.actor]
    terms = [
        *check_terms(state, combatant, KEY, skill=SKILL, rule="SS-OTHER-11"),
        *action_penalty(state, combatant, paid),
        *assist_terms(state, combatant, KEY, SKILL),
    ]
    if not has_kit(combatant) and find_option(state, "no_kit") == "minus_one":
        terms.append(Modifier("term.no_kit", -1, "SS-OTHER-14"))
    if command.target == command.actor:
        terms.append(Modifier("term.self_treatment", -1, "SS-OTHER-11"))
    return adjusted(command, tuple(terms), "SS-OTHER-11")


def check_patient(state: State, command: Targeted) -> Combatant:
    """The patient, if willing, in reach and not in a coma. [SS-OTHER-12] [SS-OTHER-13] [SS-COMA-10]"""
    combatant, target = state[command.actor], state[command.target]
    check_target(target, "treatment")
    check_willing(state, combatant, target)
    if combatant.id == target.id and find_option(state, "self_medicate") == "forbidden":
        raise Refused("bad_target", "House rule: no one treats themselves. Ask someone else.")
    return target


def check_willing(state: State, combatant: Combatant, target: Combatant) -> None:
    """Refuse an unwilling target, or one beyond 1 m or the zone. [SS-OTHER-12] [SS-OTHER-24]

    RULING R23: unconscious friends count as willing, as do the neutral.
    """
    if are_enemies(combatant, target):
        raise Refused("bad_target", f"{target.name} is not willing: choose someone else.")
    check_within(state, combatant, target)


def medicate(context: RuleContext, command: Targeted) -> Then:
    """Emergency Medicate. [SS-OTHER-11]"""
    check_patient(context.state, command)
    pay(
        context,
        command.actor,
        "emergency_medicate",
        on="Emergency Medicate",
        rule="SS-OTHER-11",
        per=command.target,
    )
    return Then(_treat, command)


def _treat(context: RuleContext, command: Targeted) -> None:
    """Heal one point [SS-OTHER-15]; the unconscious may come round. [SS-OTHER-16]  RULING R23"""
    if not _roll_medicine(context, command, "SS-OTHER-11", "action.emergency_medicate"):
        return
    heal(context, command.target, HEALS, why="action.emergency_medicate", rule="SS-OTHER-15")
    if context.option("rouse") == "merged" and has_condition(context.state[command.target], "unconscious"):
        wake(context, command.target, "why.roused", "SS-UNC-06")


def _roll_medicine(context: RuleContext, command: Targeted, rule: str, what: str) -> bool:
    result = roll_check(
        context,
        command.actor,
        medicine_terms(context.state, command),
        DIFFICULTY,
        rule=rule,
        what=what,
        target=command.target,
        again=KEY,
        dice=medicine_dice(context.state, command.actor),
    )
    use_assist(context, command.actor, KEY, SKILL)
    return result.good


def medicine_dice(state: State, who: str) -> str:
    """The dice of Medicate: three without a kit, where the table has it so.  RULING R24"""
    three = not has_kit(state[who]) and find_option(state, "no_kit") != "minus_one"
    return "3d6" if three else DICE


def rouse(context: RuleContext, command: Targeted) -> Then:
    """Wake someone without healing. [SS-UNC-06]  RULING R23"""
    check_rouse(context.state, command)
    pay(context, command.actor, "rouse", on="Rousing", rule="SS-UNC-06", per=command.target)
    return Then(_rouse, command)


def check_rouse(state: State, command: Targeted) -> None:
    """Refuse to rouse anyone but the unconscious.  [SS-COMA-10]"""
    target = check_patient(state, command)
    if find_option(state, "rouse") == "merged":
        raise Refused("not_allowed", "House rule: Emergency Medicate wakes patients. Use it instead.")
    if not has_condition(target, "unconscious"):
        raise Refused("bad_target", f"{target.name} is not unconscious: choose someone who is.")


def _rouse(context: RuleContext, command: Targeted) -> None:
    if _roll_medicine(context, command, "SS-UNC-06", "action.rouse"):
        wake(context, command.target, "why.roused", "SS-UNC-06")


def preview_medicine(state: State, command: Targeted) -> Preview:
    """The sums of Emergency Medicate and of Rouse."""
    check_patient(state, command)
    number = (Modifier("term.difficulty", DIFFICULTY, "SS-OTHER-11"),)
    dice = medicine_dice(state, command.actor)
    return Preview(medicine_terms(state, command, paid=False), number, "against.difficulty", dice)


# ---------------------------------------------------------------- consumables


def use_consumable(context: RuleContext, command: Dose) -> Then | None:
    """Use up a dose as an action [SS-OTHER-23]; it affects a willing target. [SS-OTHER-24]"""
    item = check_dose(context.state, command)
    who = command.actor
    pay(context, who, "use_consumable", on="Using a consumable", rule="SS-OTHER-23")
    use_one(context, who, item, "SS-OTHER-23")
    key = "log.uses" if who == command.target else "log.uses_on"
    context.emit(e.Said(key, who, command.target, {"item": item.name}), "SS-OTHER-23")
    _remember_coma_dose(context, command.target, item)
    again = is_second_today(context.state, context.state[command.target])
    context.emit(e.Marked(command.target, "dosed", context.state.clock), "SS-OTHER-24", e.GM_ONLY)
    onward = (_overdose, command.target) if again else ()
    return take_dose(context, command.target, read_dose(item), by=who, rule="SS-OTHER-24", onward=onward)


def check_dose(state: State, command: Dose) -> Item:
    """Refuse an item that is no consumable, harms, is unwanted, or was already used in this coma.

    RULING R37: harmful ones are delivered by attacks; a second one in a day does harm, and asks first.
    """
    combatant, target = state[command.actor], state[command.target]
    item = find_thing(state, command.actor, command.item)
    if item.kind != "consumable":
        raise Refused("bad_value", f"{item.name} is not a consumable: choose one.")
    if not item.data["beneficial"]:
        raise Refused("not_allowed", f"{item.name} is harmful: deliver it by an attack, or ask the GM.")
    check_target(target, "help")
    check_willing(state, combatant, target)
    check_coma_dose(target, item)
    if is_second_today(state, target):
        if find_option(state, "extra_consumable") == "forbidden":
            raise Refused("not_allowed", f"{target.name} had one today: the GM can start a new day.")
        if not command.sure:
            harm = f"does {LATER_DICE} damage to {target.name}"
            raise Refused("not_allowed", f"A second one within 24 h {harm}: select “Second dose”.")
    return item


def is_second_today(state: State, target: Combatant) -> bool:
    """Whether someone had a consumable in the last 24 hours.  RULING R37"""
    last = target.marks.get("dosed")
    return last is not None and state.clock - int(last) < DAY_SECONDS


def check_coma_dose(target: Combatant, item: Item) -> None:
    """Refuse a dose that was already used in this coma. [SS-COMA-09]  RULING R35"""
    held = find_condition(target, "coma")
    if held and held.marks.get(f"had {item.data['id']}"):
        raise Refused("not_allowed", f"{item.name} was already used in this coma: try another one.")


def _remember_coma_dose(context: RuleContext, who: str, item: Item) -> None:
    held = find_condition(context.state[who], "coma")
    if held:
        marks = {**held.marks, f"had {item.data['id']}": True}
        context.emit(e.ConditionChanged(who, replace(held, marks=marks)), "SS-COMA-09", e.GM_ONLY)


def _overdose(context: RuleContext, who: str) -> Then | None:
    """RULING R37"""
    points, roll = roll_points(context, who, LATER_DICE, rule="SS-OTHER-24", why="why.second_dose")
    harm = Harm(amount=points, why="why.second_dose", rule="SS-OTHER-24")
    return hurt(context, who, harm, roll)


# ---------------------------------------------------------------- devices


def use_device(context: RuleContext, command: Give) -> Then | None:
    """Use another item: one with a check for its victims, or one that the GM rules on. [SS-OTHER-02]"""
    item, victims = check_device(context.state, command)
    who = command.actor
    pay(context, who, "interact", on="Using an item", rule="SS-OTHER-02", per=item.id)
    if item.data.get("single_use"):
        use_one(context, who, item, "SS-OTHER-23")
    context.emit(e.Said("log.uses", who, args={"item": item.name}), "SS-OTHER-02")
    return Then(_face_device, tuple(f.id for f in victims), read_thing(item).check, item.name)


def check_device(state: State, command: Give) -> tuple[Item, list[Combatant]]:
    """Refuse any other item, and a target out of its reach."""
    combatant = state[command.actor]
    item = find_thing(state, command.actor, command.item)
    if item.kind != "item":
        raise Refused("bad_value", f"{item.name} has an action of its own: use that.")
    thing = read_thing(item)
    if thing.check is None:
        return item, []
    if not command.target:
        raise Refused("bad_target", f"Choose the target of {item.name}.")
    target = state[command.target]
    check_aim(state, combatant, target, thing=thing, name=item.name)
    return item, find_victims(state, target, thing)


def check_aim(state: State, combatant: Combatant, target: Combatant, thing: Thing, name: str) -> None:
    """Refuse a target of a device: the dead, the distant, those behind a wall. `name` is the device."""
    check_target(target, "help")
    if not is_within(state, combatant, target, zones=thing.reach_zones, meters=thing.reach_m):
        away = describe_range_to(state, combatant, target)
        raise Refused("out_of_range", f"{name} does not reach {target.name} ({away}): move closer.")
    check_seen(state, combatant, target)


def find_caught(state: State, command: Give) -> tuple[str, ...]:
    """Everyone who would face the item's check, friend or foe."""
    return tuple(combatant.id for combatant in check_device(state, command)[1])


def find_victims(state: State, target: Combatant, thing: Thing) -> list[Combatant]:
    """The target alone, or everyone around it: in the whole zone, or within some meters on a map."""
    if not thing.radius_m:
        return [target]
    if not is_map(state):
        return [other for other in present(state) if is_conscious(other) and is_near(state, target, other)]
    shape, grid = make_circle(target, thing), find_grid(state)
    battle_map, count = map_of(state.scene), partial(count_meters, state)
    return [
        other
        for other in present(state)
        if is_conscious(other) and is_inside(shape, battle_map, grid, body=body_of(other), measure=count)
    ]


def make_circle(target: Combatant, thing: Thing) -> Shape:
    """The circle around the target on a map. [SS-MAP-01] The text does not mention walls: they block it."""
    return Shape("circle", target.at, thing.radius_m)


def find_area(state: State, command: Give) -> tuple[Shape, ...]:
    """The area of an item on a map; in zones it is the whole zone."""
    check_device(state, command)
    thing = read_thing(find_thing(state, command.actor, command.item))
    if not (is_map(state) and thing.check and thing.radius_m):
        return ()
    return (make_circle(state[command.target], thing),)


def _face_device(context: RuleContext, left: tuple[str, ...], check: CheckOr | None, why: str) -> Then | None:
    if not left or check is None:
        return None
    face_check(context, left[0], check, rule="SS-COND-01", why=why)
    return Then(_face_device, left[1:], check, why)


def friend_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A field for the patient, allies and the actor first.  [SS-OTHER-12] [SS-OTHER-13]"""

    def check(target: Combatant) -> None:
        check_patient(state, Targeted(actor=actor, target=target.id))
        if not target.tracks["damage"] and is_conscious(target):
            raise Refused("bad_target", f"{target.name} is not hurt.")

    return (target_field(state, actor, foes=False, own=True, check=check),)


def rouse_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A field for an unconscious patient.  [SS-UNC-06]"""

    def check(target: Combatant) -> None:
        check_rouse(state, Targeted(actor=actor, target=target.id))

    return (target_field(state, actor, foes=False, check=check),)


def dose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A consumable and the person who gets it. [SS-OTHER-24]"""
    combatant = state[actor]

    def check(item: Item) -> None:
        if not item.data["beneficial"]:
            raise Refused("not_allowed", f"{item.name} is harmful: deliver it by an attack.")

    doses = [i for i in combatant.items if i.kind == "consumable"]
    sure = Field(
        "sure",
        "Second dose within 24 h (1d6 damage)",
        "flag",
        rule="SS-OTHER-24",
        required=False,
    )

    def check_taker(target: Combatant) -> None:
        """Refuse an unwilling taker; the comatose may take doses, and so may the actor."""
        check_willing(state, combatant, target)

    takers = target_field(state, actor, foes=False, own=True, check=check_taker)
    target = Field("target", "For", "target", options=takers.options, value=takers.value)
    return (items_field("item", "Consumable", doses, check), target, sure)


def device_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Another item, and its target if it needs one."""
    things = [i for i in state[actor].items if i.kind == "item"]

    def check(other: Combatant) -> None:
        """Refuse a target that no item reaches, with the reason of the last item."""
        aimed = (item for item in things if read_thing(item).check)
        uses = (Give(actor=actor, item=item.id, target=other.id) for item in aimed)
        reasons = [why_refused(check_device, state, command) for command in uses]
        if reasons and all(reasons):
            raise Refused("out_of_range", reasons[-1])

    target = target_field(state, actor, check=check)
    options = (Choice("", "no one"), *target.options)
    shown = tuple(Choice(i.id, count_name(i), i.data["text"].rstrip(".")) for i in things)
    return (
        Field("item", "Item", "choice", options=shown, value=first_open(shown)),
        Field("target", "Target", "target", options=options, value="", required=False),
    )


class Expose(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dose or device that the GM places."""

    thing: str


def expose(context: RuleContext, command: Expose) -> Then | None:
    """Place a harmful dose or device, such as a poison in the air or a trap. [SS-COND-01]  RULING R37"""
    combatant = context.state[command.target]
    dose, thing = tables.consumables().get(command.thing), tables.things().get(command.thing)
    if dose is None and (thing is None or thing.check is None):
        raise Refused("unknown", "Choose a dose, or a device with a check.")
    found = dose or thing
    assert found is not None
    overrule(context, "gm.expose", command, combatant.id, item=found.name)
    if dose:
        return take_dose(context, combatant.id, dose, by=combatant.id, rule="SS-OTHER-24")
    assert thing is not None
    assert thing.check is not None
    face_check(context, combatant.id, thing.check, rule="SS-COND-01", why=thing.name)
    return None


expose_fields = form_about(Field("thing", "Exposed to", "choice", options=(*DOSES, *DEVICES), value=HARMFUL))


def _has(kind: str, none: str) -> Precondition:
    """A check whether anything of a kind is carried; else it says `none`."""

    def check(state: State, actor: str) -> None:
        if not any(item.kind == kind for item in state[actor].items):
            raise Refused("not_allowed", none)

    return check


ACTIONS = (
    act("emergency_medicate", medicate, fields=friend_fields, preview=preview_medicine),
    act("rouse", rouse, fields=rouse_fields, preview=preview_medicine),
    act(
        "use_consumable",
        use_consumable,
        _has("consumable", "There is nothing to take or give."),
        fields=dose_fields,
    ),
    act(
        "use_device",
        use_device,
        _has("item", "There is no device to use."),
        fields=device_fields,
        caught=find_caught,
        area=find_area,
    ),
    gm("expose", expose, fields=expose_fields),
)
