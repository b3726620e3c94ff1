"""The forecast in one line: who wins or gets away, how long it takes, how many go down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from combat.display.combatants.cards import NPC, Danger
from combat.display.combatants.tokens import find_tones
from combat.models import Encounter
from combat.play.campaigns.npcs import find_fields
from combat.play.campaigns.roster import find_side, list_sides
from combat.play.notes.words import LEADERS
from combat.play.whatif import forecast_jobs
from combat.play.whatif.forecast_jobs import Job, try_out
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import TOPICS
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.bosses import find_boss
from combat.rules.core.odds.forecast import CHUNK, Outcome, find_margin, is_undecided
from combat.rules.core.sides import find_able, standing_sides
from combat.rules.core.state.state import State
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.forms import is_htmx

from .people_view import digest_of

NOBODY = "nobody"
ALLY = "is-ally"  # the tone of the viewer's side
UNDECIDED = "Undecided: these fights do not end."
SENSES = (  # what a chance means, up to so many percent
    (4, "almost never"),
    (24, "unlikely"),
    (44, "less likely than not"),
    (55, "as likely as not"),
    (75, "more likely than not"),
    (95, "very likely"),
    (100, "almost certain"),
)
FIGHTS = 2 * CHUNK
AT_ONCE = 2  # jobs that are begun together
MOST = 12  # of the party
# How dangerous: its word, its tone, and from how many percent on the party wins
LEVELS = (("easy", "d-easy", 80), ("even", "d-even", 50), ("hard", "d-hard", 20), ("deadly", "d-deadly", 0))


@dataclass(frozen=True)
class OddsPart:
    """The chance of a side to win, or to get away (`escapes`), in percent, and its place on the bar.

    `low` to `high` is its margin.
    """

    label: str
    tone: str
    percent: int
    x: float
    width: float
    low: float
    high: float
    escapes: bool = False

    @property
    def classes(self) -> str:
        """The classes of its part of the bar."""
        return f"{self.tone or 'is-nobody'}{' is-away' if self.escapes else ''}"

    @property
    def span(self) -> float:
        """The drawn width of its margin."""
        return round(self.high - self.low, 1)

    @property
    def between(self) -> str:
        """Its margin in words: "54 to 62%"."""
        return f"{self.low - self.x:.0f} to {self.high - self.x:.0f}%"

    @property
    def middle(self) -> float:
        """Where these words stand on the bar: below its margin, and not beyond the ends."""
        return min(88.0, max(12.0, (self.low + self.high) / 2))

    @property
    def sense(self) -> str:
        """What the chance means in words."""
        return next(words for most, words in SENSES if self.percent <= most)


@dataclass(frozen=True)
class PrepOdds:
    """A forecast in short: why there is none, or what it says so far.

    The chances are known `within` so many points. `begins`: it has to be begun. `running`: more fights are
    being played, about `needed` in all. `end` says how often the boss
    goes down. A forecast with others names them, `whose`, and the chance `before`.
    """

    problem: str = ""
    parts: tuple[OddsPart, ...] = ()
    fights: int = 0
    within: int = 0
    rounds: str = ""
    down: str = ""
    end: str = ""
    begins: bool = False
    running: bool = False
    needed: int = 0
    whose: str = ""
    before: int | None = None

    @property
    def first(self) -> OddsPart:
        """The side whose chance to win is written large."""
        return self.parts[0]

    @property
    def says(self) -> str:
        """Who wins with the chance that is written large: all who tie, unless allies are first."""
        first = self.first
        tied = [one.label for one in self.parts if one.percent == first.percent and not one.escapes]
        tied = [label for label in tied if label != NOBODY]
        if first.tone != ALLY and len(tied) > 1:
            return f"{' or '.join(tied)} win, each as likely"
        return f"{first.label} win{'s' if first.label == NOBODY else ''}"

    @property
    def away(self) -> tuple[OddsPart, ...]:
        """The chances to get away, where there are any."""
        return tuple(part for part in self.parts if part.escapes)

    @property
    def words(self) -> str:
        """All chances in words."""
        return ", ".join(f"{part.label} {part.percent}%" for part in self.parts)


def make_odds(job: Job | None, tones: Mapping[str, str], boss: str = "") -> PrepOdds:
    """What a job of the present fight says; None: there is none yet. The id of a `boss` names whose end."""
    if job is None or (job.lost and not job.done):
        return PrepOdds(begins=True)
    if job.failed:
        return PrepOdds("The forecast failed: open it to begin again.")
    if not job.done:
        return PrepOdds(running=job.running, needed=job.needed)
    if is_undecided(job.endings):
        return PrepOdds(UNDECIDED, fights=job.done, running=job.running, needed=job.needed)
    parts = tuple(_find_parts(job, tones))
    rounds = sum(ending.rounds for ending in job.endings) / job.done
    odds = PrepOdds(
        "", parts, job.done, within=job.within, rounds=f"{rounds:.0f}", running=job.running, needed=job.needed
    )
    label = odds.first.label
    own = [who for ending in job.endings for who in ending.dropped if job.side_of.get(who) == label]
    down = round(len(own) / job.done)
    end = _say_end(job, boss or guess_boss(job, tones))
    return replace(odds, down=f"{label} lose {down or 'nobody'}", end=end)


def guess_boss(job: Job, tones: Mapping[str, str]) -> str:
    """The only one of the others whose name says that they lead, such as “Pirate captain”; "" for several."""
    led = [
        who
        for who, name in job.names.items()
        if tones.get(job.side_of.get(who, "")) != ALLY and LEADERS & {*name.casefold().split()}
    ]
    return led[0] if len(led) == 1 else ""


def _say_end(job: Job, who: str) -> str:
    """How often someone goes down: “Captain Vox goes down in 64%”."""
    if who not in job.names:
        return ""
    times = sum(who in ending.dropped for ending in job.endings)
    return f"{job.names[who]} goes down in {round(100 * times / job.done)}%"


def list_outcomes(job: Job) -> dict[Outcome, int]:
    """How often each side wins, in their order; then who gets away and how often nobody wins, if ever."""
    ended = Counter(ending.outcome for ending in job.endings)
    wins = {Outcome(side): ended[Outcome(side)] for side in job.sides}
    others = (*(Outcome(side, True) for side in job.sides), Outcome(""))
    return wins | {outcome: ended[outcome] for outcome in others if ended[outcome]}


def say_outcome(outcome: Outcome, nobody: str = NOBODY) -> str:
    """The side that wins, or `nobody`; of one that gets away, that it does."""
    return f"{outcome.side} get away" if outcome.escapes else outcome.side or nobody


def _find_parts(job: Job, tones: Mapping[str, str]) -> list[OddsPart]:
    """The parts of the bar, first the one written large: that of the allies, else the likeliest."""
    counts, found, x = list_outcomes(job), [], 0.0
    wins = [outcome for outcome in counts if not outcome.escapes]
    own = next((outcome for outcome in wins if tones.get(outcome.side) == ALLY), None)
    large = own or max(wins, key=lambda outcome: counts[outcome])
    for outcome in sorted(counts, key=lambda outcome: outcome != large):
        times = counts[outcome]
        width = 100 * times / job.done
        low, high = (x + 100 * bound for bound in find_margin(times / job.done, job.done))
        start, wide, least, most = (round(place, 1) for place in (x, width, low, high))
        label, tone = say_outcome(outcome), tones.get(outcome.side, "")
        found.append(
            OddsPart(
                label, tone, round(width), x=start, width=wide, low=least, high=most, escapes=outcome.escapes
            )
        )
        x += width
    return found


# How dangerous someone is to a party: the forecast plays as many of them against it as it has people.
# Nobody is measured before it is asked for. A few are played at a time, so that other forecasts wait for no
# more than a second.


def find_party_state(context: ViewerContext) -> State | None:
    """The fight with nobody but the party; None without anyone in it who can fight."""
    return _find_party(context.system, context.full_state)


def _find_party(system: System, state: State) -> State | None:
    side = find_side(state)
    party = [one for one in find_able(system, state) if one.side == side][:MOST]
    if not party:
        return None
    kept = {one.id: one for one in party}
    return msgspec.structs.replace(state, combatants=kept, order=(), active="", phase="prep")


def read_danger(context: ViewerContext, key: str) -> Danger | None:
    """What is known of someone's danger to the party as it is now; None before it is asked for."""
    party = find_party_state(context)
    return _read_of(context.encounter, party, _stamp(party), key) if party else None


