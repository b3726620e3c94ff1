"""A fight step by step: the map of a step, its card, the log around it, and a track of rounds and turns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from combat.display.combatants.tokens import Look
from combat.display.log_view import mark_of, names_of, tell_step, view_log
from combat.display.shapes.result_shapes import ResultView
from combat.display.shapes.scene_shapes import Token
from combat.display.shapes.table_shapes import CombatantView
from combat.play.writing.step_cache import find_rows
from combat.play.writing.verification import read_step
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.space import plot
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.wording import find_defenses
from combat.sharing.viewer_context import ViewerContext

from ..report.replay import Moment, find_beginning, find_moment
from ..table.result_view import MISSES, find_tone, view_result
from ..table.shapes import describe_time, find_steps
from .rounds import LogLine, LogRound, LogTurn, Part, find_parts, find_rounds, find_standing

BESIDE = 5  # rounds before and after the present one whose turns the track shows
LINES_BEFORE, LINES_AFTER = 3, 16
SPEEDS = (("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"))


@dataclass(frozen=True)
class Cell:
    """A turn on the track: whose, what it came to, and its first step."""

    name: str
    look: Look | None
    marks: tuple[str, ...]
    at: int
    is_now: bool
    is_later: bool


@dataclass(frozen=True)
class TrackRound:
    """A round on the track; one that is far away has no cells. `at` is its first step."""

    part: Part
    at: int
    cells: tuple[Cell, ...]
    is_now: bool


@dataclass(frozen=True)
class Stroke:
    """A line on the map in meters: a way or a strike, with its side or what it came to as a class."""

    x1: float
    y1: float
    x2: float
    y2: float
    tone: str


def view_replay(context: ViewerContext, asked: str) -> dict[str, Any] | None:
    """What the page of a step shows; None if there is no such step. Without a number it is the beginning."""
    moment = find_moment(context, read_count(asked) if asked else find_beginning(context))
    if moment is None:
        return None
    people = {one.id: one for one in moment.combatants}
    parts = find_parts(context)
    rounds = _find_near(context, parts, moment, people)
    track = tuple(_view_track(context, parts, rounds, moment))
    lines = [line for one in rounds for turn in one.turns for line in turn.lines]
    return {
        "moment": moment,
        "time": describe_time(moment.state.clock) if moment.round else "",
        "acting": next((one for one in moment.combatants if one.active), None),
        "card": _find_card(context, moment, people),
        "mark": mark_of(moment.row, context.viewer) if moment.row else "",
        "may_branch": _may_branch(context, moment),
        "ways": tuple(_find_ways(moment)),
        "strikes": tuple(_find_strikes(context, moment)),
        "track": track,
        "speeds": SPEEDS,
        "lines": _find_around(lines, moment.number),
    }


def _may_branch(context: ViewerContext, moment: Moment) -> bool:
    """Whether the viewer can begin a branch after the step, as the log offers it."""
    viewer, row = context.viewer, moment.row
    if row is None or not (viewer.is_gm or viewer.is_seated):
        return False
    return viewer.is_gm or (row.kind == COMMAND and not row.struck)


def _find_near(
    context: ViewerContext, parts: tuple[Part, ...], moment: Moment, people: Mapping[str, CombatantView]
) -> list[LogRound]:
    """The rounds around a step, with their lines."""
    if not parts:
        return []
    number = moment.row.number if moment.row else 0
    now = max((part.place for part in parts if part.at <= number), default=0)
    near = parts[max(0, now - BESIDE) : now + BESIDE + 1]
    steps = find_steps(context).order_by("number").filter(number__gte=near[0].at)
    if near[-1] != parts[-1]:
        steps = steps.filter(number__lt=parts[near[-1].place + 1].at)
    rows = find_rows(steps)
    return find_rounds(context, parts, rows, log=view_log(context, rows), combatants=people)


def _view_track(
    context: ViewerContext, parts: tuple[Part, ...], rounds: list[LogRound], moment: Moment
) -> Iterator[TrackRound]:
    near, number = {one.part.place: one for one in rounds}, moment.number
    standing = [] if context.viewer.is_gm else find_standing(context)
    turns = [turn for one in rounds for turn in one.turns]
    now = next((turn for turn in reversed(turns) if any(line.at == number for line in turn.lines)), None)
    for part in parts:
        shown = near.get(part.place)
        cells = tuple(_view_cells(shown.turns, now, number)) if shown else ()
        at = part.at if context.viewer.is_gm else min(bisect_left(standing, part.at) + 1, len(standing))
        yield TrackRound(part, at, cells, any(cell.is_now for cell in cells))


def _view_cells(turns: list[LogTurn], now: LogTurn | None, number: int) -> Iterator[Cell]:
    for turn in turns:
        steps = [line.at for line in turn.lines if line.at is not None]
        if steps:
            is_now = turn is now
            yield Cell(
                turn.name,
                turn.look,
                turn.marks,
                at=steps[0],
                is_now=is_now,
                is_later=steps[0] > number and not is_now,
            )


def _find_around(lines: list[LogLine], number: int) -> list[LogLine]:
    """The lines of a step with those before and after it."""
    at = next((n for n, line in enumerate(lines) if line.at is not None and line.at >= number), len(lines))
    return lines[max(0, at - LINES_BEFORE) : at + LINES_AFTER]


def _find_card(
    context: ViewerContext, moment: Moment, people: Mapping[str, CombatantView]
) -> ResultView | None:
    """The card of the step, if the viewer may see a roll in it."""
    row = moment.row
    if row is None or row.kind != COMMAND:
        return None
    return view_result(context, read_step(row), mark_of(row, context.viewer), people)


def _find_ways(moment: Moment) -> Iterator[Stroke]:
    """From where the tokens of a map came in a step, as far as the viewer may know where they were."""
    people = moment.state.combatants
    for token in moment.scene.tokens:
        was = moment.before.combatants.get(token.id)
        if was and not was.hidden and not token.seated and was.at != people[token.id].at:
            yield Stroke(*plot(was.at.x, was.at.y, moment.scene.hexes), *token.spot, token.look.tone)


def _find_strikes(context: ViewerContext, moment: Moment) -> Iterator[Stroke]:
    """Who rolled against whom in a step, between their tokens, once for each two."""
    if moment.row is None or moment.row.kind != COMMAND:
        return
    names = tuple(names_of(context.known_state).items())
    told = tell_step(read_step(moment.row), context.system.slug, context.viewer, names)
    tokens: dict[str, Token] = {token.id: token for token in moment.scene.tokens}
    found, events = {}, [fact.event for fact in told.facts]
    defended = find_defenses(events)
    for place, check in enumerate(events):
        if isinstance(check, e.Checked) and check.who != check.target:
            a, b = tokens.get(check.who), tokens.get(check.target)
            if a and b:
                found[check.who, check.target] = Stroke(
                    *a.spot, *b.spot, MISSES if place in defended else find_tone(check)
                )
    yield from found.values()
