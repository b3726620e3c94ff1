"""The clocks of a table and the timer of a turn, as one viewer sees them."""

from __future__ import annotations

from datetime import datetime
from math import cos, pi, sin

import msgspec

from combat.audience.changes import is_held_back
from combat.audience.viewer import Viewer
from combat.display.shapes.clock_shapes import ActView, ClockChoices, ClocksView, ClockView
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.play.writing.cached_steps import find_rows
from combat.play.writing.verification import read_step
from combat.rules.core.declaration.actions import Actions
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.clocks import AFTER, ALL, AT_SCORE, AT_START, GM, MAX_CLOCKS, SOME
from combat.rules.core.gm.happenings import find_next_round
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import Clock, Happening, State, present
from combat.sharing.viewer_context import ViewerContext

RADIUS = 10  # of a dial, in units of its drawing


def view_clocks(system: System, state: State, viewer: Viewer) -> ClocksView:
    """The clocks that a viewer sees; the GM also gets all that their forms need."""
    people = tuple((one.id, one.name) for one in present(state) if one.pc and viewer.is_gm)
    clocks = tuple(_view_clock(clock, system, state, viewer) for clock in state.all_clocks)
    choices = _find_choices(system, state) if viewer.is_gm and clocks else None
    return ClocksView(clocks, people, can_add=viewer.is_gm and len(clocks) < MAX_CLOCKS, choices=choices)


def _find_choices(system: System, state: State) -> ClockChoices:
    characters = system.characters
    shared = (characters.shared_track,) if characters.shared_track else ()
    return ClockChoices(
        tuple((one.id, one.name) for one in present(state)),
        tuple((zone.id, zone.name) for zone in state.scene.zones),
        tuple((track.key, track.label) for track in (*shared, *characters.tracks)),
        (
            *((one.kind, one.label) for one in characters.conditions.values() if one.for_gm),
            *((own.id, own.name) for own in state.all_own_conditions),
        ),
    )


def _view_act(acts: Happening, system: System, state: State, viewer: Viewer) -> ActView:
    """When a clock acts; for the GM also what it does, and the values of its form."""
    one = state.combatants.get(acts.after)
    where = f"after {one.name}" if one else "as a round begins" if acts.at is None else f"at {acts.at}"
    turn = find_next_round(state, acts)
    often = f", every {acts.every} rounds" if acts.every > 1 else "" if acts.every else ", once"
    begins = f", next in round {turn}" if turn and (turn > max(state.round, 1) or acts.every > 1) else ""
    when = f"acts {where}{often}{begins}" if turn else f"acted {where}"
    shown = ActView(when, turn=_say_turn(state, turn), at=acts.at, after=acts.after)
    if not viewer.is_gm:
        return shown
    known = dict(_find_choices(system, state).conditions)
    does = [acts.note, f"handout {acts.handout}" if acts.handout else ""]
    does += [f"{acts.harm} damage" if acts.harm else "", known.get(acts.condition, "")]
    kind = AFTER if acts.after else AT_START if acts.at is None else AT_SCORE
    fields = {**msgspec.structs.asdict(acts), "acts": kind, "score": acts.at or 0}
    fields = {key: one for key, one in fields.items() if one is not None}
    return msgspec.structs.replace(shown, does=" · ".join(filter(None, does)), fields=fields)


def _say_turn(state: State, turn: int | None) -> str:
    if not turn or state.phase != "fight":
        return ""
    return "acts this round" if turn == max(state.round, 1) else f"acts in round {turn}"


def weave_clocks(
    rows: tuple[CombatantView, ...], clocks: tuple[ClockView, ...]
) -> tuple[CombatantView | ClockView, ...]:
    """The rows in the order of turns with those of the clocks that act between them.

    A clock after someone whom the viewer does not know has no row.
    """
    found: list[CombatantView | ClockView] = []
    spots = {clock.id: _find_spot(rows, clock.acts) for clock in clocks if clock.acts and clock.acts.turn}
    for number in range(len(rows) + 1):
        found += [clock for clock in clocks if spots.get(clock.id) == number]
        found += rows[number : number + 1]
    return tuple(found)


def _find_spot(rows: tuple[CombatantView, ...], acts: ActView) -> int | None:
    """How many rows come before a clock."""
    if acts.after:
        return next((n for n, row in enumerate(rows, 1) if row.id == acts.after), None)
    if acts.at is None:
        return 0
    before = (n for n, row in enumerate(rows, 1) if row.initiative is not None and row.initiative >= acts.at)
    return max(before, default=0)


def _view_clock(clock: Clock, system: System, state: State, viewer: Viewer) -> ClockView:
    shown = {e.EVERYONE: ALL, e.GM_ONLY: GM}.get(clock.to, SOME)
    who = e.seats_of(clock.to)
    names = ", ".join(one.name for one in present(state) if one.id in who)
    return ClockView(
        id=clock.id,
        name=clock.name,
        size=clock.size,
        filled=clock.filled,
        each_round=clock.each_round,
        veiled=clock.veiled,
        shown=shown,
        who=who,
        audience={ALL: "", GM: "only you"}.get(shown, names),
        lines=_draw_lines(clock.size),
        acts=_view_act(clock.acts, system, state, viewer) if clock.acts else None,
    )


def _draw_lines(size: int) -> tuple[tuple[float, float], ...]:
    """The outer ends of the lines between segments; the first is at the top."""
    turns = (2 * pi * n / size for n in range(size))
    return tuple((round(RADIUS * sin(turn), 2), round(-RADIUS * cos(turn), 2)) for turn in turns)


def view_timer(context: ViewerContext) -> dict[str, int] | None:
    """When the turn began, in milliseconds, and how long it should take; None without a timer.

    It is also None in a pause, and if the viewer does not see who acts. A turn of someone unseen begins for
    those alone who know of it.
    """
    state, began = context.known_state, context.encounter.turn_began
    if state.phase != "fight" or state.is_paused or began is None or not (state.active or state.sharing):
        return None
    seconds = int(context.system.option(state, "turn_seconds"))
    if not seconds:
        return None
    began = began if context.unseen_turn else max(began, _find_unseen_began(context) or began)
    return {"seconds": seconds, "began": int(began.timestamp() * 1000)}


def _find_unseen_began(context: ViewerContext) -> datetime | None:
    """When the turn began, if not everybody may know of it."""
    passed = StoredStep.objects.filter(encounter=context.encounter, name=Actions.advance, struck=False)
    row = next(iter(find_rows(passed.filter(kind=COMMAND).order_by("-number")[:1])), None)
    return row.created if row and is_held_back(read_step(row), Viewer()) else None