def read_open_dangers(encounter: Encounter, state: State, keys: Iterable[str]) -> dict[str, Danger]:
    """How dangerous these stat blocks are, as far as the GM had it measured, for all who may join.

    None while an NPC fights beside the players' characters: only the GM knows what it can do.
    """
    party = _find_party(find_system(encounter.system), state)
    if party is None or not all(one.pc and not one.hidden for one in party.combatants.values()):
        return {}
    stamp = _stamp(party)
    found = {key: _read_of(encounter, party, stamp, key) for key in keys}
    return {key: danger for key, danger in found.items() if danger and danger.level}


def _read_of(encounter: Encounter, party: State, stamp: str, key: str) -> Danger | None:
    job = forecast_jobs.read_job(_place(encounter, key))
    if job is None or job.stamp != stamp or job.failed or job.lost:
        return None
    return _tell(job, find_side(party), len(party.combatants))


def _tell(job: Job, side: str, people: int) -> Danger:
    if not job.done:
        return Danger(0, 0, people, job.running)
    won = sum(ending.outcome.side == side and not ending.outcome.escapes for ending in job.endings)
    percent = round(100 * won / job.done)
    number = next(number for number, (_, _, least) in enumerate(LEVELS) if percent >= least)
    level, tone, _ = LEVELS[number]
    return Danger(
        percent, job.done, people=people, running=job.running, level=level, tone=tone, segments=number + 1
    )


