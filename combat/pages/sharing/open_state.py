"""The state of a table as JSON, for other programs with a spectator link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.audience.doors import is_closed
from combat.audience.viewer import Viewer
from combat.display.log_view import view_log
from combat.display.shapes.table_shapes import CombatantView, LogStep
from combat.models import ShareLink
from combat.rules.core.space import BattleMap, map_of
from combat.rules.core.space.decks import Deck, find_deck, find_known_ends
from combat.rules.core.state.state import Combatant, is_acting
from combat.rules.core.wording import Line
from combat.sharing.closed import CLOSED
from combat.sharing.links import find_link
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import answer_problem

from ..table.rows import view_known
from ..table.shapes import describe_time, recent_steps

STEPS = 30  # of the log, the newest
GONE = "This link is no longer valid: ask the GM for a new one."
NOT_TO_WATCH = "This link is not for spectators: ask the GM for a spectator link."


class OpenHealth(msgspec.Struct, frozen=True):
    """Health as the table shows it: a word, the percentage left, the number or an empty text."""

    word: str
    percent: int
    number: str


class OpenCondition(msgspec.Struct, frozen=True):
    """A condition and what ends it."""

    name: str
    ends: str


class OpenCounter(msgspec.Struct, frozen=True):
    """A counter of a combatant that you see; it refills each "round", "turn" or "scene", or by "hand".

    Your own is spent with the action `spend_counter`, its id as the field `counter` and a number `by`.
    """

    id: str
    name: str
    left: int
    most: int
    refills: str


class OpenPlace(msgspec.Struct, frozen=True):
    """A place in meters."""

    x: float
    y: float


class OpenCombatant(msgspec.Struct, frozen=True):
    """A combatant that spectators know of; `health` is null where the table tells nothing of it.

    `zone` is a name; `deck` is an id, empty for a scene without decks.
    """

    id: str
    name: str
    side: str
    initiative: int | None
    health: OpenHealth | None
    conditions: tuple[OpenCondition, ...]
    counters: tuple[OpenCounter, ...]
    zone: str
    deck: str
    at: OpenPlace
    out: bool
    acted: bool


class OpenZone(msgspec.Struct, frozen=True):
    """A zone of the scene."""

    id: str
    name: str


class OpenDeck(msgspec.Struct, frozen=True):
    """A deck of the scene; `height` is that of its floor, in meters."""

    id: str
    name: str
    height: float


class OpenWay(msgspec.Struct, frozen=True):
    """A way between two decks: where it begins on each, the lower one first.

    Its `id` is the field `way` of the action `way`. Nobody walks a "gallery". `leads` is "up" or "down"
    where you have not seen yet to which deck: then only one deck and one end are there. Else it is empty.
    """

    id: str
    kind: str
    name: str
    open: bool
    decks: tuple[str, ...]
    ends: tuple[OpenPlace, ...]
    leads: str = ""


class OpenRoll(msgspec.Struct, frozen=True):
    """The dice of a line and their total, with all modifiers."""

    dice: str
    faces: tuple[int, ...]
    total: int | None


class OpenLine(msgspec.Struct, frozen=True):
    """A line of the log; `against` is the number that the roll had to reach."""

    round: int
    text: str
    rule: str
    undone: bool
    tone: str
    roll: OpenRoll | None
    against: int | None


class OpenState(msgspec.Struct, frozen=True):
    """The present state for one viewer. Meters, points, rounds; labels are the words of the pages."""

    format: Literal["cosmos-table-state"]
    version: Literal[1]
    name: str
    game: str
    rules: int
    phase: str
    paused: bool
    round: int
    elapsed: str
    active: tuple[str, ...]
    order: tuple[str, ...]
    combatants: tuple[OpenCombatant, ...]
    zones: tuple[OpenZone, ...]
    decks: tuple[OpenDeck, ...]
    ways: tuple[OpenWay, ...]
    log: tuple[OpenLine, ...]


class Hello(msgspec.Struct, frozen=True):
    """What a stream of events says first."""

    format: Literal["cosmos-table-events"]
    version: Literal[1]


def write_state(context: ViewerContext) -> OpenState:
    """The present state for one viewer."""
    state, system = context.known_state, context.system
    views, drawn = view_known(context), map_of(context.known_state.scene)
    people = [(state.combatants[who], view) for who, view in views.items()]
    log = view_log(context, reversed(recent_steps(context, STEPS)), context.told_lately)
    return OpenState(
        format="cosmos-table-state",
        version=1,
        name=context.encounter.name,
        game=system.slug,
        rules=state.rules,
        phase=state.phase,
        paused=state.is_paused,
        round=state.round,
        elapsed=describe_time(state.clock),
        active=tuple(f.id for f, _ in people if is_acting(state, f.id)),
        order=tuple(who for who in state.order if who in state.combatants),
        combatants=tuple(_write_combatant(*one, drawn.decks) for one in people),
        zones=tuple(OpenZone(zone.id, zone.name) for zone in state.scene.zones),
        decks=tuple(OpenDeck(deck.id, deck.name, deck.height) for deck in drawn.decks),
        ways=tuple(_write_ways(drawn)),
        log=tuple(write_line(step, line) for step in log for line in step.lines),
    )


def _write_ways(drawn: BattleMap) -> Iterator[OpenWay]:
    for way in drawn.ways:
        spots = find_known_ends(way)
        decks = [deck for spot in spots if (deck := find_deck(drawn.decks, *spot))]
        if len(decks) == len(spots):
            yield OpenWay(
                way.id,
                way.kind,
                way.name,
                open=way.open,
                decks=tuple(deck.id for deck in decks),
                ends=tuple(OpenPlace(*spot) for spot in spots),
                leads=way.blind,
            )


def _write_combatant(combatant: Combatant, view: CombatantView, decks: tuple[Deck, ...]) -> OpenCombatant:
    health, told = view.health, None
    deck = find_deck(decks, combatant.at.x, combatant.at.y)
    if health.shown:
        told = OpenHealth(health.word, health.percent, health.number)
    return OpenCombatant(
        id=view.id,
        name=view.name,
        side=view.side,
        initiative=view.initiative,
        health=told,
        conditions=tuple(OpenCondition(chip.label, chip.ends) for chip in view.chips),
        counters=tuple(
            OpenCounter(one.id, one.label, one.left, most=one.most, refills=one.refills)
            for one in view.counters
        ),
        zone=view.zone,
        deck=deck.id if deck else "",
        at=OpenPlace(combatant.at.x, combatant.at.y),
        out=view.is_out,
        acted=view.acted,
    )


def write_line(step: LogStep, line: Line) -> OpenLine:
    """A line of the log as other programs read it."""
    roll = OpenRoll(line.roll.dice, line.roll.faces, line.total) if line.roll else None
    return OpenLine(
        step.round,
        line.text,
        line.rule,
        undone=step.is_undone,
        tone=line.tone,
        roll=roll,
        against=line.against,
    )


@require_http_methods(["GET", "HEAD"])
def show_state(request: HttpRequest, token: str) -> HttpResponse:
    """What a spectator sees, by a spectator link. 304 if nothing has changed; 404 without a link."""
    link = find_link(token)
    if link is None:
        return _open(answer_problem(404, "unknown", GONE))
    if link.kind != ShareLink.WATCH:
        return _open(answer_problem(403, "not_allowed", NOT_TO_WATCH))
    context = ViewerContext(link.encounter, Viewer())
    if is_closed(context.encounter, context.viewer):
        return _open(answer_problem(403, "not_allowed", CLOSED))
    tag = f'"{context.stamp}"'
    if request.headers.get("If-None-Match") == tag:
        return _mark(HttpResponse(status=304), tag)
    return _mark(HttpResponse(msgspec.json.encode(write_state(context)), "application/json"), tag)


def _open(answer: HttpResponse) -> HttpResponse:
    answer["Access-Control-Allow-Origin"] = "*"  # the token is the right to read it; cookies do not count
    return answer


def _mark(answer: HttpResponse, tag: str) -> HttpResponse:
    answer["ETag"] = tag
    answer["Cache-Control"] = "no-cache"
    answer["Access-Control-Expose-Headers"] = "ETag"
    return _open(answer)


@require_http_methods(["GET", "HEAD"])
def explain(request: HttpRequest) -> HttpResponse:
    """How other programs read a table."""
    return render(request, "combat/sharing/open_state.html", {"command": settings.COMMAND})
