"""Weapons in hand: finding, readying, loading, and their ammunition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import Command, Field, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import name_loaded
from combat.rules.core.gm.handing import Handing, HandOver, pass_on
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import Combatant, Item, State, find_item, replace, with_loaded
from combat.rules.core.turn import hands

from ..book.options import find_option
from ..book.tables import Ammunition, Arm, Grenade, VehicleWeapon, Weapon, ammo, grenades
from ..characters.goods import CATALOGUE, HANDS, ON, as_record, as_weapon, count_hands, find_launchers
from ..characters.machinery import check_limbs
from ..characters.values import is_conscious, is_person
from ..dice import lose_aim
from ..world.acting import act
from ..world.bands import describe_far
from ..world.economy import check_minor, count_minors, pay_minor
from ..world.sight_lines import check_place, check_within

DRAWN, FILLED = "drawn", "filled"  # marks: minor actions spent so far on drawing, on loading
INSIDE = "inside"  # mark of an item that lies in a vehicle: the id of the vehicle
LOAD = "load"  # mark: the kind of grenades or shells loaded
FLECHETTE = "flechette"
SPREADS_AT = ("medium", "long")
ARMS: dict[str, type[Arm]] = {"weapon": Weapon, "grenade": Grenade, "mount": VehicleWeapon}
WEAPONS = tuple(ARMS)


class Handle(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Do something with an item in the actor's possession."""

    weapon: str


