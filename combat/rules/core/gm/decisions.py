"""The GM's decisions about combatants, in every game: set up, overrule, correct, begin a session or a day."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from msgspec import UNSET

from ..basics.checking import tidy
from ..basics.errors import Refused
from ..basics.names import NUMBERED, make_id, name_copy, number_name
from ..basics.words import say, say_number
from ..commands.commands import Command
from ..commands.context import RuleContext, Then
from ..declaration.characters import DAY, FIGHT, SESSION, SharedTrack, Track
from ..declaration.parts import Aboard
from ..declaration.system import System, system_of
from ..map.bodies import MAX_METERS, SIZE, read_size
from ..map.moving import fall_through, shift
from ..passengers import find_aboard, leave
from ..sheets.sheets import read_counters
from ..space import Point, find_zone, on_ground, over_ground
from ..state import events as e
from ..state.state import (
    FACE,
    SURRENDERED,
    Combatant,
    State,
    Until,
    find_own_condition,
    find_waiting,
    has_condition,
    is_acting,
    present,
    replace,
)
from ..turn.turns import (
    add_condition,
    count_down_at,
    end_with_source,
    find_most,
    read_uses,
    remove_condition,
    remove_conditions,
    renew,
)
from .aliases import check_face, copy_alias, give_alias, real_name, reveal, set_real_name
from .spots import free_spot, placing

MAX_COPIES = 20
MAX_NUMBER = 9999
MAX_COMBATANTS = 100
MAX_LENGTH = 60  # of a name
MAX_TURNS = 100  # that a condition lasts
BEYOND = "beyond."  # begins the mark of harm beyond what a number can show since it was corrected
GROUP = "group"  # the mark of combatants who joined together: the id of the first


class GmCommand(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command of the GM; `reason` goes into the log."""

    reason: str = ""


