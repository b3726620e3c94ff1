"""Objects and items: handling, picking up, loading, putting away and drawing."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Handle
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, replace
from combat.rules.core.turn import hands

from ..body.doses import burn
from ..book.options import find_option
from ..book.tables import HANDS
from ..people.sheet import count_hands, features_of, write_payload
from ..world.touch import check_place, find_thing
from .aim import PAYLOAD
from .economy import SEPARATOR, pay, take_free

MAX_LENGTH = 100


class Use(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object by name, and its new state: "blast door", "open"."""

    what: str
    becomes: str = ""


class Load(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon to ready; a needle gun also takes a dose."""

    item: str
    dose: str = ""


class Change(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The items to put away and then to draw; more with the right implant. [SS-FREE-09] [SS-FREE-10]"""

    stow: tuple[str, ...] = ()
    draw: tuple[str, ...] = ()


def clean(text: str, what: str) -> str:
    """A short name, without the characters that the record uses itself."""
    text = " ".join(text.replace(SEPARATOR, "/").split())
    if not 1 <= len(text) <= MAX_LENGTH:
        raise Refused("bad_value", f"{what} has 1 to {MAX_LENGTH} characters.")
    return text


# ---------------------------------------------------------------- objects


def interact(context: RuleContext, command: Use) -> Then | None:
    """Handle an object [SS-OTHER-02]; the same one once a turn. [SS-OTHER-03]"""
    what = clean(command.what, "The name of the object")
    who = command.actor
    pay(context, who, "interact", "Interacting", "SS-OTHER-02", per=what.lower())
    becomes = command.becomes.strip()[:MAX_LENGTH]
    if becomes:
        context.emit(e.Marked("", f"object {what.lower()}", becomes), "SS-OTHER-02", e.GM_ONLY)
    key, args = ("log.makes", {"becomes": becomes}) if becomes else ("log.uses", {})
    context.emit(e.Said(key, who, args={"item": what, **args}), "SS-OTHER-02")
    return burn(context, who)


def pick_up(context: RuleContext, command: Handle) -> None:
    """Take an item from the ground into a free hand. [SS-OTHER-02]  RULING R17"""
    item = check_pick_up(context.state, command)
    who = command.actor
    pay(context, who, "interact", "Picking up", "SS-OTHER-02", per=item.id)
    hands.pick_up(context, who, item, "SS-OTHER-02")


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
    pay(context, who, "reload", "Reloading", "SS-RATE-01", per=item.id)
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


# ---------------------------------------------------------------- items in hand


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