class Reload(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Load a weapon; `load` names grenades or shells other than the usual kind.

    `actions` is the maximum of minor actions to spend on it this turn; None: all.
    """

    weapon: str
    load: str = ""
    actions: int | None = None


# ---------------------------------------------------------------- finding


def find_weapon(state: State, combatant: Combatant, item_id: str) -> Item:
    """A weapon by its id: the combatant's own, one just thrown, or one of the vehicle they sit in."""
    carrier = state.combatants.get(combatant.inside)
    things = (*combatant.items, *(carrier.items if carrier else ()), *state.ground)
    found = _find_among(things, item_id)
    found = as_weapon(combatant, found) if found else None
    if found is None or found.kind not in WEAPONS:
        raise Refused("bad_value", "Choose one of the weapons in hand.")
    return found


def find_own(combatant: Combatant) -> list[Item]:
    """The weapons that someone carries, including launchers under their rifles.  RULING R96"""
    own = [item for item in combatant.items if item.kind in WEAPONS]
    return [*own, *find_launchers(combatant.items)]


def _find_among(items: tuple[Item, ...], item_id: str) -> Item | None:
    for item in items:
        if item.id == item_id:
            return item
    return None


def read_arm(item: Item) -> Arm:
    """The record of a weapon, a grenade or a mounted weapon."""
    return as_record(item.data, ARMS[item.kind])


def find_load(item: Item) -> Grenade | None:
    """The grenade that a launcher has loaded, by default the usual one of its row."""
    usual = item.data.get("fires")
    return grenades()[str(item.marks.get(LOAD, usual))] if usual else None


def find_shells() -> Ammunition:
    """The record of flechette shells."""
    return next(row for row in ammo().values() if row.kind == FLECHETTE)


def spreads(state: State, item: Item, band: str) -> bool:
    """Whether shots spread: those with flechettes, beyond Short range only. [CE-SHOT-01]"""
    if band not in SPREADS_AT or item.marks.get(LOAD) != FLECHETTE:
        return False
    return bool(find_option(state, "use_flechettes"))


def use_rounds(context: RuleContext, who: str, item: Item, rounds: int, rule: str) -> None:
    """Take the rounds fired out of the weapon: the combatant's own, or one mounted on the vehicle."""
    if item.loaded is None:
        return
    owner, combatant = who, context.state.combatants[who]
    held = _find_among(combatant.items, item.id)
    if held is None:
        owner = combatant.inside or who
        held = find_item(context.state.combatants[owner], item.id)
    left = with_loaded(held, max(0, item.loaded - rounds))
    context.emit(e.ItemChanged(owner, left, ""), rule)


# ---------------------------------------------------------------- getting ready


def check_hands(combatant: Combatant, item: Item) -> None:
    """Refuse an item without a free hand for it; one hand can hold a two-handed weapon, but not use it."""
    full = [i.name for i in combatant.items if i.place == "held" and i.id != item.id and count_hands(i)]
    if len(full) >= HANDS and count_hands(item):
        raise Refused("not_allowed", f"No free hand for {item.name}: put {full[0]} or {full[1]} away first.")


def check_ready_up(state: State, command: Handle) -> Item:
    """Refuse a weapon that cannot be got ready."""
    item = find_item(state[command.actor], command.weapon)
    if item.kind not in WEAPONS or item.place == "held":
        why = "is in hand already" if item.place == "held" else "is no weapon"
        raise Refused("not_allowed", f"{item.name} {why}: choose one that is put away.")
    check_limbs(state, state[command.actor])
    check_hands(state[command.actor], item)
    return item


def ready(context: RuleContext, command: Handle) -> None:
    """Draw a weapon: the minor actions that its record says, one by default; the rest continues in the next
    turn. [CE-MINOR-12] [CE-MINOR-13] [CE-MINOR-14]"""
    item = check_ready_up(context.state, command)
    needed = int(item.data.get("draw_minor", 1))
    if not work_on(context, command.actor, item, key=DRAWN, needed=needed, on="Drawing", rule="CE-MINOR-12"):
        return
    there = find_item(context.state[command.actor], item.id)
    hands.draw(context, command.actor, _unmarked(there, DRAWN), "CE-MINOR-12")


def work_on(
    context: RuleContext,
    who: str,
    item: Item,
    key: str,
    needed: int,
    on: str,
    rule: str,
    most: int | None = None,
) -> bool:
    """Spend the remaining actions on a weapon, as far as the turn or `most` goes; returns whether it is
    done."""
    left = needed - int(item.marks.get(key, 0))
    if left <= 0:
        return True
    check_minor(context.state, who, on)
    if most is not None and most < 1:
        raise Refused("bad_value", f"{on} takes minor actions: spend 1 or more.")
    n = min(left, count_minors(context.state, who), most or left)
    lose_aim(context, who, "why.does_something_else")
    pay_minor(context, who, on, rule=rule, n=n)
    if n == left:
        return True
    begun = replace(item, marks={**item.marks, key: needed - left + n})
    context.emit(e.ItemChanged(who, begun, ""), rule)
    context.emit(
        e.Said("log.goes_on", who, args={"item": item.name, "left": left - n, "needed": needed}), rule
    )
    return False


def _unmarked(item: Item, key: str) -> Item:
    return replace(item, marks={k: v for k, v in item.marks.items() if k != key})


def put_away(context: RuleContext, command: Handle) -> None:
    """Put a weapon away: a minor action, like drawing it. [CE-MINOR-14]"""
    check_limbs(context.state, context.state[command.actor])
    item = _find_held(context.state[command.actor], command.weapon)
    check_minor(context.state, command.actor, "Putting away")
    lose_aim(context, command.actor, "why.does_something_else")
    pay_minor(context, command.actor, "Putting away", "CE-MINOR-14")
    hands.put_away(context, command.actor, item, "CE-MINOR-14")


def drop(context: RuleContext, command: Handle) -> None:
    """Drop an item in hand: a free action. [CE-OTHER-01]"""
    item = _find_held(context.state[command.actor], command.weapon)
    hands.drop(context, command.actor, item, "CE-OTHER-02")


def check_pick_up(state: State, command: Handle) -> Item:
    """Refuse to pick up an item without one in reach and a free hand."""
    combatant = state[command.actor]
    item, at = hands.find_lying(
        state, command.weapon, "That does not lie on the ground: choose another item."
    )
    carrier = state.combatants.get(str(item.marks.get(INSIDE, "")))
    if carrier is None or carrier.gone:
        check_place(state, combatant, at, item.name)
    elif combatant.inside != carrier.id:
        raise Refused("out_of_range", f"{item.name} lies in {carrier.name}: get in first.")
    check_limbs(state, combatant)
    check_hands(combatant, item)
    return item


def pick_up(context: RuleContext, command: Handle) -> None:
    """Pick up an item within reach: a minor action, like drawing. [CE-MINOR-14]"""
    item = check_pick_up(context.state, command)
    check_minor(context.state, command.actor, "Picking up")
    lose_aim(context, command.actor, "why.does_something_else")
    pay_minor(context, command.actor, "Picking up", "CE-MINOR-14")
    hands.pick_up(context, command.actor, item, "CE-MINOR-14")


def pass_item(context: RuleContext, command: HandOver) -> None:
    """Hand something to an ally at Close range: a minor action, like drawing. [CE-MINOR-14]  RULING R103"""
    check_limbs(context.state, context.state[command.actor])
    HANDING.check(context.state, command)
    check_minor(context.state, command.actor, "Handing over")
    lose_aim(context, command.actor, "why.does_something_else")
    pay_minor(context, command.actor, "Handing over", "CE-MINOR-14")
    pass_on(context, command, "CE-MINOR-14")


def check_pass_now(state: State, actor: str) -> None:
    """Refuse without anything to hand over, anyone in reach or an action."""
    HANDING.check_now(state, actor)
    check_minor(state, actor, "handing over")


def _find_held(combatant: Combatant, item_id: str) -> Item:
    item = find_item(combatant, item_id)
    if item.place != "held" or not count_hands(item):
        raise Refused("not_allowed", f"{item.name} is not in hand: choose something that is held.")
    return item


def name_drawn(item: Item) -> str:
    """The item to draw in order to use a weapon, as a refusal names it."""
    return "its rifle" if ON in item.marks else "it"


def _check_loose(item: Item) -> None:
    """Refuse a launcher that is fixed to a rifle."""
    if ON in item.marks:
        raise Refused("not_allowed", f"{item.name} is fixed to a rifle: choose another item.")


HANDING = Handing(
    CATALOGUE,
    check_within,
    lambda one: is_person(one) and is_conscious(one),
    describe_far,
    check_item=_check_loose,
    coins="credits",
)


# ---------------------------------------------------------------- loading


def check_reload(state: State, command: Reload) -> Item:
    """Refuse a weapon that cannot be loaded, and ammunition that does not fit."""
    combatant = state[command.actor]
    item = as_weapon(combatant, find_item(combatant, command.weapon))
    most = int(item.data.get("magazine", 0))
    if not most or item.loaded is None:
        raise Refused("not_allowed", f"{item.name} takes no ammunition: choose a weapon that does.")
    if item.place != "held":
        raise Refused("not_allowed", f"{item.name} is not in hand: draw {name_drawn(item)} (Ready a weapon).")
    check_limbs(state, combatant)
    load = command.load or str(item.marks.get(LOAD, ""))
    if load and load not in find_loads(item):
        raise Refused("bad_value", f"{item.name} cannot be loaded with that.")
    if item.loaded >= most and load == item.marks.get(LOAD, ""):
        raise Refused("not_allowed", f"{item.name} is full: fire it first, or load something else.")
    if item.spares < 1:
        raise Refused("no_budget", f"No magazine left for {item.name}.")
    return item


def find_loads(item: Item) -> dict[str, str]:
    """The alternatives to a weapon's usual ammunition: key -> name."""
    if item.data.get("fires"):
        return {key: row.name for key, row in grenades().items()}
    shells = (row for row in ammo().values() if row.kind == FLECHETTE and row.weapon == item.data.get("id"))
    return {row.kind: row.name for row in shells}


def reload(context: RuleContext, command: Reload) -> None:
    """Load a weapon: the minor actions that its record says, one by default; what exceeds this turn, or is
    kept for something else, continues in the next. [CE-MINOR-13] [CE-MINOR-14] RULING R56 R96"""
    item = check_reload(context.state, command)
    needed = int(item.data.get("reload_minor", 1))
    own = find_item(context.state[command.actor], item.id)
    rule, most = "CE-MINOR-13", command.actions
    if not work_on(
        context, command.actor, own, key=FILLED, needed=needed, on="Reloading", rule=rule, most=most
    ):
        return
    there = find_item(context.state[command.actor], item.id)
    bare = _unmarked(there, FILLED)
    marks = {**bare.marks, LOAD: command.load} if command.load else bare.marks
    full = replace(bare, loaded=int(item.data["magazine"]), spares=item.spares - 1, marks=marks)
    context.emit(e.ItemChanged(command.actor, full, "how.reloads"), "CE-MINOR-13")


# ---------------------------------------------------------------- forms


def describe_arm(item: Item) -> str:
    """The damage of a weapon and what is loaded, in one line."""
    dice = str(item.data.get("damage", "")) or "by its load"
    rounds = "" if item.loaded is None else f", {item.loaded}/{item.data.get('magazine', 0)}"
    return f"{dice}{rounds}"


class Things(NamedTuple):
    """The items that a form offers, and what may refuse one of them."""

    items: Sequence[Item]
    check: Callable[[Item], object] | None = None


def item_field(things: Things) -> Field:
    """The field for one of the things; the refused come last, grayed out with the reason."""
    items, check = things
    options = [Choice(i.id, i.name, describe_arm(i), why_refused(check, i)) for i in items]
    options.sort(key=lambda option: bool(option.refused))
    return Field("weapon", "What", "choice", options=tuple(options), value=first_open(options))


def check_any_item(things: Things, none: str) -> None:
    """Refuse without any items, or with the reason of the first if all are refused.

    Asked for every offer: no form is made for it.
    """
    first = ""
    for item in things.items:
        reason = why_refused(things.check, item)
        if not reason:
            return
        first = first or reason
    raise Refused("not_allowed", first or none)


def _hands_obstacle(
    find: Callable[[State, str], Things], none: str, what: str
) -> Callable[[State, str], None]:
    def check_now(state: State, actor: str) -> None:
        check_any_item(find(state, actor), none)
        if what:
            check_minor(state, actor, what)

    return check_now


def ready_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon to draw, out of those that are put away. [CE-MINOR-12]"""
    return (item_field(_find_put_away(state, actor)),)


def _find_put_away(state: State, actor: str) -> Things:
    def check(item: Item) -> None:
        check_ready_up(state, Handle(actor=actor, weapon=item.id))

    items = [i for i in state[actor].items if i.kind in WEAPONS and i.place != "held"]
    return Things(items, check)


def reload_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon to load, and the rounds. [CE-MINOR-13]"""
    things = _find_to_load(state, actor)
    loads = {key: name for item in things.items for key, name in find_loads(item).items()}
    choices = (Choice("", "the usual"), *(Choice(key, name) for key, name in loads.items()))
    load = Field("load", "Load", "choice", options=choices, value="", rule="CE-SHOT-01", required=False)
    return (item_field(things), *((load,) if loads else ()), *_pace_fields(state, actor, things.items))


def _find_to_load(state: State, actor: str) -> Things:
    def check(item: Item) -> None:
        usual = ""
        for key in ("", *find_loads(item)):
            command = Reload(actor=actor, weapon=item.id, load=key)
            reason = why_refused(check_reload, state, command)
            if not reason:
                return
            usual = usual or reason
        raise Refused("not_allowed", usual)

    return Things([i for i in find_own(state[actor]) if i.loaded is not None], check)


def _pace_fields(state: State, actor: str, items: Sequence[Item]) -> tuple[Field, ...]:
    """How much of the turn loading may take, if it takes more than one minor action. [CE-MINOR-13]"""
    left = count_minors(state, actor)
    if left < 2 or all(int(item.data.get("reload_minor", 1)) < 2 for item in items):
        return ()
    stated = f"blank: as many as it takes, at most {left}"
    pace = Field("actions", "Minor actions now", "number", low=1, high=left, help=stated, required=False)
    return (pace,)


def held_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items in hand."""
    return (item_field(_find_all_held(state, actor)),)


def lying_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items within reach on the ground."""
    return (item_field(_find_lying(state, actor)),)


def _find_lying(state: State, actor: str) -> Things:
    def check(item: Item) -> None:
        check_pick_up(state, Handle(actor=actor, weapon=item.id))

    return Things(state.ground, check)


def check_pick_up_now(state: State, actor: str) -> None:
    """Refuse if nothing lies on the ground."""
    check_anything_lies(state, actor)
    check_any_item(_find_lying(state, actor), "Nothing lies about.")
    check_minor(state, actor, "picking up")


def _find_all_held(state: State, actor: str) -> Things:
    return Things([i for i in state[actor].items if i.place == "held" and count_hands(i)])


check_ready_now = _hands_obstacle(_find_put_away, "All weapons are in hand.", "drawing")

check_reload_now = _hands_obstacle(_find_to_load, "Nothing here takes rounds.", "reloading")

check_put_away_now = _hands_obstacle(_find_all_held, "The hands are empty.", "putting away")

check_drop_now = _hands_obstacle(_find_all_held, "The hands are empty.", "")


ACTIONS = (
    act("ready", ready, check_ready_now, fields=ready_fields, has_odds=False),
    act("reload", reload, check_reload_now, fields=reload_fields, brief=name_loaded, has_odds=False),
    act("put_away", put_away, check_put_away_now, fields=held_fields, has_odds=False),
    act("drop", drop, check_drop_now, fields=held_fields, has_odds=False),
    act("pick_up", pick_up, check_pick_up_now, fields=lying_fields, has_odds=False),
    act("pass_item", pass_item, check_pass_now, fields=HANDING.find_fields, has_odds=False),
)