def begin_danger(context: ViewerContext, user: User | AnonymousUser, key: str) -> bool:
    """Begin to measure someone; False if there is no party, or nobody of this key."""
    party = find_party_state(context)
    if party is None:
        return False
    sides = list_sides(context.full_state)
    fields: dict[str, Any] = {"name": "", "side": sides[0], "count": len(party.combatants)}
    try:
        if key.startswith(NPC):
            fields |= find_fields(user, context.encounter.system, key.removeprefix(NPC))
        else:
            fields["block"] = key
    except Refused:
        return False
    return begin_line(context, key, [fields])


def begin_line(context: ViewerContext, key: str, joins: Iterable[Mapping[str, Any]]) -> bool:
    """Begin to measure all who join by these fields, together; False if there is no party."""
    party = find_party_state(context)
    if party is None:
        return False
    state = party
    try:
        for fields in joins:
            state = try_out(context.system, state, "join", fields)
        forecast_jobs.begin(
            _place(context.encounter, key), _stamp(party), context.encounter.system, state, most=FIGHTS
        )
    except Refused:
        return False
    return True


def begin_some(context: ViewerContext, user: User | AnonymousUser, keys: Sequence[str]) -> int:
    """Begin to measure the next of these, a few at a time; returns how many are left."""
    begun = 0
    for key in keys:
        if begun == AT_ONCE:
            break
        begun += begin_danger(context, user, key)
    return len(keys) if begun else 0


def _place(encounter: Encounter, key: str) -> str:
    return f"{encounter.pk}:danger-{digest_of(key)}"


def _stamp(party: State) -> str:
    """A mark of the party as it stands, so that adding enemies leaves what was measured."""
    return digest_of("".join(repr(one) for one in party.combatants.values()) + repr(party.options))


