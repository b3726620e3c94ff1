"""What the list of encounters shows: the fight that runs, a page of rows with pictures, the filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString

from combat.audience.changes import find_open_seats
from combat.audience.viewer import GM
from combat.models import Encounter, ShareLink
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import draw_known
from ..home.shapes import count_sides, view_large_card
from .ready import find_missing

PER_PAGE = 12  # each with a picture of its scene
MAX_LENGTH = 60  # of a search
READY = "is-well"  # the tone of an encounter that lacks nothing
# The states by which the list is filtered: word, icon and which encounters they are
STATES: dict[str, tuple[str, str, Q]] = {
    "running": ("Running", "play", Q(phase="fight")),
    "prep": ("In preparation", "pen", Q(phase="prep", downtime=False)),
    "over": ("Finished", "flag", Q(phase="over")),
    "downtime": ("Downtime", "clock", Q(phase="prep", downtime=True)),
}


@dataclass(frozen=True)
class Filter:
    """A link that keeps some of the encounters, and how many it would keep of all."""

    label: str
    query: str
    count: int
    is_on: bool
    icon: str = ""
    game: System | None = None


@dataclass(frozen=True)
class Verb:
    """Where to go on with an encounter: the words of the button, its icon and address."""

    word: str
    icon: str
    address: str


@dataclass(frozen=True)
class Row:
    """An encounter in the list: where it stands in a word, and the one thing to do with it."""

    encounter: Encounter
    game: System
    is_own: bool
    state: str
    icon: str
    tone: str
    about: str
    picture: SafeString
    verb: Verb


@dataclass(frozen=True)
class Choice:
    """What the address asks for; words that name nothing count as blank."""

    archived: bool
    q: str
    state: str
    game: str
    campaign: str
    tag: str

    @property
    def is_filtered(self) -> bool:
        """Whether anything but the archive is asked for."""
        return any((self.q, self.state, self.game, self.campaign, self.tag))

    def make_query(self, **changed: str) -> str:
        """The query of this choice, with a few changes."""
        asked = {
            "show": "archived" if self.archived else "", "q": self.q, "state": self.state,
            "game": self.game, "campaign": self.campaign, "tag": self.tag,
        }  # fmt: skip
        return urlencode({name: value for name, value in (asked | changed).items() if value})


def read_choice(asked: QueryDict) -> Choice:
    """The choice that an address asks for."""
    words = {name: asked.get(name, "").strip()[:MAX_LENGTH] for name in ("q", "campaign", "tag")}
    state, game = asked.get("state", ""), asked.get("game", "")
    return Choice(
        archived=asked.get("show") == "archived",
        q=words["q"],
        state=state if state in STATES else "",
        game=game if game in SYSTEMS else "",
        campaign=words["campaign"] if read_count(words["campaign"]) is not None else "",
        tag=words["tag"],
    )


def view_list(user: User, choice: Choice, number: Any) -> dict[str, Any]:
    """The values of the page: filters, the fight to go back to, and one page of rows."""
    mine = _find_mine(user)
    rows = _choose(mine.filter(archived=choice.archived), choice, user)
    page = Paginator(rows, PER_PAGE).get_page(number)
    shown = list(page)
    live = _find_live(choice, page.number, shown)
    return {
        "choice": choice,
        "page": page,
        "live": view_large_card(ViewerContext(live, GM)) if live else None,
        "stopped": live.changed if live else None,
        "rows": [_view_row(one, user) for one in shown if one is not live],
        "others": page.paginator.count - (live is not None),
        "query": choice.make_query(),
        **_view_filters(mine, choice, user),
    }


def _find_mine(user: User) -> QuerySet[Encounter]:
    """The encounters that someone owns or runs as a co-GM; those that run come first."""
    helped = find_open_seats().filter(user=user, kind=ShareLink.CO_GM).values("encounter")
    return Encounter.objects.filter(Q(owner=user) | Q(pk__in=helped)).select_related("campaign")


def _choose(mine: QuerySet[Encounter], choice: Choice, user: User) -> QuerySet[Encounter]:
    """Those that fit a choice. A search finds all its words in names, people or tags.

    Campaigns are their owner's: a co-GM neither chooses one nor finds by its name.
    """
    if choice.state:
        mine = mine.filter(STATES[choice.state][2])
    if choice.game:
        mine = mine.filter(system=choice.game)
    if choice.campaign:
        mine = mine.filter(campaign=read_count(choice.campaign), owner=user)
    if choice.tag:
        mine = mine.filter(tags__contains=f",{choice.tag},")
    for word in choice.q.split():
        named = Q(name__icontains=word) | Q(tags__icontains=word) | Q(people__icontains=word)
        seated = find_open_seats().filter(name__icontains=word).values("encounter")
        mine = mine.filter(named | Q(campaign__name__icontains=word, owner=user) | Q(pk__in=seated))
    return mine.order_by("-changed", "-pk").defer("start", "people", "campaign__notes")


def _find_live(choice: Choice, number: int, shown: Iterable[Encounter]) -> Encounter | None:
    """The fight that changed last, on the first page of what is not archived."""
    if choice.archived or choice.q or number > 1 or choice.state not in ("", "running"):
        return None
    return next((one for one in shown if one.phase == "fight"), None)


def _view_row(encounter: Encounter, user: User) -> Row:
    context = ViewerContext(encounter, GM)
    state, icon, tone, about = _say_state(context)
    return Row(
        encounter, context.system, encounter.owner_id == user.pk, state=state, icon=icon, tone=tone,
        about=about, picture=draw_known(context), verb=_find_verb(encounter, is_ready=tone == READY),
    )  # fmt: skip


def _say_state(context: ViewerContext) -> tuple[str, str, str, str]:
    """Where an encounter stands: a word, its icon and tone, and a few words more."""
    encounter = context.encounter
    people = f"{encounter.combatants} combatant{'' if encounter.combatants == 1 else 's'}"
    people = people if encounter.combatants else "nobody yet"
    if encounter.downtime:
        return "Downtime", "clock", "", people
    sides = count_sides(context)
    if encounter.phase == "fight":
        return f"Round {encounter.round}", "play", "is-live", sides or people
    if encounter.phase == "over":
        rounds = f"{encounter.round} round{'' if encounter.round == 1 else 's'}"
        return "Finished", "flag", "", rounds if encounter.round else people
    if missing := find_missing(context):
        return (missing.capitalize() if encounter.combatants else "Preparing"), "pen", "is-warn", people
    return "Ready", "check", READY, sides


def _find_verb(encounter: Encounter, is_ready: bool) -> Verb:
    """What its first button does: an encounter that lacks nothing opens its table."""
    if encounter.phase == "over":
        return Verb("Report", "chart", reverse("report", args=[encounter.pk]))
    if encounter.phase == "fight" or encounter.downtime:
        return Verb("Back to table", "right", reverse("table", args=[encounter.pk]))
    if is_ready:
        return Verb("Open table", "right", reverse("table", args=[encounter.pk]))
    return Verb("Prepare", "pen", reverse("prep", args=[encounter.pk]))


def _view_filters(mine: QuerySet[Encounter], choice: Choice, user: User) -> dict[str, Any]:
    """Filters by state, game, campaign and tag, counted over all that are not archived, or are."""
    wanted = ("archived", "phase", "downtime", "system", "campaign_id", "campaign__name", "tags", "owner_id")
    every = list(mine.order_by().values_list(*wanted))
    there = [row[1:] for row in every if row[0] == choice.archived]
    phases = Counter("downtime" if row[1] and row[0] == "prep" else row[0] for row in there)
    games = Counter(row[2] for row in there)
    campaigns = Counter((row[4], str(row[3])) for row in there if row[3] and row[6] == user.pk)
    tags = Counter(tag for row in there for tag in row[5].split(",") if tag)

    def make(kind: str, value: str, label: str, count: int, **shown: Any) -> Filter:
        is_on = getattr(choice, kind) == value
        return Filter(label, choice.make_query(**{kind: "" if is_on else value}), count, is_on, **shown)

    counts = {"running": phases["fight"], **phases}
    states = [
        make("state", key, word, counts[key], icon=icon)
        for key, (word, icon, _) in STATES.items()
        if counts.get(key) or choice.state == key
    ]
    return {
        "total": len(there),
        "everything": Filter(
            "All", choice.make_query(state=""), len(there), is_on=not choice.state, icon="layers"
        ),
        "states": states,
        "games": [
            make("game", slug, find_system(slug).name, games[slug], game=find_system(slug))
            for slug in SYSTEMS
            if games[slug]
        ],
        "campaigns": [
            make("campaign", pk, name, n, icon="people") for (name, pk), n in sorted(campaigns.items())
        ],
        "tags": [make("tag", tag, tag, n) for tag, n in sorted(tags.items())],
        "elsewhere": len(every) - len(there),
        "is_new": not every and not choice.is_filtered and not choice.archived,
    }
