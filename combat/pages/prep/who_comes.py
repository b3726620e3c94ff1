"""Who comes? A table as it is rolled on: ranges with their chances, faces, how dangerous; the sealed roll."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.audience.things import TABLE
from combat.display.combatants.cards import Danger
from combat.play.campaigns import random_tables
from combat.play.campaigns.random_tables import RandomTable, Row
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.player_dice import read_term
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx, see_other

from ..table.rows import find_people
from .odds_view import begin_line, find_party_state, read_danger
from .people_view import GroupView, LineReader, keep_notes, make_line_reader

OWN, READY = "own", "ready"
CAME, MOST_KEPT = "came", 6  # in a session: what was rolled, by encounter, newest first
WIDE, TALL, MOST_LABELED, MOST_BARS = 260, 56, 20, 130  # of the chart, and the bars that have a label


@dataclass(frozen=True)
class Bar:
    """How often a number comes up, as a bar of the chart: its place, the class of its color, its label."""

    x: float
    y: float
    width: float
    height: float
    tone: str
    label: str = ""
    is_now: bool = False

    @property
    def middle(self) -> float:
        """Where the label stands."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True)
class Line:
    """A line of a table: its range, how often it comes up, who comes, and how dangerous they are."""

    row: Row
    percent: float
    groups: tuple[GroupView, ...] = ()
    is_nobody: bool = False
    danger: Danger | None = None
    is_now: bool = False

    @property
    def chance(self) -> str:
        """The chance in words: whole percent, or one decimal below ten."""
        return f"{self.percent:.0f}%" if self.percent >= 9.5 else f"{self.percent:.1f}%".replace(".0%", "%")

    @property
    def tone(self) -> str:
        """The class of its color in the chart."""
        return "is-none" if self.is_nobody else self.danger.tone if self.danger and self.danger.level else ""

    @property
    def about(self) -> str:
        """What they are and carry, of all groups."""
        return "; ".join(group.about for group in self.groups)


@dataclass(frozen=True)
class TableView:
    """A table to roll on: its key, its dice, its lines, and the bars of its chart."""

    key: str
    name: str
    dice: str
    lines: tuple[Line, ...]
    bars: tuple[Bar, ...]


def count_chances(dice: str) -> dict[int, float]:
    """The chance of each total, in percent."""
    ways = read_term(dice).count_ways()
    every = sum(ways.values())
    return {total: 100 * times / every for total, times in ways.items()}


def view_lines(table: RandomTable) -> tuple[Line, ...]:
    """The lines of a table with their chances."""
    chances = count_chances(table.dice)
    return tuple(
        Line(
            row,
            sum(chances.get(total, 0) for total in range(row.low, row.high + 1)),
            is_nobody=random_tables.is_nobody(row.words),
        )
        for row in table.rows
    )


def draw_bars(dice: str, lines: Iterable[Line], now: int | None = None) -> tuple[Bar, ...]:
    """The chart of a table: a bar for each total, in the color of its line."""
    chances = count_chances(dice)
    tones = [(line.row.low, line.row.high, line.tone) for line in lines]
    wide, most = WIDE / len(chances), max(chances.values())
    ends = {min(chances), max(chances), now}
    if len(chances) > MOST_BARS:
        return ()
    bars = []
    for place, (total, chance) in enumerate(sorted(chances.items())):
        tall = round(max(1.0, TALL * chance / most), 1)
        tone = next((tone for low, high, tone in tones if low <= total <= high), "")
        label = str(total) if len(chances) <= MOST_LABELED or total in ends else ""
        bars.append(
            Bar(
                round(place * wide + wide * 0.08, 1),
                round(TALL - tall, 1),
                round(wide * 0.84, 1),
                tall,
                tone,
                label,
                is_now=total == now,
            )
        )
    return tuple(bars)


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def roll_for_people(request: HttpRequest, pk: int) -> HttpResponse:
    """A table to roll on; a POST rolls in secret, puts what came into the notes, or measures danger."""
    context, status = find_gm_context(request, pk), 200
    tables, campaign = _find_tables(context)
    asked = request.POST if request.method == "POST" else request.GET
    chosen = tables.get(asked.get("table", ""))
    if request.method == "POST":
        do = request.POST.get("do", "roll")
        if do == "notes":
            return _put_into_notes(request, pk)
        try:
            if chosen is None:
                raise Refused("bad_value", "Choose a table: that one is not here.")
            if do == "roll":
                _roll(request, context, chosen, asked["table"])
                return _lead_back(pk, asked["table"])
            _measure(request, context, chosen)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    key = asked["table"] if chosen else next(iter(tables), "")
    shown = {
        "encounter": context.encounter,
        "system": context.system,
        "tabs": [(one, table.name, one.startswith(OWN)) for one, table in tables.items()],
        "is_owner": campaign is not None,
        **(_view(request, context, tables[key], key) if key else {}),
    }
    part = "combat/prep/who/table.html" if is_htmx(request) and key else "combat/prep/who_comes.html"
    return render(request, part, shown, status=status)


