"""Items in hand: picking up, handing over, loading, putting away and drawing."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Handle, check_any
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import name_loaded
from combat.rules.core.gm.handing import Handing, HandOver, pass_on
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import Combatant, Item, State, replace
from combat.rules.core.turn import hands

from ..book.options import find_option
from ..book.tables import HANDS
from ..characters.catalogue import CATALOGUE
from ..characters.sheet import count_hands, features_of, is_able, write_payload
from ..fight.aim import PAYLOAD
from ..world.acting import TABLE, act, check_repeat, count_name, items_field
from ..world.economy import pay, take_free
from ..world.place import describe_distance
from ..world.sight_lines import check_place, check_within, fallen_choices, find_thing

HANDING = Handing(CATALOGUE, check_within, is_able, describe_distance, coins="money")


class Load(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon to ready; a needle gun also takes a dose."""

    item: str
    dose: str = ""


class Change(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The items to put away and then to draw; more with the right implant. [SS-FREE-09] [SS-FREE-10]"""

    stow: tuple[str, ...] = ()
    draw: tuple[str, ...] = ()


def pick_up(context: RuleContext, command: Handle) -> None:
    """Take an item from the ground into a free hand. [SS-OTHER-02]  RULING R17"""
    item = check_pick_up(context.state, command)
    who = command.actor
    pay(context, who, "interact", on="Picking up", rule="SS-OTHER-02", per=item.id)
    hands.pick_up(context, who, item, "SS-OTHER-02")


def pass_item(context: RuleContext, command: HandOver) -> None:
    """Hand something to an ally in reach: an interaction. [SS-OTHER-02]  RULING R17"""
    HANDING.check(context.state, command)
    per = command.item.partition("+")[0]
    pay(context, command.actor, "interact", on="Handing over", rule="SS-OTHER-02", per=per)
    pass_on(context, command, "SS-OTHER-02")


def check_pick_up(state: State, command: Handle) -> Item:
    """Refuse an item that does not lie here, or needs more hands than are free."""
    combatant = state[command.actor]
    item, at = hands.find_lying(state, command.item, "That item is not on the ground: choose another.")
    check_place(state, combatant, at, item.name)
    check_hands(state, combatant, item)
    return item


def check_hands(state: State, combatant: Combatant, *drawn: Item, without: tuple[str, ...] = ()) -> None:
    """Refuse to hold more than two hands can. [SS-FREE-10]  RULING R13 R16"""
    ignored = find_option(state, "two_handed") == "ignored"
    held = [i for i in combatant.items if i.place == "held" and i.id not in without]
    used = sum(count_hands(item, ignored) for item in held)
    needed = sum(count_hands(item, ignored) for item in drawn)
    if used + needed > HANDS:
        names = " and ".join(item.name for item in drawn)
        hands = f"{needed} free hand{'s' if needed > 1 else ''}"
        takes = "takes" if len(drawn) == 1 else "take"
        text = f"{names} {takes} {hands}, {combatant.name} has {HANDS - used}: put something away."
        raise Refused("not_allowed", text)


def reload(context: RuleContext, command: Load) -> None:
    """Ready a weapon again, or put a dose into it.  RULING R46"""
    item, dose = check_load(context.state, command)
    who = command.actor
    pay(context, who, "reload", on="Reloading", rule="SS-RATE-01", per=item.id)
    if dose is None:
        full = replace(item, loaded=item.data["magazine"])
        context.emit(e.ItemChanged(who, full, "how.reloads"), "SS-RATE-01")
        return
    hands.use_one(context, who, dose, "SS-OTHER-23")
    loaded = replace(item, marks={**item.marks, PAYLOAD: write_payload(dose)})
    context.emit(e.ItemChanged(who, loaded, say("how.loads", dose=dose.name)), "SS-RATE-01")


def check_load(state: State, command: Load) -> tuple[Item, Item | None]:
    """Refuse a weapon that needs no loading now, and an unsuitable payload."""
    combatant = state[command.actor]
    item = find_thing(state, command.actor, command.item)
    if item.kind == "weapon" and item.data.get("takes_payload"):
        if PAYLOAD in item.marks:
            raise Refused("not_allowed", f"{item.name} already holds a payload.")
        dose = find_thing(state, command.actor, command.dose) if command.dose else None
        if dose is None and not any(i.kind == "consumable" for i in combatant.items):
            raise Refused("not_allowed", f"{item.name} takes a dose, and {combatant.name} carries none.")
        if dose is None or dose.kind != "consumable":
            raise Refused("bad_value", f"Choose the dose to load into {item.name}.")
        return item, dose
    if item.kind != "weapon" or item.loaded is None:
        raise Refused("bad_value", f"{item.name} needs no reloading: choose another weapon.")
    if item.data.get("reload") == "repair":
        raise Refused("not_allowed", f"{item.name} must be repaired, not reloaded.")
    if item.loaded >= item.data["magazine"]:
        raise Refused("not_allowed", f"{item.name} is already loaded.")
    return item, None


def change_items(context: RuleContext, command: Change) -> None:
    """Put one item away, then draw one: a free action. [SS-FREE-09] [SS-FREE-10]"""
    who = command.actor
    stowed, drawn = check_change(context.state, command)
    take_free(context, who, "change_items", "SS-FREE-09")
    for item in stowed:
        hands.put_away(context, who, item, "SS-FREE-09")
    for item in drawn:
        hands.draw(context, who, item, "SS-FREE-10")


def check_change(state: State, command: Change) -> tuple[list[Item], list[Item]]:
    """Refuse more than one of each, and more than two hands hold. [SS-FREE-09] [SS-FREE-10]"""
    combatant = state[command.actor]
    stowed = [find_thing(state, command.actor, name) for name in dict.fromkeys(command.stow)]
    drawn = [find_thing(state, command.actor, name) for name in dict.fromkeys(command.draw)]
    if not stowed and not drawn:
        raise Refused("bad_value", "Choose what to put away or what to draw.")
    many = any(feature.changes_all_items for feature in features_of(combatant))
    if not many and (len(stowed) > 1 or len(drawn) > 1):
        raise Refused("bad_value", "Change items puts away one item and draws one.")
    for item in stowed:
        if item.place != "held" or not count_hands(item):
            raise Refused("bad_value", f"{item.name} is not in hand: choose an item that is.")
    for item in drawn:
        if item.place != "carried":
            raise Refused("bad_value", f"{item.name} is not carried: choose an item that is.")
    check_hands(state, combatant, *drawn, without=tuple(item.id for item in stowed))
    return stowed, drawn


def change_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item to put away and the item to draw. [SS-FREE-09] [SS-FREE-10]"""
    combatant = state[actor]
    held = [i for i in combatant.items if i.place == "held" and i.data.get("hands", 1)]
    carried = [i for i in combatant.items if i.place == "carried"]
    options = [tuple(Choice(i.id, count_name(i)) for i in items) for items in (held, carried)]
    return (
        Field("stow", "Put away", "many", options[0], rule="SS-FREE-09", required=False),
        Field("draw", "Draw", "many", options[1], rule="SS-FREE-10", required=False),
    )


def ground_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items on the ground; those out of reach, or too much for the hands, with the reason."""

    def check(item: Item) -> None:
        check_pick_up(state, Handle(actor=actor, item=item.id))

    return (items_field("item", "What", list(state.ground), check),)


def load_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A weapon to load, and a dose if the weapon takes one."""
    combatant = state[actor]
    weapons = [
        item
        for item in combatant.items
        if item.kind == "weapon" and (item.loaded is not None or item.data.get("takes_payload"))
    ]
    doses = [i for i in combatant.items if i.kind == "consumable"]

    def check(item: Item) -> None:
        dose = doses[0].id if doses and item.data.get("takes_payload") else ""
        check_load(state, Load(actor=actor, item=item.id, dose=dose))

    return (
        items_field("item", "Weapon", weapons, check, more=fallen_choices(state, actor)),
        items_field("dose", "Payload", doses, empty=True),
    )


ACTIONS = (
    act("pick_up", pick_up, check_anything_lies, fields=ground_fields),
    act("pass_item", pass_item, HANDING.check_now, fields=HANDING.find_fields, has_odds=False),
    act(
        "reload",
        reload,
        check_any(load_fields, "Nothing here takes rounds."),
        fields=load_fields,
        brief=name_loaded,
    ),
    TABLE.act(
        "change_items", change_items, check_repeat("change_items"), fields=change_fields, on_turn=False
    ),
)
