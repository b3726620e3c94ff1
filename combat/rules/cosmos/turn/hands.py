"""Items in hand: draw, reload, pick up, drop, hand over; doors."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import Field, Handle, Words, check_any, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import name_loaded
from combat.rules.core.gm.handing import Handing, HandOver, pass_on
from combat.rules.core.gm.ways import (
    check_any_door,
    check_door,
    door_fields,
    find_doors,
    has_doors,
    leave_door,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import Combatant, Item, State, replace
from combat.rules.core.turn import hands
from combat.rules.core.turn.turns import say_words, spend

from ..body.damage import is_droppable
from ..body.supplies import find_supply, take_use
from ..book.options import find_option
from ..book.traits import has_tag
from ..characters.catalogue import CATALOGUE, check_hands
from ..characters.sheet import is_able
from ..move.cost import pay_move
from ..move.movement import find_arm
from ..world.acting import MOVE, TABLE, act, affords_cost
from ..world.sight_lines import check_place, check_within, describe_far, fallen_choices, find_thing

DOOR_RULE = "COS-ACT-11"
HANDING = Handing(
    CATALOGUE,
    lambda state, one, other: check_within(state, one, other, "a hand"),
    is_able,
    describe_far,
    coins="credits",
)


def draw(context: RuleContext, command: Handle) -> None:
    """Draw a weapon, or put it away. [COS-ACT-10]  RULING R59"""
    item = find_thing(context.state, command.actor, command.item)
    check_handling(context.state[command.actor], item)
    pay_move(context, command.actor, "Handling a weapon", "COS-ACT-10")
    (hands.put_away if item.place == "held" else hands.draw)(context, command.actor, item, "COS-ACT-10")


def check_handling(combatant: Combatant, item: Item) -> None:
    """Refuse to draw body parts or without a free hand, or to take armor off in a fight."""
    if not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} is always at hand.")
    if item.place == "worn":
        raise Refused("not_allowed", f"{item.name} is worn: it does not come off in a fight.")
    if item.place != "held":
        check_hands(combatant, item)


def drop_item(context: RuleContext, command: Handle) -> None:
    """Drop a held item, as a Quick Action. [COS-ACT-15]"""
    item = find_thing(context.state, command.actor, command.item)
    check_in_hand(item)
    spend(context, command.actor, {"quick": 1}, on="Dropping an item", rule="COS-ACT-15")
    hands.drop(context, command.actor, item, "COS-ACT-15")


def check_in_hand(item: Item) -> None:
    """Refuse to drop items that are not held, or body parts."""
    if item.place != "held" or not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} is not in hand.")


def pick_up(context: RuleContext, command: Handle) -> None:
    """Take an item on the ground within 1 m into a free hand; a Move Action like drawing.  RULING R59"""
    item, _ = hands.find_lying(context.state, command.item, "That is not on the ground.")
    check_pick_up(context.state, command.actor, item)
    pay_move(context, command.actor, "Picking up", "COS-ACT-10")
    hands.pick_up(context, command.actor, item, "COS-ACT-10")


def check_pick_up(state: State, actor: str, item: Item) -> None:
    """Refuse an item out of reach, or without a free hand for it."""
    if item.at:
        check_place(state, state[actor], item.at, item.name)
    check_hands(state[actor], item)


def pass_item(context: RuleContext, command: HandOver) -> None:
    """Hand something to an ally within 1 m, a Move Action like drawing. [COS-ACT-10]  RULING R59"""
    HANDING.check(context.state, command)
    pay_move(context, command.actor, "Handing over", "COS-ACT-10")
    pass_on(context, command, "COS-ACT-10")


def reload(context: RuleContext, command: Handle) -> None:
    """Replace the magazine with a spare one; this also clears a jam. [COS-ACT-13]  RULING R56."""
    weapon = find_thing(context.state, command.actor, command.item)
    check_reload(context.state, context.state[command.actor], weapon)
    if weapon.marks.get("jammed"):
        pay_move(context, command.actor, "Clearing a jam", "COS-ACT-13")
        clear = replace(weapon, marks={**weapon.marks, "jammed": False})
        context.emit(e.ItemChanged(command.actor, clear, "how.clears"), "COS-ACT-13")
        return
    if not has_tag(weapon.data, "free reload"):
        pay_move(context, command.actor, "Reloading", "COS-ACT-13")
    full = replace(weapon, loaded=int(weapon.data["magazine"]), spares=max(0, weapon.spares - 1))
    magazine = None if weapon.spares else find_magazine(context.state[command.actor], weapon)
    if magazine and context.option("track_ammunition"):
        take_use(context, command.actor, magazine, how="how.spends", rule="COS-ACT-13")
    context.emit(e.ItemChanged(command.actor, full, "how.reloads"), "COS-ACT-13")


def find_magazine(combatant: Combatant, weapon: Item) -> Item | None:
    """A spare magazine or cell for a weapon that takes one; single shots come with their weapon."""
    return find_supply(combatant, "refills") if int(weapon.data["magazine"]) > 1 else None


def check_reload(state: State, combatant: Combatant, weapon: Item) -> None:
    """Refuse a reload that changes nothing or has nothing to load."""
    if weapon.marks.get("jammed"):
        return
    if weapon.loaded is None or not takes_loading(weapon):
        raise Refused("not_allowed", f"{weapon.name} takes no ammunition.")
    if weapon.place != "held":
        raise Refused("not_allowed", f"{weapon.name} is not in hand: draw it first (Move Action).")
    if weapon.loaded >= int(weapon.data["magazine"]):
        raise Refused("not_allowed", f"{weapon.name} is full.")
    tracked = bool(find_option(state, "track_ammunition"))
    if tracked and weapon.spares < 1 and not find_magazine(combatant, weapon):
        raise Refused("no_budget", f"No spare magazine for {weapon.name} is left.")


def takes_loading(item: Item) -> bool:
    """Whether an item is ever reloaded."""
    return item.kind == "weapon" and item.loaded is not None and item.data["mode"] == "ranged"


def items_field(state: State, actor: str, wanted: str, label: str) -> tuple[Field, ...]:
    """A field with the items an action can take: "draw", "held", "ground" or "reload".

    Items on the ground are listed with their place.
    """
    combatant = state[actor]
    options = [
        Choice(item.id, item.name, item.place, _why_not(state, actor, item, wanted))
        for item in (state.ground if wanted == "ground" else combatant.items)
        if wanted == "ground" or (is_droppable(item) and (wanted != "reload" or takes_loading(item)))
    ]
    if wanted in ("draw", "reload"):
        options += fallen_choices(state, actor)
    return (Field("item", label, "choice", options=tuple(options), value=first_open(options)),)


def _why_not(state: State, actor: str, item: Item, wanted: str) -> str:
    """Why an item does not fit an action, in the words of the action's own refusal."""
    if wanted == "held":
        return why_refused(check_in_hand, item)
    if wanted == "draw":
        return why_refused(check_handling, state[actor], item)
    if wanted == "reload":
        return why_refused(check_reload, state, state[actor], item)
    return why_refused(check_pick_up, state, actor, item)