def _find_tables(context: ViewerContext) -> tuple[dict[str, RandomTable], Any]:
    """The tables that can be rolled on by key, those of the campaign first, and the campaign."""
    campaign = context.find_campaign(TABLE)
    own = random_tables.find_tables(campaign) if campaign else []
    ready = random_tables.find_ready_tables(context.system)
    tables = {f"{OWN}:{one.name}": one for one in own}
    return tables | {f"{READY}:{one.name}": one for one in ready}, campaign


def _view(request: HttpRequest, context: ViewerContext, table: RandomTable, key: str) -> dict[str, Any]:
    """A table for the party of an encounter, and what was rolled."""
    rolled = _find_rolled(request, context.encounter.pk)
    came = rolled[0] if rolled and rolled[0]["table"] == key else None
    party = find_party_state(context)
    reader = make_line_reader(request, context)
    lines = [_view_line(reader, context, line, came) for line in view_lines(table)]
    people, found = find_people(context), party.combatants if party else {}
    unmeasured = [line for line in lines if line.groups and not line.danger]
    return {
        "table": TableView(
            key,
            table.name,
            table.dice,
            tuple(lines),
            draw_bars(table.dice, lines, came["total"] if came else None),
        ),
        "came": came,
        "came_line": next((line for line in lines if line.is_now), None),
        "before": rolled[1:] if came else rolled,
        "party": [people[who] for who in found if who in people],
        "is_measuring": any(line.danger and line.danger.running for line in lines),
        "unmeasured": len(unmeasured) if party else 0,
        "measures": request.POST.get("do") == "measure",
    }


def _view_line(
    reader: LineReader, context: ViewerContext, line: Line, came: Mapping[str, Any] | None
) -> Line:
    """A line with who comes, and how dangerous they are as far as it was measured."""
    is_now = came is not None and line.row.low <= came["total"] <= line.row.high
    if line.is_nobody:
        return Line(line.row, line.percent, is_nobody=True, is_now=is_now)
    groups = reader.read(line.row.words)[0]
    danger = read_danger(context, name_line(line.row.words)) if groups else None
    return Line(line.row, line.percent, groups, danger=danger, is_now=is_now)


def name_line(words: str) -> str:
    """The key of a line among those whose danger is measured."""
    return f"line {words}"


def _measure(request: HttpRequest, context: ViewerContext, table: RandomTable) -> None:
    """Begin to measure the next lines of a table, a few at a time."""
    left = [row.words for row in table.rows if not random_tables.is_nobody(row.words)]
    reader, begun = make_line_reader(request, context), 0
    for words in dict.fromkeys(left):
        if begun < 2 and not read_danger(context, name_line(words)):
            begun += begin_line(context, name_line(words), reader.read(words)[1])


def _roll(request: HttpRequest, context: ViewerContext, table: RandomTable, key: str) -> None:
    """Roll in secret, and keep what came in the session of the GM; raises Refused."""
    pk = context.encounter.pk
    total, row, faces = random_tables.roll_on(pk, table, by=context.name, grant=context.grant)
    came = {
        "table": key,
        "name": table.name,
        "dice": table.dice,
        "total": total,
        "faces": list(faces),
        "words": row.words,
        "nobody": random_tables.is_nobody(row.words),
    }
    kept = request.session.get(CAME, {})
    request.session[CAME] = kept | {str(pk): [came, *kept.get(str(pk), [])][:MOST_KEPT]}


def _find_rolled(request: HttpRequest, pk: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = request.session.get(CAME, {}).get(str(pk), [])
    return found


def _put_into_notes(request: HttpRequest, pk: int) -> HttpResponse:
    """Put the line that came last into the notes of the encounter."""
    rolled = _find_rolled(request, pk)
    words = rolled[0]["words"] if rolled and not rolled[0]["nobody"] else ""
    if words:
        keep_notes(request, pk, words)
    answer = see_other("prep", pk)
    answer["Location"] += "#people"
    return answer


def _lead_back(pk: int, key: str) -> HttpResponse:
    answer = see_other("prep_who", pk)
    answer["Location"] += f"?{urlencode({'table': key})}#came"
    return answer
