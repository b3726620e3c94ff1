"""A forecast as pages show it: chances, how sure they are, how long fights last, who falls in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.display.combatants.tokens import Look, find_tones
from combat.display.map.scene import view_present_scene
from combat.display.shapes.table_shapes import CombatantView
from combat.play.whatif import branches, forecast_jobs
from combat.play.whatif.forecast_jobs import FIGHTS, Change, Job, list_changes, try_out
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.forecast import CLOSE, Ending, Outcome, find_margin, is_undecided
from combat.rules.core.sides import standing_sides
from combat.rules.core.state.state import State
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.caching import outage
from cosmos_site.base.forms import SiteForm, is_htmx, set_choices

from ..prep.odds_view import UNDECIDED, PrepOdds, list_outcomes, make_odds, say_outcome
from ..table.rows import view_known
from .branch_view import PRESENT, find_origin, find_start

NOBODY = "No winner"
WIDTH, HEIGHT = 600, 200  # of the picture of the curve, in its own units
MAX_POINTS = 100  # of a curve
TALLEST = 112  # px: the highest bar of the rounds
MAX_BARS = 12  # of rounds
STEPS = (1, 2, 5, 10)  # rounds that one bar can count together
ROWS = (10, 25, 50, 100, 250, 500)  # fights in the table of numbers, besides the last
PLANNED, ROUNDS = "planned", 8  # rounds to choose from


@dataclass(frozen=True)
class ChanceBar:
    """A chance in percent, and the margin around it; `look` is the face it is about, if any."""

    label: str
    tone: str
    percent: int
    low: int
    high: int
    look: Look | None = None

    @property
    def margin(self) -> str:
        """ "61–67%", or one number if both are the same."""
        return f"{self.low}%" if self.low == self.high else f"{self.low}\N{EN DASH}{self.high}%"

    @property
    def width(self) -> int:
        """The drawn width of its margin in percent: at least 1, to be visible."""
        return max(1, self.high - self.low)


@dataclass(frozen=True)
class Curve:
    """How the chance of one side converges: line and margin as paths, and where the line ends.

    `half` and `last` are the numbers of fights at the middle and the end of the picture.
    """

    tone: str
    line: str
    band: str
    x: float
    y: float
    half: int
    last: int


@dataclass(frozen=True)
class Row:
    """The chances after this number of fights, one for each outcome."""

    fights: int
    chances: tuple[ChanceBar, ...]


@dataclass(frozen=True)
class RoundBar:
    """How many percent of the fights end in these rounds; `x` is its place in percent, heights are in px."""

    label: str
    percent: int
    x: float
    height: float
    is_top: bool

    @property
    def y(self) -> float:
        """The top of the bar in px, below the room for its number."""
        return TALLEST - self.height + 18


@dataclass(frozen=True)
class RoundsView:
    """How long the fights last; `step` rounds in each bar. `usual`: where the middle half of them ends."""

    mean: str
    bars: tuple[RoundBar, ...]
    step: int
    usual: str
    words: str

    @property
    def width(self) -> float:
        """The width of each bar with its gap, in percent."""
        return 100 / len(self.bars)


@dataclass(frozen=True)
class ForecastView:
    """Everything shown of a forecast with at least one fight."""

    odds: PrepOdds
    wins: tuple[ChanceBar, ...]
    falls: tuple[ChanceBar, ...]
    curve: Curve
    rows: tuple[Row, ...]
    rounds: RoundsView


def view_forecast(
    job: Job, tones: Mapping[str, str], people: Mapping[str, CombatantView] | None = None
) -> ForecastView:
    """A forecast with at least one fight; `tones` are the colours of the sides, `people` have the faces."""
    counts = {outcome: _count_up(job.endings, outcome) for outcome in list_outcomes(job)}
    odds = make_odds(job, tones)
    first = next((side for side in job.sides if side == odds.first.label), "")
    return ForecastView(
        odds,
        tuple(_view_outcome(outcome, tones, times, job.done) for outcome, times in counts.items()),
        _view_falls(job, tones, people or {}),
        curve=_draw_curve(tones.get(first, ""), counts[Outcome(first)], max(job.done, job.needed)),
        rows=tuple(
            Row(n, tuple(_view_outcome(outcome, tones, times, n) for outcome, times in counts.items()))
            for n in (*(n for n in ROWS if n < job.done), job.done)
        ),
        rounds=_view_rounds(job.endings),
    )


def _count_up(endings: list[Ending], outcome: Outcome) -> list[int]:
    """How many of the first 0, 1, 2… fights came to this outcome."""
    return list(accumulate((ending.outcome == outcome for ending in endings), initial=0))


def _view_outcome(outcome: Outcome, tones: Mapping[str, str], times: list[int], fights: int) -> ChanceBar:
    return view_chance(say_outcome(outcome, NOBODY), tones.get(outcome.side, ""), times[fights], fights)


def view_chance(label: str, tone: str, times: int, fights: int, look: Look | None = None) -> ChanceBar:
    """A chance by how often something came in so many fights."""
    low, high = find_margin(times / fights, fights)
    return ChanceBar(
        label, tone, round(100 * times / fights), low=round(100 * low), high=round(100 * high), look=look
    )


def _view_falls(
    job: Job, tones: Mapping[str, str], people: Mapping[str, CombatantView]
) -> tuple[ChanceBar, ...]:
    """The chances to drop, by side, the most endangered first; not of those who are down already."""
    dropped = Counter(who for ending in job.endings for who in ending.dropped)
    order = {side: place for place, side in enumerate(job.sides)}
    ranked = sorted(
        job.names, key=lambda who: (order.get(job.side_of.get(who, ""), len(order)), -dropped[who])
    )
    found = []
    for who in ranked:
        if who in people and people[who].is_out:
            continue
        tone = tones.get(job.side_of.get(who, ""), "")
        look = people[who].look if who in people else None
        found.append(view_chance(job.names[who], tone, dropped[who], fights=job.done, look=look))
    return tuple(found)


def _draw_curve(tone: str, won: list[int], last: int) -> Curve:
    """The line of a chance and the area of its margin, from the first fight on; `last` ends the picture."""
    fights = len(won) - 1
    points = sorted({1, fights, *(max(1, fights * place // MAX_POINTS) for place in range(MAX_POINTS))})
    margins = [find_margin(won[n] / n, n) for n in points]
    line = [_plot(n / last, won[n] / n) for n in points]
    upper = [_plot(n / last, high) for n, (_, high) in zip(points, margins, strict=True)]
    lower = [_plot(n / last, low) for n, (low, _) in zip(points, margins, strict=True)]
    band = f"M{'L'.join([*upper, *reversed(lower)])}z"
    end = (round(100 * fights / last, 1), round(100 * (1 - won[-1] / fights), 1))
    return Curve(tone, f"M{'L'.join(line)}", band, *end, half=last // 2, last=last)


def _plot(along: float, chance: float) -> str:
    return f"{round(along * WIDTH, 1):g} {round((1 - chance) * HEIGHT, 1):g}"


def _view_rounds(endings: list[Ending]) -> RoundsView:
    """A bar for each number of rounds from the shortest fight to the longest, or for several of them."""
    played = sorted(ending.rounds for ending in endings)
    low, longest = played[0], played[-1]
    step = next(size for size in STEPS if (longest - low) // size < MAX_BARS or size == STEPS[-1])
    counts = Counter((rounds - low) // step for rounds in played)
    places, most = range((longest - low) // step + 1), max(counts.values())
    bars = tuple(
        RoundBar(
            str(low + place * step),
            round(100 * counts[place] / len(played)),
            round(100 * place / len(places), 2),
            height=round(TALLEST * counts[place] / most, 1),
            is_top=counts[place] == most,
        )
        for place in places
    )
    mean = f"{sum(played) / len(played):.1f}"
    early, late = played[len(played) // 4], played[3 * len(played) // 4]
    usual = f"round {early}" if early == late else f"round {early}–{late}"
    often = Counter(played).most_common(1)[0][0]
    words = f"Round {low} to {longest}, average {mean}, most often {often}"
    return RoundsView(mean, bars, step, usual=usual, words=words)


# The forecast page: it begins by itself and shows how it converges. Of a fight, or of a branch of it.


@dataclass(frozen=True)
class Subject:
    """What to forecast: its place among the jobs, its pages, and the fight as its viewer may know it.

    Of the combatants in `unnamed` it is not told whether they drop. `others` end when it begins. Those who
    wait arrive in the round `at_round`, as planned if it is 0, and not at all if it is None.
    """

    context: ViewerContext
    place: forecast_jobs.Place
    here: str
    back: str
    state: State
    unnamed: frozenset[str] = frozenset()
    others: tuple[forecast_jobs.Place, ...] = ()
    branch: int = 0
    at_round: int | None = None

    def begin(self) -> None:
        """Begin the forecast, or join the running one; raises Refused."""
        for other in self.others:
            forecast_jobs.cancel(other)
        context = self.context
        slug, plan = context.system.slug, self.at_round
        forecast_jobs.begin(
            self.place, context.stamp, slug, state=self.state, unnamed=self.unnamed, at_round=plan
        )

    def list_changes(self) -> tuple[Change, ...]:
        """What can be tried, for the GM."""
        return list_changes(self.context.system, self.state) if self.context.viewer.is_gm else ()

    def find_place(self, change: Change) -> forecast_jobs.Place:
        """The place of a change among the jobs."""
        return f"{self.place}:{change.key}"

    def try_changes(self, key: str) -> None:
        """Begin the forecast of a change, or of all of them; raises Refused."""
        context = self.context
        for change in self.list_changes():
            if key in ("all", change.key):
                state = try_out(context.system, self.state, change.name, {"target": change.who})
                place, slug = self.find_place(change), context.system.slug
                plan = self.at_round
                forecast_jobs.begin(place, context.stamp, slug, state, most=FIGHTS, at_round=plan)


class ReservesForm(SiteForm):
    """Whether those who wait arrive in the fights of a forecast, and when."""

    ids = "with-%s"
    reserves = forms.ChoiceField(label="Those who arrive later", required=False)

    def __init__(self, state: State, *sent: Any) -> None:
        super().__init__(*sent)
        rounds = range(max(2, state.round + 1), max(2, state.round + 1) + ROUNDS)
        in_rounds = [(str(number), f"all arrive in round {number}") for number in rounds]
        set_choices(self, "reserves", [("", "stay away"), (PLANNED, "arrive as planned"), *in_rounds])

    def plan(self, subject: Subject) -> Subject:
        """The subject with those who wait, as chosen; each choice is a forecast of its own."""
        said = self.cleaned_data.get("reserves", "") if self.is_valid() else ""
        if not said:
            return subject
        at_round = 0 if said == PLANNED else int(said)
        place, here = f"{subject.place}:with:{said}", f"{subject.here}?reserves={said}"
        return replace(subject, place=place, here=here, at_round=at_round)


@dataclass(frozen=True)
class ChangeRow:
    """A change and what it makes of the chance, in percent: None before it was tried, or if `undecided`."""

    change: Change
    person: CombatantView | None
    before: int
    after: int | None = None
    running: bool = False
    done: int = 0
    undecided: str = ""

    @property
    def low(self) -> int:
        """The lower of both chances."""
        return self.before if self.after is None else min(self.before, self.after)

    @property
    def moved(self) -> int:
        """By how many points it changes the chance, up or down."""
        return 0 if self.after is None else abs(self.after - self.before)


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_forecast(request: HttpRequest, pk: int) -> HttpResponse:
    """The forecast of the fight: it is played many times with the same engine."""
    return answer_forecast(request, subject_of_fight(find_gm_context(request, pk)))


def subject_of_fight(context: ViewerContext) -> Subject:
    """The fight as the subject of a forecast."""
    pk = context.encounter.pk
    return Subject(
        context,
        pk,
        reverse("forecast", args=[pk]),
        back=reverse("table", args=[pk]),
        state=context.known_state,
    )


def answer_forecast(request: HttpRequest, subject: Subject) -> HttpResponse:
    """The page of a forecast; a POST begins or cancels it, or tries a change."""
    form, problem = None, ""
    if subject.state.all_reserves:
        form = ReservesForm(subject.state, request.GET if "reserves" in request.GET else None)
        subject = form.plan(subject)
    if form and form.errors:
        problem = "Choose from the list when they arrive."
    elif request.method == "POST":
        try:
            after = _change(request, subject)
        except Refused as refused:
            problem = refused.message
        else:
            if not is_htmx(request):
                return HttpResponseRedirect(after, status=303)
    elif len(standing_sides(subject.context.system, subject.state)) < 2:
        problem = forecast_jobs.NEEDS_SIDES
    context, partial = subject.context, is_htmx(request)
    shown = _view_job(subject)
    shown |= {
        "encounter": context.encounter,
        "subject": subject,
        "here": subject.here,
        "problem": problem,
        "again": not problem and _has_to_begin(subject, shown["job"]),
        "alone": bool(outage.problem),
        "close": round(100 * CLOSE),
        "fights": FIGHTS,
        "round": subject.state.round,
        "reserves": form,
    }
    if not partial:
        people = view_known(context)
        shown["scene"] = view_present_scene(context, people)
    status = 422 if form and form.errors else 409 if problem and request.method == "POST" else 200
    return render(
        request, f"combat/whatif/forecast/forecast.html{'#job' if partial else ''}", shown, status=status
    )


def _change(request: HttpRequest, subject: Subject) -> str:
    """Do what a button asks; return the address to go to."""
    do, _, key = request.POST.get("do", "").partition(":")
    if do == "branch":
        return _open_branch(subject, key)
    if do == "cancel":
        forecast_jobs.cancel(subject.place)
    elif do == "try":
        subject.try_changes(key)
    else:
        subject.begin()
    return subject.here


def _open_branch(subject: Subject, key: str) -> str:
    """Begin a branch of the fight with a change as its first step; return its address."""
    context, origin = subject.context, find_origin(subject.context, PRESENT)
    change = next((one for one in subject.list_changes() if one.key == key), None)
    if change is None or origin is None or subject.branch:
        raise Refused("unknown", "That can no longer be tried: reload the page.")
    start = find_start(context, origin.number)
    made = branches.begin(context.encounter, context.asker, context.viewer, after=origin.number, start=start)
    made.encounter = context.encounter
    action = find_action(context.system, change.name)
    branches.act(made, action, {"target": change.who}, by=context.name)
    return reverse("branch", args=[context.encounter.pk, made.number])


def _has_to_begin(subject: Subject, job: forecast_jobs.Job | None) -> bool:
    """Whether the page begins the forecast by itself: there is none, or it was lost, or the fight went on."""
    return job is None or job.lost or job.stamp != subject.context.stamp


def _view_job(subject: Subject) -> dict[str, Any]:
    job, context = forecast_jobs.read_job(subject.place), subject.context
    if job is None:
        return {"job": None}
    people = view_known(context)
    old = job.stamp != context.stamp
    undecided = UNDECIDED if is_undecided(job.endings) else ""
    shown = None
    if job.done and not undecided:
        shown = view_forecast(job, find_tones(context.known_state), people)
    changes: list[ChangeRow] = []
    if shown and not old and not job.running:
        first = shown.odds.first
        changes = _view_changes(subject, people, first.label, first.percent)
    trying = any(row.running for row in changes)
    return {
        "job": job,
        "old": old,
        "shown": shown,
        "undecided": undecided,
        "changes": changes,
        "trying": trying,
    }


def _view_changes(
    subject: Subject, people: Mapping[str, CombatantView], label: str, before: int
) -> list[ChangeRow]:
    """The changes that can be tried; once none is running, those that change most come first."""
    rows = []
    for change in subject.list_changes():
        job, after, undecided = forecast_jobs.read_job(subject.find_place(change)), None, ""
        if job is None or job.stamp != subject.context.stamp:
            rows.append(ChangeRow(change, people.get(change.who), before))
            continue
        if job.done:
            odds = make_odds(job, {})
            undecided = odds.problem
            after = next((part.percent for part in odds.parts if part.label == label), 0)
            after = None if undecided else after
        person = people.get(change.who)
        rows.append(
            ChangeRow(
                change, person, before, after=after, running=job.running, done=job.done, undecided=undecided
            )
        )
    return rows if any(row.running for row in rows) else sorted(rows, key=lambda row: -row.moved)