# The forecast in short, beside the roster and at the table: begun again after each change.


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_odds(request: HttpRequest, pk: int) -> HttpResponse:
    """The forecast of the fight as it is now; a POST begins it. Others than scripts get the page.

    It is the one of the forecast page, so none of the two has to wait for what the other has played.
    """
    context = find_gm_context(request, pk)
    if not is_htmx(request):
        return redirect("prep", pk)
    if topic := request.GET.get("rules", ""):
        return _show_book(request, context, topic)
    if request.method == "POST":
        _begin(context)
    elif "with" in request.GET:
        return render_with(request, context)
    return render(
        request,
        "combat/prep/roster/odds.html",
        {"odds": view_odds(context), "encounter": context.encounter},
    )


def view_odds(context: ViewerContext) -> PrepOdds:
    """What the forecast says so far."""
    state = context.known_state
    if len(standing_sides(context.system, state)) < 2:
        return PrepOdds("A forecast needs two sides.")
    job = forecast_jobs.read_job(context.encounter.pk)
    known = job if job and job.stamp == context.stamp else None
    return make_odds(known, find_tones(state), find_boss(context.full_state))


def begin_with(context: ViewerContext, fields: Mapping[str, Any]) -> None:
    """Begin a forecast of the roster with others in it, who do not join; raises Refused."""
    place = f"{context.encounter.pk}:with"
    state = try_out(context.system, context.full_state, "join", fields)
    forecast_jobs.cancel(place)
    forecast_jobs.begin(place, context.stamp, context.encounter.system, state)


def view_with(context: ViewerContext) -> PrepOdds | None:
    """What the forecast with others says so far, if there is one of the present roster."""
    job, state = forecast_jobs.read_job(f"{context.encounter.pk}:with"), context.known_state
    if job is None or job.stamp != context.stamp:
        return None
    joined = [name for who, name in job.names.items() if who not in state.combatants]
    now = view_odds(context)
    before = now.first.percent if now.parts else None
    odds = make_odds(job, find_tones(state), find_boss(context.full_state))
    return replace(odds, whose=", ".join(joined), before=before)


def render_with(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """That forecast beside the form that asks for it."""
    shown = {"odds_with": view_with(context), "encounter": context.encounter}
    return render(request, "combat/prep/people/odds_with.html", shown)


def _show_book(request: HttpRequest, context: ViewerContext, topic: str) -> HttpResponse:
    """What the house rules of a topic change: the forecast with the rules of the book in their place."""
    if topic not in dict.fromkeys(key for key, *_ in TOPICS):
        raise Http404("There is no such group of house rules.")
    place, problem = f"{context.encounter.pk}:rules-{topic}", ""
    if request.method == "POST":
        state = context.full_state
        own = {one.key for one in context.system.book.options if one.topic == topic}
        options = {key: value for key, value in state.options.items() if key not in own}
        forecast_jobs.cancel(place)
        try:
            forecast_jobs.begin(
                place,
                context.stamp,
                context.encounter.system,
                msgspec.structs.replace(state, options=options),
            )
        except Refused as refused:
            problem = refused.message
    job, now = forecast_jobs.read_job(place), view_odds(context)
    known = job if job and job.stamp == context.stamp else None
    odds = (
        PrepOdds(problem)
        if problem
        else make_odds(known, find_tones(context.known_state), find_boss(context.full_state))
    )
    before = now.first.percent if now.parts else None
    shown = {"book": replace(odds, before=before), "topic": topic, "encounter": context.encounter}
    return render(request, "combat/prep/options/book.html", shown)


def _begin(context: ViewerContext) -> None:
    """Begin a forecast, unless there is one of the present fight; one of an earlier state ends."""
    place = context.encounter.pk
    job = forecast_jobs.read_job(place)
    if job and job.stamp == context.stamp and not (job.lost or job.failed):
        return
    forecast_jobs.cancel(place)
    slug, state = context.encounter.system, context.full_state
    try:
        forecast_jobs.begin(place, context.stamp, slug, state)
    except Refused:
        return  # the page says what is missing