class Door(Words, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A door of the map by its id; without one the door beside them, or words for the log without a map."""

    door: str = ""


def use_door(context: RuleContext, command: Door) -> None:
    """Open a door, a Move Action. [COS-ACT-11] The text does not mention shutting: we treat it the same."""
    who = command.actor
    if command.door or has_doors(context.state):
        beside = command.door or find_beside(context.state, who)
        door = check_door(context.state, who, beside, find_arm(context.state))
        pay_move(context, who, "Shutting a door" if door.open else "Opening a door", DOOR_RULE)
        leave_door(context, who, door.id, is_open=not door.open, rule=DOOR_RULE)
        return
    pay_move(context, who, "Opening a door", DOOR_RULE)
    say_words(context, command, "log.opens_door", so="log.opens_door_so", rule=DOOR_RULE)


def find_beside(state: State, actor: str) -> str:
    """The only door within reach; Refused if there are several."""
    near = find_doors(state, actor, find_arm(state))
    if len(near) > 1:
        raise Refused("bad_value", f"{len(near)} doors are within reach: choose one.")
    return near[0].id if near else ""


def check_door_near(state: State, actor: str) -> None:
    """Refuse on a map without a door within reach; without a map people say which door it is."""
    if has_doors(state):
        check_any_door(find_arm)(state, actor)


def use_door_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The doors of the map within reach; without a map a text field."""
    if has_doors(state):
        return door_fields(state, actor, find_arm(state))
    return (Field("what", "What", "text", required=False),)


def _affords_reload(state: State, actor: str) -> None:
    """Refuse a reload without a Move Action, unless a weapon loads freely. [COS-ACT-13]  RULING R56"""
    weapons = (item for item in state[actor].items if item.kind == "weapon")
    if not any(has_tag(weapon.data, "free reload") for weapon in weapons):
        affords_cost(MOVE, TABLE.rows["reload"].label)(state, actor)


def _item_fields(wanted: str, label: str) -> Callable[[State, str], tuple[Field, ...]]:
    return lambda state, actor: items_field(state, actor, wanted, label)


_to_draw, _to_load = _item_fields("draw", "What"), _item_fields("reload", "Weapon")


ACTIONS = (
    act("draw", draw, check_any(_to_draw, "There is nothing to draw."), fields=_to_draw),
    act(
        "reload",
        reload,
        check_any(_to_load, "Nothing here takes rounds."),
        _affords_reload,
        fields=_to_load,
        brief=name_loaded,
        pays=False,
    ),
    act("pick_up", pick_up, check_anything_lies, fields=_item_fields("ground", "What")),
    act("pass_item", pass_item, HANDING.check_now, fields=HANDING.find_fields, has_odds=False),
    act("drop", drop_item, fields=_item_fields("held", "What")),
    act("door", use_door, check_door_near, fields=use_door_fields),
)
