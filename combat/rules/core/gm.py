"""What the GM may always do with fighters, in every game: set up, overrule, correct. Facts like any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from . import events as e
from .commands import Action, Command, Field, Preview, no_fields, no_obstacle
from .errors import Refused
from .space import Point, Zone, distance, find_zone, on_ground, zone_named
from .state import Combatant, State, Until, is_acting, present, replace
from .system import Track
from .table import Table, Then
from .turns import end_with_source, gain, lift, run_out

MOST_COPIES = 20
MOST_NUMBER = 9999
MOST_FIGHTERS = 100
MOST_LETTERS = 60  # of a name
MOST_SPOTS = 24  # along each side of a zone


class GmCommand(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wish of the GM; `reason` goes into the log."""

    reason: str = ""


class Join(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    block: str = ""
    sheet: dict[str, Any] = {}
    name: str = ""
    side: str = "foes"
    zone: str = ""
    hidden: bool = False
    pc: bool = False
    count: int = 1
    source: str = ""


class Target(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str


class Rename(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    side: str = ""


class AdjustTrack(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change a track by `by` points, or set it to `to`."""

    track: str
    by: int = 0
    to: int | None = None


class AdjustEach(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change a track of several fighters by the same number of points."""

    targets: tuple[str, ...]
    track: str
    by: int


class GiveCondition(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`turns` counts ends of the target's own turns; 0 lasts until it is taken away.

    `by` is the fighter it comes from: who is feared, who holds.
    """

    kind: str
    level: int = 1
    turns: int = 0
    by: str = ""


class TakeCondition(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    condition: str


class Place(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put a fighter into a zone or at a point in metres."""

    zone: str = ""
    x: float | None = None
    y: float | None = None


class Hide(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hidden: bool = True


class Reorder(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put a fighter behind another in the order; first if `after` is empty."""

    after: str = ""


class SetInitiative(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    score: int


class GiveBudget(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pool: str
    left: int


def gm_action(
    name: str,
    label: str,
    group: str,
    kind: type[Command],
    run: Callable[[Table, Any], Then | None],
    rule: str = "",
    *,
    fields: Callable[[State, str], tuple[Field, ...]] = no_fields,
    check: Callable[[State, str], None] = no_obstacle,
    preview: Callable[[State, Any], Preview] | None = None,
    text: str = "",
) -> Action:
    """An action of the GM, possible in any phase."""
    return Action(
        name=name,
        label=label,
        group=group,
        type=kind,
        run=run,
        rule=rule,
        find_obstacle=check,
        find_fields=fields,
        preview=preview,
        on_turn=False,
        who="gm",
        text=text,
    )


def overrule(table: Table, what: str, command: GmCommand, target: str = "") -> None:
    """Say that the GM decided something, and why."""
    hidden = bool(target) and table.state[target].hidden
    to = e.GM_ONLY if hidden else e.EVERYONE
    table.tell(e.Overruled(what, command.reason), to=to)


def join(table: Table, command: Join) -> None:
    """Fighters join with a snapshot of their sheet; copies are numbered."""
    if not 1 <= command.count <= MOST_COPIES:
        raise Refused("bad_value", f"Add 1 to {MOST_COPIES} fighters at a time.")
    if len(present(table.state)) + command.count > MOST_FIGHTERS:
        raise Refused("bad_value", f"An encounter holds at most {MOST_FIGHTERS} fighters.")
    sheet, name = _find_sheet(table, command)
    for _ in range(command.count):
        _join_one(table, command, sheet, _free_name(table.state, name, command.count > 1))


def _find_sheet(table: Table, command: Join) -> tuple[dict[str, Any], str]:
    if not command.block:
        if not command.sheet:
            raise Refused("bad_value", "Choose a stat block or a character to add.")
        return command.sheet, clean_name(command.name or str(command.sheet.get("name", "")))
    block = table.system.find_blocks().get(command.block)
    if block is None:
        raise Refused("unknown", "That stat block is not in the library.")
    return block.sheet, clean_name(command.name or block.name)


def clean_name(name: str) -> str:
    """A name as it is kept, of 1 to 60 letters; Refused("bad_value") otherwise."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= MOST_LETTERS:
        raise Refused("bad_value", f"A name has 1 to {MOST_LETTERS} letters.")
    return name


def _free_name(state: State, name: str, number: bool) -> str:
    taken = {fighter.name for fighter in present(state)}
    if name not in taken and not number:
        return name
    numbered = (f"{name[: MOST_LETTERS - 1 - len(str(i))]} {i}" for i in range(1, 1000))
    return next(n for n in numbered if n not in taken)


def _join_one(table: Table, command: Join, sheet: dict[str, Any], name: str) -> None:
    who = f"f{table.state.made + 1}"
    side = clean_name(command.side)
    try:
        fighter: Combatant = table.system.make_combatant(who, name, side, sheet, table.state.options)
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", f"{name} cannot join with that sheet: {wrong}.") from None
    spot = free_spot(table.state, command.zone)
    marks = {**fighter.marks, "source": command.source} if command.source else fighter.marks
    fighter = replace(fighter, at=spot, hidden=command.hidden, pc=command.pc, marks=marks)
    table.tell(e.CombatantJoined(fighter))
    if table.state.phase == "fight":
        table.system.enter(table, who)


def free_spot(state: State, zone_id: str) -> Point:
    """A place in a zone (or near the origin) at least 1.5 m from everybody else."""
    zone = zone_named(state.scene, zone_id)
    if zone is None:
        if zone_id:
            raise Refused("unknown", "That zone is not part of the scene.")
        zone = state.scene.zones[0] if state.scene.zones else Zone("", "", 0.0, 0.0, 20.0, 20.0)
    taken = [fighter.at for fighter in present(state)]
    spots = sorted(_grid(zone), key=lambda spot: distance(spot, zone.centre))
    free = (s for s in spots if all(distance(s, t) >= 1.5 for t in taken))
    return next(free, zone.centre)


def _grid(zone: Zone) -> list[Point]:
    across, along = _every_2_m(zone.x, zone.width), _every_2_m(zone.y, zone.depth)
    return [Point(x, y, zone.height) for x in across for y in along]


def _every_2_m(start: float, size: float) -> list[float]:
    """Places along a side, around its middle: enough for MOST_FIGHTERS, however long it is."""
    count = max(1, int(size // 2))
    first = max(0, count - MOST_SPOTS) // 2
    return [start + 1 + 2 * i for i in range(first, first + min(count, MOST_SPOTS))]


def rename(table: Table, command: Rename) -> None:
    """Give a fighter another name and, if one is said, another side."""
    fighter = table.state[command.target]
    side = clean_name(command.side or fighter.side)
    table.tell(e.Renamed(fighter.id, clean_name(command.name), side))


def remove(table: Table, command: Target) -> None:
    """A fighter leaves, and what is bound to it ends.

    Its place in the order stays while something is anchored to it.
    """
    fighter = table.state[command.target]
    overrule(table, f"{fighter.name} leaves the encounter", command, fighter.id)
    if is_acting(table.state, fighter.id):
        table.tell(e.TurnEnded(fighter.id))
        run_out(table, fighter.id, "end")
    table.tell(e.CombatantLeft(fighter.id, command.reason))
    end_with_source(table, fighter.id, f"{fighter.name} is gone")
    if table.state.phase != "fight":
        order = tuple(who for who in table.state.order if who != fighter.id)
        if order != table.state.order:
            table.tell(e.OrderSet(order), to=e.GM_ONLY)


def duplicate(table: Table, command: Target) -> None:
    """Another fighter with the same sheet, unhurt."""
    fighter = table.state[command.target]
    base = fighter.name.rstrip("0123456789 ") or fighter.name
    join(
        table,
        Join(
            sheet=fighter.sheet,
            name=base,
            side=fighter.side,
            hidden=fighter.hidden,
            zone=_zone_id(table.state, fighter),
        ),
    )


def _zone_id(state: State, fighter: Combatant) -> str:
    zone = find_zone(state.scene, fighter.at)
    return zone.id if zone else ""


def adjust_track(table: Table, command: AdjustTrack) -> None:
    """Set a number of a fighter by decision; the game then settles what follows from it."""
    fighter = table.state[command.target]
    track, old, new = _find_change(table, command)
    if abs(new) > MOST_NUMBER:
        raise Refused("bad_value", f"{track.label} stays between -{MOST_NUMBER} and {MOST_NUMBER}.")
    if new == old:
        message = f"{fighter.name}: {track.label} is {old} already; give a number to change it by."
        raise Refused("bad_value", message)
    overrule(table, f"{track.label} of {fighter.name}", command, fighter.id)
    table.tell(e.TrackChanged(fighter.id, track.key, old, new, command.reason or "GM"))
    table.system.settle(table, fighter)


def _find_change(table: Table, command: AdjustTrack) -> tuple[Track, int, int]:
    """Which track, what it is, and what it becomes; raises Refused for an unknown one."""
    track = next((t for t in table.system.tracks if t.key == command.track), None)
    if track is None:
        raise Refused("unknown", f"There is no track “{command.track}”.")
    old = table.state[command.target].tracks.get(track.key, 0)
    return track, old, _find_track(track, old, command)


def _find_track(track: Track, old: int, command: AdjustTrack) -> int:
    """The new number. A change stops at the lowest one a track can have."""
    least = -MOST_NUMBER - 1 if track.low is None else track.low
    if command.to is None:
        return max(least, old + command.by)
    if command.to < least:
        raise Refused("bad_value", f"{track.label} does not go below {least}.")
    return command.to


def adjust_each(table: Table, command: AdjustEach) -> None:
    """Change a number of several fighters at once: one step of the log. Whose number stops where
    it is already is passed over, unless that is everybody."""
    if not command.targets:
        raise Refused("bad_target", "Tick the fighters first.")
    wanted = [
        AdjustTrack(target=who, track=command.track, by=command.by, reason=command.reason)
        for who in dict.fromkeys(command.targets)
    ]
    for one in [one for one in wanted if _changes(table, one)] or wanted[:1]:
        adjust_track(table, one)


def _changes(table: Table, command: AdjustTrack) -> bool:
    _, old, new = _find_change(table, command)
    return new != old


def give_condition(table: Table, command: GiveCondition) -> None:
    """Give a fighter a condition of the game, for some of its turns or until it is taken away."""
    fighter = table.state[command.target]
    if not 1 <= command.level <= 20 or not 0 <= command.turns <= 100:
        raise Refused("bad_value", "A level is 1 to 20, a duration 0 to 100 turns.")
    if command.kind not in table.system.conditions:
        raise Refused("unknown", f"There is no condition “{command.kind}”.")
    source = table.state[command.by].id if command.by else ""
    overrule(table, f"a condition for {fighter.name}", command, fighter.id)
    until = Until(fighter.id, "end", command.turns) if command.turns else None
    gain(table, fighter.id, command.kind, level=command.level, until=until, by=source)
    table.system.settle(table, fighter)


def take_condition(table: Table, command: TakeCondition) -> None:
    """End one condition of a fighter."""
    fighter = table.state[command.target]
    held = next((c for c in fighter.conditions if c.id == command.condition), None)
    if held is None:
        raise Refused("unknown", f"{fighter.name} does not have that condition any more.")
    overrule(table, f"{held.label} of {fighter.name}", command, fighter.id)
    lift(table, fighter.id, held, command.reason or "GM")


def place(table: Table, command: Place) -> None:
    """Put a fighter somewhere, at no cost of movement."""
    fighter = table.state[command.target]
    if command.x is not None and command.y is not None:
        if not (abs(command.x) <= MOST_NUMBER and abs(command.y) <= MOST_NUMBER):
            raise Refused("bad_value", f"Give metres from -{MOST_NUMBER} to {MOST_NUMBER}.")
        goal = on_ground(table.state.scene, Point(round(command.x, 3), round(command.y, 3)))
    else:
        goal = free_spot(table.state, command.zone)
    zone = find_zone(table.state.scene, goal)
    name = zone.name if zone else ""
    table.tell(e.Moved(fighter.id, (fighter.at, goal), 0.0, 0.0, "is placed", name))


def hide(table: Table, command: Hide) -> None:
    """Hide a fighter from everybody but the GM, or reveal it to all."""
    fighter = table.state[command.target]
    if fighter.hidden == command.hidden:
        raise Refused("not_allowed", f"{fighter.name} is {'hidden' if fighter.hidden else 'seen'} already.")
    table.tell(e.HiddenSet(fighter.id, command.hidden), to=e.EVERYONE)


def reorder(table: Table, command: Reorder) -> None:
    """Move a fighter in the order of turns."""
    fighter = table.state[command.target]
    rest = [who for who in table.state.order if who != fighter.id]
    if command.after and command.after not in rest:
        raise Refused("unknown", "Choose somebody who is in the order.")
    spot = rest.index(command.after) + 1 if command.after else 0
    order = (*rest[:spot], fighter.id, *rest[spot:])
    if order == table.state.order:
        raise Refused("not_allowed", f"{fighter.name} has that place already.")
    overrule(table, f"{fighter.name}'s place in the order", command, fighter.id)
    table.tell(e.OrderSet(order, "GM"), to=e.GM_ONLY)


def set_initiative(table: Table, command: SetInitiative) -> None:
    """Set the score a fighter stands in the order with; the game says when the order follows."""
    fighter = table.state[command.target]
    if abs(command.score) > MOST_NUMBER:
        raise Refused("bad_value", "That score is too large.")
    overrule(table, f"the initiative of {fighter.name}", command, fighter.id)
    table.tell(e.InitiativeSet(fighter.id, command.score))
    if table.state.phase == "fight":
        table.system.reseat(table, fighter.id, command.reason or "GM")


def give_budget(table: Table, command: GiveBudget) -> None:
    """Set what is left of one pool of a fighter's turn."""
    fighter = table.state[command.target]
    if command.pool not in {pool.key for pool in table.system.pools}:
        raise Refused("unknown", f"There is no budget “{command.pool}”.")
    if not 0 <= command.left <= 20:
        raise Refused("bad_value", "Set the budget to 0 to 20.")
    overrule(table, f"the budget of {fighter.name}", command, fighter.id)
    table.tell(e.BudgetSet(fighter.id, {**fighter.budget, command.pool: command.left}))
