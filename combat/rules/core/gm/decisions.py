"""What the GM may always do with combatants, in every game: set up, overrule, correct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ..basics.errors import Refused
from ..basics.words import say, say_number
from ..bodies import SIZE, read_size
from ..commands.commands import Action, Command, Field, Preview, no_fields, no_obstacle
from ..commands.context import RuleContext, Then
from ..space import Point, find_zone, on_ground
from ..space.areas import Shape
from ..spans import read_uses
from ..state import events as e
from ..state.state import Combatant, Condition, State, Until, has_condition, is_acting, present, replace
from ..system import Toll, Track
from ..turns import add_condition, count_down_at, end_with_source, remove_condition
from .spots import free_spot

MAX_COPIES = 20
MAX_NUMBER = 9999
MAX_FIGHTERS = 100
MAX_LENGTH = 60  # of a name
GROUP = "group"  # the mark of those who joined as one: the id of the first


class GmCommand(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the GM asks for; `reason` goes into the log."""

    reason: str = ""


class Join(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fighters join: of a stat block or a sheet. Several that join as a `group` stay one (gm/several.py).

    `group_of` is somebody here whose group they join.
    """

    block: str = ""
    sheet: dict[str, Any] = {}
    name: str = ""
    side: str = "foes"
    zone: str = ""
    hidden: bool = False
    pc: bool = False
    count: int = 1
    source: str = ""
    group: bool = False
    group_of: str = ""


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
    run: Callable[[RuleContext, Any], Then | None],
    rule: str = "",
    *,
    fields: Callable[[State, str], tuple[Field, ...]] = no_fields,
    check: Callable[[State, str], None] = no_obstacle,
    preview: Callable[[State, Any], Preview] | None = None,
    text: str = "",
    has_odds: bool = True,
    area: Callable[[State, Any], tuple[Shape, ...]] | None = None,
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
        find_area=area,
        on_turn=False,
        who="gm",
        text=text,
        has_odds=has_odds,
    )


def overrule(context: RuleContext, key: str, command: GmCommand, target: str = "", **args: Any) -> None:
    """Say by its key what the GM decided, and why. `{who}` of the words is the target."""
    context.emit(e.Overruled(say(key, who=target, **args), command.reason))


def join(context: RuleContext, command: Join, unseen: bool = False) -> None:
    """Fighters join with a snapshot of their sheet; copies are numbered.

    Those who are to be `unseen` are hidden where everybody would see them.
    """
    if not 1 <= command.count <= MAX_COPIES:
        raise Refused("bad_value", f"Too many at a time: add 1 to {MAX_COPIES} combatants.")
    if len(present(context.state)) + command.count > MAX_FIGHTERS:
        raise Refused(
            "bad_value", f"An encounter holds at most {MAX_FIGHTERS} combatants: remove some first."
        )
    sheet, name = _find_sheet(context, command)
    together = _find_group(context, command)
    for _ in range(command.count):
        free = _free_name(context.state, name, command.count > 1)
        _join_one(context, command, sheet, free, together, unseen)


def _find_group(context: RuleContext, command: Join) -> dict[str, str]:
    """The mark of the group that fighters join, if they do; who has been alone so far becomes one of it."""
    if not command.group_of:
        return {GROUP: f"f{context.state.made + 1}"} if command.group and command.count > 1 else {}
    first = context.state[command.group_of]
    if GROUP not in first.marks:
        context.emit(e.Marked(first.id, GROUP, first.id))
    return {GROUP: str(context.state[first.id].marks[GROUP])}


def _find_sheet(context: RuleContext, command: Join) -> tuple[dict[str, Any], str]:
    if not command.block:
        if not command.sheet:
            raise Refused("bad_value", "Nothing to add: choose a stat block or a character.")
        return command.sheet, clean_name(command.name or str(command.sheet.get("name", "")))
    block = context.system.find_block(command.block)
    if block is None:
        raise Refused("unknown", "That stat block is not in the library: choose one from the list.")
    return block.sheet, clean_name(command.name or block.name)


def clean_name(name: str) -> str:
    """A name as it is kept, of 1 to 60 characters; Refused("bad_value") otherwise."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= MAX_LENGTH:
        raise Refused("bad_value", f"A name has 1 to {MAX_LENGTH} characters.")
    return name


def _free_name(state: State, name: str, number: bool) -> str:
    taken = {fighter.name for fighter in present(state)}
    if name not in taken and not number:
        return name
    numbered = (f"{name[: MAX_LENGTH - 1 - len(str(i))]} {i}" for i in range(1, 1000))
    return next(n for n in numbered if n not in taken)


def _join_one(
    context: RuleContext,
    command: Join,
    sheet: dict[str, Any],
    name: str,
    more: dict[str, str],
    unseen: bool,
) -> None:
    who = f"f{context.state.made + 1}"
    side = clean_name(command.side)
    try:
        fighter: Combatant = context.system.make_combatant(who, name, side, sheet, context.state.options)
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", f"{name} cannot join with that sheet: {wrong}.") from None
    uses = read_uses(context.system, context.state, sheet)
    marks = {**fighter.marks, **read_size(fighter.sheet), **uses, **more}
    if command.source:
        marks["source"] = command.source
    fighter = replace(fighter, hidden=command.hidden, pc=command.pc, marks=marks)
    fighter = replace(fighter, at=free_spot(context, command.zone, fighter))
    there = replace(context.state, combatants={**context.state.combatants, who: fighter})
    if unseen and who not in context.system.find_unknown(there):
        fighter = replace(fighter, hidden=True)
    context.emit(e.CombatantJoined(fighter))
    if context.state.phase == "fight":
        context.system.enter(context, who)


def rename(context: RuleContext, command: Rename) -> None:
    """Give a fighter another name and, if one is said, another side."""
    fighter = context.state[command.target]
    side = clean_name(command.side or fighter.side)
    context.emit(e.Renamed(fighter.id, clean_name(command.name), side))


def remove(context: RuleContext, command: Target) -> None:
    """A fighter leaves, and what is bound to it ends.

    Its place in the order stays while something is anchored to it.
    """
    fighter = context.state[command.target]
    overrule(context, "gm.leaves", command, fighter.id)
    if is_acting(context.state, fighter.id):
        context.emit(e.TurnEnded(fighter.id))
        count_down_at(context, fighter.id, "end")
    context.emit(e.CombatantLeft(fighter.id))
    end_with_source(context, fighter.id, say("why.gone", who=fighter.id))
    if context.state.phase != "fight":
        order = tuple(who for who in context.state.order if who != fighter.id)
        if order != context.state.order:
            context.emit(e.OrderSet(order), to=e.GM_ONLY)


def duplicate(context: RuleContext, command: Target) -> None:
    """Another fighter with the same sheet and of the same size, unhurt; unseen as the first one is."""
    fighter, before = context.state[command.target], context.state.combatants.keys()
    base = fighter.name.rstrip("0123456789 ") or fighter.name
    join(
        context,
        Join(
            sheet=fighter.sheet,
            name=base,
            side=fighter.side,
            hidden=fighter.hidden,
            zone=_zone_id(context.state, fighter),
        ),
        unseen=fighter.id in context.unknown,
    )
    size = fighter.marks.get(SIZE)
    for who in context.state.combatants.keys() - before:
        if context.state[who].marks.get(SIZE) != size:
            context.emit(e.Marked(who, SIZE, size))


def _zone_id(state: State, fighter: Combatant) -> str:
    zone = find_zone(state.scene, fighter.at)
    return zone.id if zone else ""


def adjust_track(context: RuleContext, command: AdjustTrack) -> Then | None:
    """Set a number of a fighter by decision; the game then settles what follows from it.

    Points that several numbers share are divided as the game does it.
    """
    fighter, toll = context.state[command.target], context.system.toll
    if toll is not None and command.track == toll.key:
        return _take_toll(context, command, toll)
    track, old, new = _find_change(context, command)
    if abs(new) > MAX_NUMBER:
        raise Refused("bad_value", f"{track.label} stays between −{MAX_NUMBER} and {MAX_NUMBER}.")
    if new == old:
        message = f"{fighter.name}: {track.label} is {say_number(old)} already; enter another number."
        raise Refused("bad_value", message)
    overrule(context, "gm.track", command, fighter.id, what=f"track.{track.key}")
    context.emit(e.TrackChanged(fighter.id, track.key, old, new, command.reason or "why.gm"))
    context.system.settle(context, fighter)
    return None


def _take_toll(context: RuleContext, command: AdjustTrack, toll: Toll) -> Then | None:
    """Points lost or given back that the game divides."""
    if command.to is not None or not 0 < abs(command.by) <= MAX_NUMBER:
        raise Refused("bad_value", f"{toll.label}: enter 1 to {MAX_NUMBER} points of damage or healing.")
    overrule(context, "gm.track", command, command.target, what=f"track.{toll.key}")
    change = toll.harm if command.by < 0 else toll.heal
    return change(context, command.target, abs(command.by), command.reason or "why.gm")


def _find_change(context: RuleContext, command: AdjustTrack) -> tuple[Track, int, int]:
    """Which track, what it is, and what it becomes; raises Refused for an unknown one."""
    track = next((t for t in context.system.tracks if t.key == command.track), None)
    if track is None:
        raise Refused("unknown", f"There is no stat “{command.track}”.")
    old = context.state[command.target].tracks.get(track.key, 0)
    return track, old, _find_track(track, old, command)


def _find_track(track: Track, old: int, command: AdjustTrack) -> int:
    """The new number. A change stops at the lowest one a track can have."""
    least = -MAX_NUMBER - 1 if track.low is None else track.low
    if command.to is None:
        return max(least, old + command.by)
    if command.to < least:
        raise Refused("bad_value", f"{track.label} does not go below {say_number(least)}.")
    return command.to


def adjust_each(context: RuleContext, command: AdjustEach) -> None:
    """Change a number of several fighters at once: one step of the log. Whose number stops where
    it is already is passed over, unless that is everybody."""
    if not command.targets:
        raise Refused("bad_target", "Select combatants first.")
    wanted = [
        AdjustTrack(target=who, track=command.track, by=command.by, reason=command.reason)
        for who in dict.fromkeys(command.targets)
    ]
    for one in [one for one in wanted if _changes(context, one)] or wanted[:1]:
        then = adjust_track(context, one)
        while then is not None:
            then = then.step(context, *then.args)


def _changes(context: RuleContext, command: AdjustTrack) -> bool:
    if context.system.toll is not None and command.track == context.system.toll.key:
        return True
    _, old, new = _find_change(context, command)
    return new != old


def give_condition(context: RuleContext, command: GiveCondition) -> None:
    """Give a fighter a condition of the game, for some of its turns or until it is taken away."""
    fighter = context.state[command.target]
    if not 1 <= command.level <= 20 or not 0 <= command.turns <= 100:
        raise Refused("bad_value", "A level is 1 to 20, a duration 0 to 100 turns.")
    if command.kind not in context.system.conditions:
        raise Refused("unknown", f"There is no condition “{command.kind}”: choose one from the list.")
    source = context.state[command.by].id if command.by else ""
    overrule(context, "gm.condition", command, fighter.id, what=f"condition.{command.kind}")
    until = Until(fighter.id, "end", command.turns) if command.turns else None
    add_condition(context, fighter.id, command.kind, level=command.level, until=until, by=source)
    context.system.settle(context, fighter)


def take_condition(context: RuleContext, command: TakeCondition) -> None:
    """End one condition of a fighter; the game then settles what follows.

    Refused where the fighter's numbers bring it back at once.
    """
    fighter = context.state[command.target]
    held = next((c for c in fighter.conditions if c.id == command.condition), None)
    if held is None:
        raise Refused("unknown", f"{fighter.name} no longer has that condition.")
    overrule(context, "gm.end_condition", command, fighter.id, what=held.label)
    remove_condition(context, fighter.id, held, command.reason or "why.gm")
    context.system.settle(context, fighter)
    if has_condition(context.state[fighter.id], held.kind) and not _holds_another(fighter, held):
        track = context.system.tracks[0]
        because = f"it follows from {track.label} {say_number(fighter.tracks.get(track.key, 0))}"
        label = context.system.draw(held.label)
        raise Refused("not_allowed", f"{label}: {because}. Change that first.")


def _holds_another(fighter: Combatant, held: Condition) -> bool:
    return any(other.kind == held.kind for other in fighter.conditions if other.id != held.id)


def place(context: RuleContext, command: Place) -> None:
    """Put a fighter somewhere, at no cost of movement; the game then settles what follows."""
    fighter = context.state[command.target]
    if command.x is not None and command.y is not None:
        if not (abs(command.x) <= MAX_NUMBER and abs(command.y) <= MAX_NUMBER):
            raise Refused("bad_value", f"Enter meters from −{MAX_NUMBER} to {MAX_NUMBER}.")
        goal = on_ground(context.state.scene, Point(round(command.x, 3), round(command.y, 3)))
    else:
        goal = free_spot(context, command.zone, fighter)
    zone = find_zone(context.state.scene, goal)
    name = zone.name if zone else ""
    context.emit(e.Moved(fighter.id, (fighter.at, goal), 0.0, 0.0, "how.placed", name))
    context.system.settle(context, fighter)
    if context.state.phase == "fight":
        context.system.arrive(context, fighter.id)


def hide(context: RuleContext, command: Hide) -> None:
    """Hide a fighter from everybody but the GM, or reveal it to all."""
    fighter = context.state[command.target]
    if fighter.hidden == command.hidden:
        raise Refused(
            "not_allowed", f"{fighter.name} is {'hidden' if fighter.hidden else 'visible'} already."
        )
    context.emit(e.HiddenSet(fighter.id, command.hidden))


def reorder(context: RuleContext, command: Reorder) -> None:
    """Move a fighter in the order of turns."""
    fighter = context.state[command.target]
    rest = [who for who in context.state.order if who != fighter.id]
    if command.after and command.after not in rest:
        raise Refused("unknown", "Choose someone who is in the turn order.")
    spot = rest.index(command.after) + 1 if command.after else 0
    order = (*rest[:spot], fighter.id, *rest[spot:])
    if order == context.state.order:
        raise Refused("not_allowed", f"{fighter.name} is in that place already.")
    set_order(context, order, command, fighter.id)


def set_order(context: RuleContext, order: tuple[str, ...], command: GmCommand, target: str) -> None:
    """Let combatants act in another order; only those hear of it for whom it is another one."""
    known = [[who for who in each if who not in context.unknown] for each in (order, context.state.order)]
    if known[0] == known[1]:
        context.emit(e.Overruled(say("gm.order", who=target), command.reason), to=e.GM_ONLY)
    else:
        overrule(context, "gm.order", command, target)
    context.emit(e.OrderSet(order, "why.gm"), to=e.GM_ONLY)


def set_initiative(context: RuleContext, command: SetInitiative) -> None:
    """Set the score a fighter stands in the order with; the game says when the order follows."""
    fighter = context.state[command.target]
    if abs(command.score) > MAX_NUMBER:
        raise Refused("bad_value", f"Initiative stays between −{MAX_NUMBER} and {MAX_NUMBER}.")
    overrule(context, "gm.initiative", command, fighter.id)
    context.emit(e.InitiativeSet(fighter.id, command.score))
    if context.state.phase == "fight":
        context.system.reseat(context, fighter.id, command.reason or "why.gm")


def give_budget(context: RuleContext, command: GiveBudget) -> None:
    """Set what is left of one pool of a fighter's turn."""
    fighter = context.state[command.target]
    if command.pool not in {pool.key for pool in context.system.pools}:
        raise Refused("unknown", f"There are no actions of the kind “{command.pool}”.")
    if not 0 <= command.left <= 20:
        raise Refused("bad_value", "Set actions left to 0 to 20.")
    overrule(context, "gm.budget", command, fighter.id)
    context.emit(e.BudgetSet(fighter.id, {**fighter.budget, command.pool: command.left}))
