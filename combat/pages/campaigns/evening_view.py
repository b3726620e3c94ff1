"""The forecast of an evening as its page shows it: how far they come, what is left, who is down when."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import find_owned
from combat.models import Campaign, Encounter
from combat.play.whatif import evenings, forecast_jobs
from combat.play.whatif.evenings import EARLIER, LATER, SessionPlan, find_plan
from combat.play.whatif.forecast_jobs import Job, read_job
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.odds.evening import WON
from combat.rules.core.odds.forecast import CLOSE, LEAST, Ending, Outcome, find_margin, is_undecided
from cosmos_site.base.caching import outage
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx, see_other

from ..prep.odds_view import UNDECIDED
from ..whatif.forecast_view import ChanceBar, view_chance

SURE = 95  # percent: where no fight stands out any more
RARE = 10  # percent of evenings in which someone dies, or is down: up to that many, nobody expects it


@dataclass(frozen=True)
class Part:
    """A part of the bar of all evenings, in percent: those that end well, or those that go wrong first in a
    fight."""

    label: str
    tone: str
    percent: int
    x: float
    width: float


@dataclass(frozen=True)
class FightRow:
    """A fight of the evening: the chance to win it there and `alone`, as far as that is known, its rounds,
    and the party's strength after it; in `unfought` percent nobody of them can begin it, in `unrested` the
    rules refuse someone the rest before it."""

    encounter: Encounter
    number: int
    rest: str
    chance: ChanceBar
    alone: int | None
    rounds: str
    left: int
    unfought: int
    unrested: int
    undecided: str


@dataclass(frozen=True)
class Cell:
    """Someone after a fight: how likely they are down, and dead; in percent."""

    fight: str
    down: int
    dead: int
    is_in: bool = True


@dataclass(frozen=True)
class PersonRow:
    """Someone of the party after each fight; how likely they die, and are down at least once, in percent."""

    name: str
    cells: tuple[Cell, ...]
    dead: int
    down: int

    @property
    def tone(self) -> str:
        """The class of the color of what the evening costs them."""
        return "is-critical" if self.dead > RARE else "is-hurt" if self.down > RARE else "is-well"


@dataclass(frozen=True)
class EveningView:
    """The forecast of an evening; `turn` says in which fight it turns, once enough are played, or why not.

    The people stand by what it costs them, the dearest first.
    """

    won: ChanceBar
    parts: tuple[Part, ...]
    turn: str
    fights: tuple[FightRow, ...]
    people: tuple[PersonRow, ...]

    @property
    def words(self) -> str:
        """All chances of the bar in words."""
        return ", ".join(f"{part.label} {part.percent}%" for part in self.parts)

    @property
    def price(self) -> str:
        """Whom the evening may cost, else whether anyone should fall."""
        costly = [person.name for person in self.people if person.dead > RARE]
        if costly:
            return f"The evening may cost {_join(costly)}"
        return (
            "Nobody should die" if any(person.down > RARE for person in self.people) else "Nobody should fall"
        )


def _join(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def view_evening(job: Job, plan: SessionPlan) -> EveningView:
    """A forecast of this plan, with at least one evening."""
    names = [fight.encounter.name for fight in plan.fights]
    won = sum(WON in ending.standing for ending in job.endings)
    first = Counter(_find_first_loss(ending, plan) for ending in job.endings if WON not in ending.standing)
    losses = [first[number] for number in range(len(names))]
    people = sorted(
        (_view_person(job, plan, key, name) for key, name in job.names.items()),
        key=lambda person: (-person.dead, -person.down),
    )
    chance = view_chance("They win every fight", "is-ally", won, job.done)
    fights = tuple(_view_fight(job, plan, number) for number in range(len(names)))
    turn = _say_turn(names, chance.percent, losses, job.done) if job.done >= LEAST else ""
    if endless := " and ".join(f"“{row.encounter.name}”" for row in fights if row.undecided):
        turn = f"Unsure: {endless} often does not end, and is not won then."
    return EveningView(
        chance,
        _view_parts(won, losses, job.done),
        turn,
        fights=fights,
        people=tuple(people),
    )


def _find_first_loss(ending: Ending, plan: SessionPlan) -> int:
    """The number of the first fight that the party did not win."""
    pairs = zip(ending.legs, plan.fights, strict=True)
    return next(number for number, (leg, fight) in enumerate(pairs) if leg.standing != (fight.side,))


def _view_parts(won: int, losses: list[int], evenings: int) -> tuple[Part, ...]:
    parts, x = [], 0.0
    told = [("All won", "is-ally", won)]
    told += [(f"First lost in fight {number}", "is-foe", times) for number, times in enumerate(losses, 1)]
    for label, tone, times in told:
        width = 100 * times / evenings
        if times:
            parts.append(Part(label, tone, round(width), x=round(x, 1), width=round(width, 1)))
        x += width
    return tuple(parts)


def _say_turn(names: list[str], won: int, losses: list[int], evenings: int) -> str:
    """Where most evenings first go wrong; two fights if the evenings played do not tell them apart."""
    if len(names) < 2 or won >= SURE:
        return "" if len(names) < 2 else "No fight stands out: nearly every evening goes well to its end."
    first, second = sorted(range(len(names)), key=lambda number: -losses[number])[:2]
    one, other = (round(100 * losses[number] / evenings) for number in (first, second))
    lowest, highest = (find_margin(losses[number] / evenings, evenings) for number in (first, second))
    if lowest[0] <= highest[1]:
        both = f"in “{names[first]}” or “{names[second]}”: {one}% and {other}%"
        return f"The evening turns {both} of evenings go wrong there first, too near to tell."
    return f"The evening turns in “{names[first]}”: {one}% of evenings go wrong there first."


def _view_fight(job: Job, plan: SessionPlan, number: int) -> FightRow:
    fight, legs = plan.fights[number], [ending.legs[number] for ending in job.endings]
    played = [leg for leg in legs if leg.rounds]
    wins = sum(leg.standing == (fight.side,) for leg in legs)
    labels = {one.key: one.label for one in fight.rests}
    return FightRow(
        fight.encounter,
        number + 1,
        (f"after {labels[fight.rest]}" if fight.rest else "without rest") if number else "",
        chance=view_chance("They win", "is-ally", wins, job.done),
        alone=_find_alone(fight.encounter, fight.side),
        rounds=f"{sum(leg.rounds for leg in played) / len(played):.0f}" if played else "–",
        left=round(sum(leg.left for leg in legs) / job.done),
        unfought=round(100 * (len(legs) - len(played)) / job.done),
        unrested=round(100 * sum(bool(leg.unrested) for leg in legs) / job.done),
        undecided=UNDECIDED if played and is_undecided(played) else "",
    )


def _find_alone(encounter: Encounter, side: str) -> int | None:
    """The chance of a side in the forecast of the fight alone, if there is one of it as it is now."""
    job = read_job(encounter.pk)
    if job is None or not job.done or job.stamp != encounter.stamp(is_gm=True) or is_undecided(job.endings):
        return None
    return round(100 * sum(ending.outcome == Outcome(side) for ending in job.endings) / job.done)


def _view_person(job: Job, plan: SessionPlan, key: str, name: str) -> PersonRow:
    percent = partial(_count_percent, job)
    cells = tuple(
        Cell(
            fight.encounter.name,
            percent(number, "dropped", key),
            percent(number, "dead", key),
            int(key) in fight.party,
        )
        for number, fight in enumerate(plan.fights)
    )
    ever = [
        (any(key in leg.dead for leg in ending.legs), any(key in leg.dropped for leg in ending.legs))
        for ending in job.endings
    ]
    dead, down = (round(100 * sum(times) / job.done) for times in zip(*ever, strict=True))
    return PersonRow(name, cells, dead, down)


def _count_percent(job: Job, number: int, what: str, key: str) -> int:
    return round(100 * sum(key in getattr(ending.legs[number], what) for ending in job.endings) / job.done)


# The page of a campaign's evening: its prepared fights in order, and the forecast of them all.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_evening(request: HttpRequest, pk: int) -> HttpResponse:
    """The evening of one of the user's campaigns; a POST plans it, begins its forecast or cancels it."""
    campaign = find_owned(request, Campaign.objects, pk)
    plan, problem, status = find_plan(campaign), "", 200
    if request.method == "POST":
        try:
            _change(plan, request.POST)
        except Refused as refused:
            problem, status = refused.message, status_of(refused)
        else:
            if not is_htmx(request):
                return see_other("evening", pk)
    elif plan.rows and not plan.fights:
        problem = evenings.NO_FIGHTS
    job = forecast_jobs.read_job(plan.place)
    old = job is not None and job.stamp != plan.stamp
    shown = {
        "campaign": campaign,
        "plan": plan,
        "problem": problem,
        "job": job,
        "old": old,
        "again": not problem and bool(plan.fights) and (job is None or job.lost or old),
        "shown": view_evening(job, plan) if job and job.done and not old else None,
        "alone": bool(outage.problem),
        "close": round(100 * CLOSE),
        "accent": plan.fights[0].system.look.accent if plan.fights else "",
    }
    part = "#job" if is_htmx(request) else ""
    return render(request, f"combat/campaigns/evening/evening.html{part}", shown, status=status)


def _change(plan: SessionPlan, sent: QueryDict) -> None:
    """Do what a button asks; raises Refused."""
    do, _, number = sent.get("do", "").partition(":")
    if do == "start":
        evenings.begin(plan)
    elif do == "cancel":
        forecast_jobs.cancel(plan.place)
    elif do in ("plan", EARLIER, LATER):
        order = _read_numbers(sent, "fight")
        if do != "plan":
            order = evenings.move(order, _read_number(number), do)
        rests = {one: sent.get(f"rest-{one}", "") for one in order}
        evenings.save_plan(plan, order, _read_numbers(sent, "chosen"), rests)
    else:
        raise Refused("unknown", "This page has no such action.")


def _read_numbers(sent: QueryDict, name: str) -> list[int]:
    return [_read_number(word) for word in sent.getlist(name)]


def _read_number(word: str) -> int:
    number = read_count(word)
    if number is None:
        raise Refused("bad_value", "Choose fights from the list.")
    return number