class Join(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Add combatants from a stat block or a sheet. A `group` stays together (gm/several.py).

    `group_of` is a combatant here whose group they join. `later`: they wait (gm/reserves.py),
    until `at_round` if there is one. They join `inside` a combatant here, by its id, or by its name the last
    of those called so. One that carries others goes at a `speed`. A `boss` leads the others
    (gm/bosses.py). The `seed` makes their ids (basics/names.py).
    """

    block: str = ""
    sheet: dict[str, Any] = {}
    name: str = ""
    side: str = "enemies"
    zone: str = ""
    hidden: bool = False
    pc: bool = False
    count: int = 1
    source: str = ""
    group: bool = False
    group_of: str = ""
    later: bool = False
    at_round: int = 0
    inside: str = ""
    speed: int = 0
    boss: bool = False
    seed: str = ""


class Target(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str


class Duplicate(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seed: str = ""


class Rename(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give a combatant another name or side; without a name they keep theirs."""

    name: str | None = None
    side: str = ""


class SetAlias(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let all but the GM know a combatant by an `alias`, with the drawn `face` of this key, "" for none.

    Without an alias, the combatant is revealed.
    """

    alias: str = ""
    face: str | None = None


class GiveCondition(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`turns` counts ends of the target's turns, without one under way; 0 lasts until it is removed.

    `by` is the combatant that causes it: the feared one, the holder.
    """

    kind: str = ""
    level: int = 1
    turns: int = 0
    by: str = ""


class TakeCondition(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    condition: str


class Place(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put a combatant into a zone or at a point in meters."""

    zone: str = ""
    x: float | None = None
    y: float | None = None


class Resize(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set the meters that a combatant covers along each side; 0: one square or hex."""

    metres: float


class Hide(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hidden: bool = True


class Reorder(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put a combatant after another in the order; first if `after` is empty."""

    after: str = ""


class SetInitiative(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    score: int


class GiveBudget(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pool: str
    left: int


def overrule(
    context: RuleContext, key: str, command: GmCommand, target: str = "", to: str = "", **args: Any
) -> None:
    """Log a decision of the GM by its key, with the reason. `{who}` in the words is the target."""
    context.emit(e.Overruled(say(key, who=target, **args), command.reason), to=to)


def join(context: RuleContext, command: Join, unseen: bool = False) -> None:
    """Add combatants with a snapshot of their sheet; copies get numbers.

    If `unseen`, they are hidden wherever everyone would see them.
    """
    if not 1 <= command.count <= MAX_COPIES:
        raise Refused("bad_value", f"Too many at a time: add 1 to {MAX_COPIES} combatants.")
    if len(present(context.state)) + len(find_waiting(context.state)) + command.count > MAX_COMBATANTS:
        raise Refused(
            "bad_value", f"An encounter holds at most {MAX_COMBATANTS} combatants: remove some first."
        )
    sheet, name = _find_sheet(context, command)
    alias = "" if command.pc else str(sheet.get("alias", ""))
    sheet = {key: value for key, value in sheet.items() if key != "alias"}
    carrier = _find_carrier(context, command) if command.inside else ""
    together, several = _form_group(context, command), command.count > 1
    for _ in range(command.count):
        free = _free_name(context.state, context.unknown, clean_name(alias or name), several)
        who = _join_one(context, command, sheet, name=free, more=together, unseen=unseen)
        if alias:
            one, real = context.state[who], {real_name(o) for o in present(context.state) if o.id != who}
            copy_alias(context, one, one, number_name(name, real, MAX_LENGTH, first=int(several)))
        if carrier:
            get_inside(context, who, carrier)
        if command.speed:
            _find_aboard(context).set_off(context, who, command.speed)


def _find_carrier(context: RuleContext, command: Join) -> str:
    """The id of the combatant that they join inside; Refused if there is none."""
    if command.later:
        raise Refused("not_allowed", "Those who arrive later get in when they are here: bring them in first.")
    if command.inside in context.state.combatants:
        return command.inside
    actions, said = system_of(context).actions, clean_name(command.inside)
    called = [
        one.id
        for one in present(context.state)
        if actions.carries(one)
        and any(said in (name, _strip_number(name)) for name in (one.name, real_name(one)))
    ]
    if not called:
        raise Refused("bad_target", f"Nothing here that others can be inside is called “{said}”.")
    return called[-1]


def _strip_number(name: str) -> str:
    found = NUMBERED.fullmatch(name)
    return found["base"] if found else name


def get_inside(context: RuleContext, who: str, carrier: str) -> None:
    """Put someone inside a combatant, as the game says; Refused in a game where nobody can be."""
    _find_aboard(context).seat(context, who, context.state[carrier].id)


def _find_aboard(context: RuleContext) -> Aboard:
    aboard = system_of(context).actions.aboard
    if aboard is None:
        raise Refused("not_allowed", "In this game nobody is inside others, and nothing has a speed.")
    return aboard


def _form_group(context: RuleContext, command: Join) -> dict[str, str]:
    """The group mark for joining combatants, if any; also marks a single combatant they join."""
    if not command.group_of:
        return {GROUP: _make_id(context, command)} if command.group and command.count > 1 else {}
    first = context.state[command.group_of]
    if GROUP not in first.marks:
        context.emit(e.Marked(first.id, GROUP, first.id))
    return {GROUP: str(context.state[first.id].marks[GROUP])}


def _make_id(context: RuleContext, command: Join) -> str:
    return make_id("f", command.seed, context.state.made + 1, context.state.combatants)


def _find_sheet(context: RuleContext, command: Join) -> tuple[dict[str, Any], str]:
    if not command.block:
        if not command.sheet:
            raise Refused("bad_value", "Nothing to add: choose a stat block or a character.")
        return command.sheet, clean_name(command.name or str(command.sheet.get("name", "")))
    block = system_of(context).book.find_block(command.block)
    if block is None:
        raise Refused("unknown", "That stat block is not in the library: choose one from the list.")
    return block.sheet, clean_name(command.name or block.name)


def clean_name(name: str) -> str:
    """A cleaned name of 1 to 60 characters; Refused("bad_value") otherwise."""
    name = tidy(name)
    if not 1 <= len(name) <= MAX_LENGTH:
        raise Refused("bad_value", f"A name has 1 to {MAX_LENGTH} characters.")
    return name


def _free_name(state: State, unknown: frozenset[str], name: str, number: bool) -> str:
    taken = {combatant.name for combatant in present(state)}
    if name not in taken and not number:
        return name
    # Beside one without a number, whom players know: a 2 alone would tell of someone unseen
    is_second = any(one.name == name and one.id not in unknown for one in present(state))
    return number_name(name, taken, MAX_LENGTH, first=2 if is_second else 1)


def _join_one(
    context: RuleContext,
    command: Join,
    sheet: dict[str, Any],
    name: str,
    more: dict[str, str],
    unseen: bool,
) -> str:
    """Add one combatant; returns their id."""
    who = _make_id(context, command)
    side = clean_name(command.side)
    try:
        combatant: Combatant = system_of(context).characters.make_combatant(
            who, name, side, sheet, context.state.options
        )
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", f"{name} cannot join with that sheet: {wrong}.") from None
    uses = read_uses(system_of(context), context.state, sheet)
    marks = {**combatant.marks, **read_size(combatant.sheet), **uses, **more}
    if command.source:
        marks["source"] = command.source
    combatant = replace(combatant, counters=read_counters(sheet))
    combatant = replace(combatant, hidden=command.hidden or command.later, pc=command.pc, marks=marks)
    combatant = replace(combatant, at=free_spot(context, command.zone, combatant))
    there = replace(context.state, combatants={**context.state.combatants, who: combatant})
    if unseen and who not in context.system.find_unknown(there):
        combatant = replace(combatant, hidden=True)
    context.emit(e.CombatantJoined(combatant))
    if context.state.phase == "fight" and not command.later:
        system_of(context).turn.enter(context, who)
    return who


def rename(context: RuleContext, command: Rename) -> None:
    """Give a combatant another name or side."""
    combatant = context.state[command.target]
    side = clean_name(command.side or combatant.side)
    was = real_name(combatant)
    name = was if command.name is None else clean_name(command.name)
    if (name, side) == (was, combatant.side):
        raise Refused("not_allowed", f"{name} ({side}) is that already: enter another name or side.")
    set_name(context, combatant, name, side, only_side=name == was)


def set_name(
    context: RuleContext, combatant: Combatant, name: str, side: str, *, only_side: bool = False
) -> None:
    """Change a name, the real one if there is an alias, and a side."""
    set_real_name(context, combatant, name)
    shown = name if combatant.alias is UNSET else combatant.name
    if (shown, side) != (combatant.name, combatant.side):
        context.emit(e.Renamed(combatant.id, shown, side, only_side))


def set_alias(context: RuleContext, command: SetAlias) -> None:
    """Give a combatant an alias, or reveal who it is."""
    combatant = context.state[command.target]
    check_face(command.face)
    if command.alias:
        give_alias(context, combatant, clean_name(command.alias), command.face)
    else:
        reveal(context, combatant)


def remove(context: RuleContext, command: Target) -> None:
    """Remove a combatant and end what is bound to it; those inside it step out before.

    Its place in the order stays while anything is anchored to it.
    """
    combatant = context.state[command.target]
    overrule(context, "gm.leaves", command, combatant.id)
    for rider in find_aboard(context.state, combatant.id):
        _find_aboard(context).step_out(context, rider.id)
    if is_acting(context.state, combatant.id):
        context.emit(e.TurnEnded(combatant.id))
        count_down_at(context, combatant.id, "end")
    context.emit(e.CombatantLeft(combatant.id))
    end_with_source(context, combatant.id, say("why.gone", who=combatant.id))
    if context.state.phase != "fight":
        order = tuple(who for who in context.state.order if who != combatant.id)
        if order != context.state.order:
            context.emit(e.OrderSet(order), to=e.GM_ONLY)


def duplicate(context: RuleContext, command: Duplicate) -> None:
    """Add another combatant with the same sheet, size and face, unhurt; unseen if the first one is."""
    combatant, before = context.state[command.target], context.state.combatants.keys()
    real = {real_name(one) for one in present(context.state)}
    taken = {one.name for one in present(context.state)}
    join(
        context,
        Join(
            sheet=combatant.sheet,
            name=name_copy(combatant.name, taken, MAX_LENGTH),
            side=combatant.side,
            hidden=combatant.hidden,
            zone=zone_id_of(context.state, combatant),
            seed=command.seed,
        ),
        unseen=combatant.id in context.unknown,
    )
    for who in context.state.combatants.keys() - before:
        for key in (SIZE, FACE):
            if context.state[who].marks.get(key) != combatant.marks.get(key):
                context.emit(e.Marked(who, key, combatant.marks.get(key)))
        if combatant.alias is not UNSET:
            copy_alias(
                context, combatant, context.state[who], name_copy(combatant.alias.real, real, MAX_LENGTH)
            )


def zone_id_of(state: State, combatant: Combatant) -> str:
    """The id of the zone that a combatant is in; "" outside all zones."""
    zone = find_zone(state.scene, combatant.at)
    return zone.id if zone else ""


def give_condition(context: RuleContext, command: GiveCondition) -> None:
    """Give a combatant a condition of the game, or one of the GM's own: for some turns, or until removed.

    One of the GM's own counts once: a new one replaces it.
    """
    combatant, characters = context.state[command.target], system_of(context).characters
    if not 1 <= command.level <= 20 or not 0 <= command.turns <= MAX_TURNS:
        raise Refused("bad_value", f"A level is 1 to 20, a duration 0 to {MAX_TURNS} turns.")
    if not command.kind:
        raise Refused("bad_value", "Choose a condition first.")
    own = find_own_condition(context.state, command.kind)
    if own is None and command.kind not in characters.conditions:
        raise Refused("unknown", f"There is no condition “{command.kind}”: choose one from the list.")
    source = context.state[command.by].id if command.by else ""
    label = own.name if own else f"condition.{command.kind}"
    to = e.GM_ONLY if own and own.secret else ""
    overrule(context, "gm.condition", command, combatant.id, to=to, what=label)
    ends = command.turns + is_acting(context.state, combatant.id)  # the turn under way does not count
    until = Until(combatant.id, "end", ends) if command.turns else None
    more: dict[str, Any] = {"level": command.level, "until": until, "by": source}
    if own:
        remove_conditions(context, combatant.id, own.id, why="why.one_is_enough")
        combatant = context.state[combatant.id]
        more |= {"label": own.name, "rule": characters.own_conditions.rule, "own": own}
    add_condition(context, combatant.id, command.kind, **more)
    system_of(context).turn.after_change(context, combatant)


def take_condition(context: RuleContext, command: TakeCondition) -> None:
    """End one condition of a combatant; the game then applies what follows.

    Refused if the combatant's numbers would restore it at once.
    """
    combatant = context.state[command.target]
    held = next((c for c in combatant.conditions if c.id == command.condition), None)
    if held is None:
        raise Refused("unknown", f"{combatant.name} no longer has that condition.")
    to = e.GM_ONLY if held.is_secret else ""
    overrule(context, "gm.end_condition", command, combatant.id, to=to, what=held.label)
    remove_condition(context, combatant.id, held, command.reason or "why.gm")
    system_of(context).turn.after_change(context, combatant)
    others = {other.kind for other in combatant.conditions if other.id != held.id}
    if has_condition(context.state[combatant.id], held.kind) and held.kind not in others:
        track = _find_cause(context, combatant)
        because = f"it follows from {track.label} {say_number(combatant.tracks.get(track.key, 0))}"
        label = context.system.draw(held.label)
        raise Refused("not_allowed", f"{label}: {because}. Change that first.")


def _find_cause(context: RuleContext, combatant: Combatant) -> Track:
    """The number that a condition follows from: the first one used up, else (as where it rises) the first."""
    own = system_of(context).characters.find_tracks(combatant)
    used_up = (track for track in own if combatant.tracks.get(track.key, 0) <= (track.low or 0))
    return own[0] if own[0].rises else next(used_up, own[0])


def place(context: RuleContext, command: Place) -> None:
    """Move a combatant without cost, out of what they are inside; the game then applies what follows."""
    combatant = context.state[command.target]
    if command.x is not None and command.y is not None:
        if not (abs(command.x) <= MAX_NUMBER and abs(command.y) <= MAX_NUMBER):
            raise Refused("bad_value", f"Enter meters from −{MAX_NUMBER} to {MAX_NUMBER}.")
        spot = Point(round(command.x, 3), round(command.y, 3))
        falls = context.state.phase == "fight"  # before it, people are put where they would land
        goal = (over_ground if falls else on_ground)(context.state.scene, spot)
    else:
        goal = free_spot(context, command.zone, combatant)
    put(context, combatant, goal)


def put(context: RuleContext, combatant: Combatant, goal: Point) -> None:
    """Put a combatant at a place, without cost; the game applies what follows, such as a fall into a hole."""
    system, course = system_of(context), placing(combatant, goal)
    leave(context, combatant.id)
    shift(context, course)
    system.turn.after_change(context, combatant)
    if context.state.phase == "fight":
        system.turn.mover.arrive(context, course, system.turn.mover.find(course.way))
        fall_through(context, system.turn.mover, combatant.id)


def hide(context: RuleContext, command: Hide) -> None:
    """Hide a combatant from everyone but the GM, or reveal it to all."""
    combatant = context.state[command.target]
    if combatant.hidden == command.hidden:
        raise Refused(
            "not_allowed", f"{combatant.name} is {'hidden' if combatant.hidden else 'visible'} already."
        )
    context.emit(e.HiddenSet(combatant.id, command.hidden))


def reorder(context: RuleContext, command: Reorder) -> None:
    """Move a combatant in the order of turns."""
    combatant = context.state[command.target]
    rest = [who for who in context.state.order if who != combatant.id]
    if command.after and command.after not in rest:
        raise Refused("unknown", "Choose someone who is in the turn order.")
    spot = rest.index(command.after) + 1 if command.after else 0
    order = (*rest[:spot], combatant.id, *rest[spot:])
    if order == context.state.order:
        raise Refused("not_allowed", f"{combatant.name} is in that place already.")
    set_order(context, order, command, combatant.id)


def set_order(context: RuleContext, order: tuple[str, ...], command: GmCommand, target: str) -> None:
    """Change the order of turns; only viewers for whom it differs learn of it."""
    known = [[who for who in each if who not in context.unknown] for each in (order, context.state.order)]
    if known[0] == known[1]:
        context.emit(e.Overruled(say("gm.order", who=target), command.reason), to=e.GM_ONLY)
    else:
        overrule(context, "gm.order", command, target)
    context.emit(e.OrderSet(order, "why.gm"), to=e.GM_ONLY)


def set_initiative(context: RuleContext, command: SetInitiative) -> None:
    """Set a combatant's score for the order; the game decides whether the order follows."""
    combatant = context.state[command.target]
    if abs(command.score) > MAX_NUMBER:
        raise Refused("bad_value", f"Initiative stays between −{MAX_NUMBER} and {MAX_NUMBER}.")
    overrule(context, "gm.initiative", command, combatant.id)
    context.emit(e.InitiativeSet(combatant.id, command.score))
    if context.state.phase == "fight":
        system_of(context).turn.reseat(context, combatant.id, command.reason or "why.gm")


def give_budget(context: RuleContext, command: GiveBudget) -> None:
    """Set the rest of one pool of a combatant's turn."""
    combatant = context.state[command.target]
    if command.pool not in {pool.key for pool in system_of(context).turn.pools}:
        raise Refused("unknown", f"There are no actions of the kind “{command.pool}”.")
    if not 0 <= command.left <= 20:
        raise Refused("bad_value", "Set actions left to 0 to 20.")
    overrule(context, "gm.budget", command, combatant.id)
    context.emit(e.BudgetSet(combatant.id, {**combatant.budget, command.pool: command.left}))


def resize(context: RuleContext, command: Resize) -> None:
    """Let a combatant cover more of the map, or one square again. They stay where they are."""
    combatant, meters = context.state[command.target], command.metres
    if not (math.isfinite(meters) and 0 <= meters <= MAX_METERS):
        raise Refused("bad_value", f"Enter 0 to {MAX_METERS} meters; 0 is one square.")
    tenths = round(10 * meters)
    if tenths == combatant.marks.get(SIZE, 0):
        raise Refused("not_allowed", f"{combatant.name} has that size already: enter another.")
    context.emit(e.Marked(combatant.id, SIZE, tenths or None))
    key = "log.resized" if tenths else "log.resized_to_one"
    context.emit(e.Said(key, combatant.id, args={"metres": tenths / 10} if tenths else {}))


def begin_session(context: RuleContext, command: GmCommand) -> None:
    """Begin a session: its limited uses, and those of fights, return."""
    _begin(context, command, "gm.new_session", SESSION)


def begin_day(context: RuleContext, command: GmCommand) -> None:
    """Begin a day: its limited uses, and those of fights, return."""
    _begin(context, command, "gm.new_day", DAY)


def _begin(context: RuleContext, command: GmCommand, said: str, span: str) -> None:
    if context.state.phase == "fight":
        raise Refused("not_allowed", "End the fight first.")
    context.emit(e.Overruled(said, command.reason))
    if not renew(context, span, FIGHT, told=True):
        raise Refused("not_allowed", "Nobody has used anything up that would come back.")


# The GM's decisions on who still fights: surrender, going on after it, coming back from death.


def surrender(context: RuleContext, command: Target) -> None:
    """Let a combatant give up: no turns and no actions, until the GM lets them fight on."""
    combatant = context.state[command.target]
    if has_condition(combatant, SURRENDERED):
        raise Refused("not_allowed", f"{combatant.name} has surrendered already.")
    if system_of(context).characters.health(combatant).is_out:
        raise Refused("not_allowed", f"{combatant.name} is out of the fight already: revive them first.")
    add_condition(context, combatant.id, SURRENDERED)
    system_of(context).turn.after_change(context, combatant)


def fight_on(context: RuleContext, command: Target) -> None:
    """Let a combatant who surrendered fight again."""
    combatant = context.state[command.target]
    if not has_condition(combatant, SURRENDERED):
        raise Refused("not_allowed", f"{combatant.name} has not surrendered.")
    remove_conditions(context, combatant.id, SURRENDERED, why=command.reason or "why.gm")
    system_of(context).turn.after_change(context, combatant)


def revive(context: RuleContext, command: Target) -> None:
    """Bring a combatant back who is out: awake, with the least numbers that allow it."""
    combatant, system = context.state[command.target], system_of(context)
    characters, actions = system.characters, system.actions
    if not characters.health(combatant).is_out:
        raise Refused("not_allowed", f"{combatant.name} is not out of the fight: heal them instead.")
    context.emit(e.Said("log.revives", combatant.id))
    remove_conditions(context, combatant.id, *actions.out, why=command.reason or "why.gm")
    for track, least in actions.find_least(combatant).items():
        set_beyond(context, combatant.id, track, 0)
        old = combatant.tracks.get(track, 0)
        if old != least:
            context.emit(e.TrackChanged(combatant.id, track, old, new=least, why=command.reason or "why.gm"))
    system_of(context).turn.after_change(context, combatant)
    if characters.health(context.state[combatant.id]).is_out:
        raise Refused("not_allowed", f"{combatant.name} stays out: repair or heal what is worst first.")


# The GM's decisions about the numbers of combatants: harm, healing, and any other value.


class AdjustTrack(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change a track by `by` points, or set it to `to`."""

    track: str
    by: int = 0
    to: int | None = None


class AdjustEach(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change a track of several combatants by the same number of points."""

    targets: tuple[str, ...]
    track: str
    by: int


def adjust_track(context: RuleContext, command: AdjustTrack) -> Then | None:
    """Set a number of a combatant by decision; the game then applies what follows.

    The game divides points that several numbers share.
    """
    combatant, shared = context.state[command.target], system_of(context).characters.shared_track
    if shared is not None and command.track == shared.key:
        return _change_shared(context, command, shared)
    track, old, new = find_change(system_of(context), context.state, command)
    if abs(new) > MAX_NUMBER:
        raise Refused("bad_value", f"{track.label} stays between −{MAX_NUMBER} and {MAX_NUMBER}.")
    if new == old:
        raise Refused("bad_value", _say_same(combatant, track, command))
    overrule(context, "gm.track", command, combatant.id, what=f"track.{track.key}")
    if command.to is not None:
        set_beyond(context, combatant.id, track.key, 0)
    context.emit(e.TrackChanged(combatant.id, track.key, old, new=new, why=command.reason or "why.gm"))
    system_of(context).turn.after_change(context, combatant)
    return None


def _say_same(combatant: Combatant, track: Track, command: AdjustTrack) -> str:
    """Why a change would change nothing."""
    now = say_number(combatant.tracks.get(track.key, 0))
    if command.to is None and command.by > 0:
        return f"{combatant.name}: {track.label} is at its maximum of {now}; “Set to” goes beyond."
    return f"{combatant.name}: {track.label} is {now} already; enter another number."


def _change_shared(context: RuleContext, command: AdjustTrack, shared: SharedTrack) -> Then | None:
    """Let the game divide points that are lost or given back."""
    if command.to is not None or not 0 < abs(command.by) <= MAX_NUMBER:
        raise Refused("bad_value", f"{shared.label}: enter 1 to {MAX_NUMBER} points of damage or healing.")
    overrule(context, "gm.track", command, command.target, what=f"track.{shared.key}")
    change = shared.harm if command.by < 0 else shared.heal
    return change(context, command.target, abs(command.by), command.reason or "why.gm")


def set_beyond(context: RuleContext, who: str, key: str, points: int) -> None:
    """Remember the harm beyond what a number shows now, after a correction; 0 points forget it."""
    one = context.state[who]
    beyond = f"{points}@{one.tracks.get(key, 0)}" if points else None
    if one.marks.get(f"{BEYOND}{key}") != beyond:
        context.emit(e.Marked(who, f"{BEYOND}{key}", beyond), to=e.GM_ONLY)


def find_beyond(one: Combatant, key: str, full: int) -> int:
    """The harm beyond what a number shows since a correction: below 0 if it shows more harm than was done.

    Once points have come back it counts for nobody who is whole, and never below 0.
    """
    points, _, shown = str(one.marks.get(f"{BEYOND}{key}", "0@0")).partition("@")
    beyond, now = int(points), one.tracks.get(key, full)
    return beyond if now <= int(shown) or (beyond > 0 and now < full) else 0


def find_change(system: System, state: State, command: AdjustTrack) -> tuple[Track, int, int]:
    """The track, its value, and its new value; raises Refused for an unknown track."""
    track = next((t for t in system.characters.tracks if t.key == command.track), None)
    if track is None:
        raise Refused("unknown", f"There is no stat “{command.track}”.")
    combatant = state[command.target]
    old = combatant.tracks.get(track.key, 0)
    return track, old, _find_track(track, old, command, find_most(system, state, combatant, track))


def _find_track(track: Track, old: int, command: AdjustTrack, most: int | None) -> int:
    """The new value of a track. A change stops at the track's lowest value, and healing at the maximum."""
    least = -MAX_NUMBER - 1 if track.low is None else track.low
    if command.to is None and command.by > 0 and most is not None:
        return max(old, min(most, old + command.by))
    if command.to is None:
        return max(least, old + command.by)
    if command.to < least:
        raise Refused("bad_value", f"{track.label} does not go below {say_number(least)}.")
    return command.to


def adjust_each(context: RuleContext, command: AdjustEach) -> None:
    """Change a number of several combatants by one step of the log.

    A combatant at the limit already is skipped, unless all are.
    """
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
    shared = system_of(context).characters.shared_track
    if shared is not None and command.track == shared.key:
        return True
    _, old, new = find_change(system_of(context), context.state, command)
    return new != old
