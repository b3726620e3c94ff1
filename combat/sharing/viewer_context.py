"""What one person may know of an encounter: made once per request; and the handouts they see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from characters.models import SeenHint
from combat.audience.changes import PendingCommand, read_pending
from combat.audience.map_fog import find_unknown
from combat.audience.rights import Grant, grant_of
from combat.audience.secrecy import find_obscured, find_secret_names, forget_orders, obscure_health, redact
from combat.audience.things import find_campaign_id, may_name
from combat.audience.viewer import Viewer
from combat.models import Campaign, Encounter, Handout, Seat, StoredStep
from combat.play.campaigns.handouts import find_shown
from combat.play.writing.encounter_service import read_state
from combat.play.writing.step_cache import find_rows, states_after
from combat.play.writing.unseen_turn import (
    ToldLater,
    UnseenTurn,
    find_told_later,
    find_unseen_turn,
    is_unseen,
    keep_acting,
)
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.next_turn import foresee_turn
from combat.rules.core.state.events import AliasSet
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.secret_names import SecretNames
from combat.rules.core.state.state import REVEALED, State, find_secret_conditions

LOG_STEPS = 40  # at most in the newest part of the log, which pages show beside the fight
REVEALING = ("alias", "arrange")  # the actions that may reveal who has an alias
# By the people who get them, in their order; templates/help/hints/ has the words
HINTS = {
    "gm": ("gm-start", "gm-act", "gm-roll", "gm-why", "gm-next", "gm-undo"),
    "player": ("player-wait", "player-act", "player-roll"),
}
ALL_ACTIONS = "all-actions"  # no hint: once pressed, it leaves all actions open
KEYS = frozenset(key for keys in HINTS.values() for key in keys) | {ALL_ACTIONS}
COOKIE, SECONDS = "hints", 365 * 86_400


@dataclass(frozen=True)
class Ahead:
    """Whose next turn is looked at as if it began now, after a move `to` a place."""

    who: str
    to: str = ""


@dataclass(frozen=True, eq=False)
class ViewerContext:
    """An encounter as it was fetched, its viewer, and what they may know of it.

    Each part is made once, when it is first needed. `decoded` is the state of a branch, whose steps
    are not in the log; `look_back` finds the one after a step of the branch. `pins` are the actions the
    viewer has pinned. With `ahead`, odds and advice are those of someone's next turn.
    """

    encounter: Encounter
    viewer: Viewer
    seat: Seat | None = None
    name: str = ""
    decoded: State | None = None
    pins: tuple[str, ...] = ()
    look_back: Callable[[int], State] | None = None
    ahead: Ahead | None = None

    @property
    def system(self) -> System:
        """The game that is played."""
        return find_system(self.encounter.system)

    @cached_property
    def full_state(self) -> State:
        """The state with all its secrets: for checks of rights and secrecy, never to be drawn."""
        return read_state(self.encounter) if self.decoded is None else self.decoded

    @cached_property
    def known_state(self) -> State:
        """The state without what the viewer may not know: everything drawn is drawn from it.

        While somebody unseen has the turn, it is as it was when the last one in sight had it.
        """
        return self._look(self._redacted)

    def _look(self, now: State, effects: bool = False) -> State:
        """What the viewer sees: the state `now`, or that of the last turn in sight."""
        turn = self.unseen_turn
        if turn is None:
            return now
        return keep_acting(redact(turn.then, self.viewer, effects), self.viewer, turn.ended)

    def find_past(self, rows: Iterable[StoredStep]) -> dict[int, State]:
        """The states after steps without what the viewer may not know, by the numbers of the steps."""
        back = self.look_back
        found = {row.number: back(row.number) for row in rows} if back else states_after(rows)
        return {number: redact(then, self.viewer) for number, then in found.items()}

    @cached_property
    def unseen_turn(self) -> UnseenTurn | None:
        """What the viewer goes on seeing while somebody they do not know of has the turn; None else."""
        if self.decoded is not None or not is_unseen(self.full_state, self._redacted):
            return None
        return find_unseen_turn(self.encounter, self.viewer, self.full_state)

    @property
    def held(self) -> tuple[int, ...]:
        """The numbers of the steps that the viewer reads later: once somebody in sight has a turn."""
        return self.unseen_turn.held if self.unseen_turn else ()

    @cached_property
    def told_later(self) -> ToldLater:
        """What the viewer reads later than it happened; nothing if they know everybody."""
        return self._find_told_later()

    @cached_property
    def told_lately(self) -> ToldLater:
        """The same of the newest steps of the log alone, as many as the table shows."""
        return self._find_told_later(LOG_STEPS)

    def _find_told_later(self, most: int = 0) -> ToldLater:
        has_log = self.decoded is None and bool(self.unknown)
        return find_told_later(self.encounter, self.viewer, self.held, most) if has_log else ToldLater()

    @cached_property
    def _redacted(self) -> State:
        return redact(self.full_state, self.viewer)

    @cached_property
    def obscured_state(self) -> State:
        """The known state with others' health as vague as it looks, and without their standing orders.

        Odds, sums and advice are computed from it: so what conditions of the GM alone change is in it.
        """
        known, viewer = self.known_state, self.viewer
        if not viewer.is_gm and find_secret_conditions(self.full_state):
            known = self._look(redact(self.full_state, viewer, effects=True), effects=True)
        found = obscure_health(self.system, forget_orders(known, viewer), viewer)
        return foresee_turn(self.system, found, self.ahead.who) if self.ahead else found

    @cached_property
    def obscured(self) -> frozenset[str]:
        """The ids of the combatants whose health the viewer may not work out."""
        return find_obscured(self.system, self.known_state, self.viewer)

    @cached_property
    def unknown(self) -> frozenset[str]:
        """The ids of the combatants that the viewer does not know of."""
        return find_unknown(self.full_state, self.viewer)

    @cached_property
    def secret_names(self) -> SecretNames | None:
        """The names of combatants the viewer does not know of, unless a known combatant shares them."""
        return find_secret_names(self.full_state, self.viewer)

    @cached_property
    def reveals(self) -> tuple[tuple[int, AliasSet], ...]:
        """The ends of aliases with the numbers of their steps, newest first; no query if there is none."""
        if not any(REVEALED in one.marks for one in self.known_state.combatants.values()):
            return ()
        steps = self.encounter.log.filter(name__in=REVEALING, kind=COMMAND, struck=False).order_by("-number")
        told = ((row.number, fact.event) for row in find_rows(steps) for fact in read_step(row).facts)
        return tuple((number, one) for number, one in told if isinstance(one, AliasSet) and not one.alias)

    @cached_property
    def pending(self) -> PendingCommand | None:
        """The open command, if one waits for dice or a choice."""
        return read_pending(self.encounter)

    @property
    def stamp(self) -> str:
        """The stamp of the version that the viewer sees."""
        common = self.encounter.stamp(self.viewer.is_gm, self.viewer.is_seated)
        return common if self.seat is None or self.viewer.is_gm else common + self.seat.own_stamp

    @property
    def grant(self) -> Grant:
        """The viewer's claim to act; `encounter_service` checks it before it writes."""
        return grant_of(self.encounter, self.seat)

    def may_name(self, thing: str) -> bool:
        """Whether the viewer may name things of a kind of the campaign (audience/things.py)."""
        return may_name(thing, self.encounter, self.viewer, self.grant)

    def find_campaign_id(self, thing: str) -> int | None:
        """The number of the campaign whose things of a kind the viewer may name."""
        return find_campaign_id(thing, self.encounter, self.viewer, self.grant)

    def find_campaign(self, thing: str) -> Campaign | None:
        """The campaign whose things of a kind the viewer may name; None if there is none for them."""
        return self.encounter.campaign if self.may_name(thing) else None

    @property
    def asker(self) -> str:
        """A name for the viewer, the same in all their tabs."""
        person = self.grant.owner or self.grant.user
        return f"person {person}" if person else f"seat {self.grant.seat}"


def find_handouts(context: ViewerContext) -> list[Handout]:
    """The handouts that a viewer sees now; runs no query if the encounter shows none."""
    if not context.encounter.handouts:
        return []
    return list(find_shown(context.encounter, context.seat, context.viewer.is_gm))


# The hints of a first fight that someone has seen: kept by account, or for a year in a guest's browser.


def find_role(viewer: Viewer) -> str:
    """Whose hints a viewer gets; none for spectators."""
    return "gm" if viewer.is_gm else "player" if viewer.is_seated else ""


def find_named(name: str) -> tuple[str, ...]:
    """The hints of a name: all of some people, or one; none for any other name."""
    return HINTS.get(name) or ((name,) if name in KEYS else ())


def read_seen(request: HttpRequest) -> frozenset[str]:
    """The hints that the person has seen, by account or in this browser."""
    seen = KEYS.intersection(request.COOKIES.get(COOKIE, "").split("."))
    if request.user.is_authenticated and seen != KEYS:
        seen |= set(SeenHint.objects.filter(user=request.user).values_list("key", flat=True))
    return seen


def find_left(request: HttpRequest, viewer: Viewer) -> tuple[tuple[str, ...], bool]:
    """The hints that a viewer of the table has not seen yet, in order; whether all actions are folded."""
    keys = HINTS.get(find_role(viewer), ())
    if not keys:
        return (), False
    seen = read_seen(request)
    return tuple(key for key in keys if key not in seen), ALL_ACTIONS not in seen


def keep_seen(request: HttpRequest, answer: HttpResponse, keys: tuple[str, ...]) -> None:
    """Store that these were seen. Two requests at once both count."""
    if request.user.is_authenticated:
        rows = [SeenHint(user=request.user, key=key) for key in keys]
        SeenHint.objects.bulk_create(rows, ignore_conflicts=True)
        return
    seen = ".".join(sorted(read_seen(request).union(keys)))
    secure = settings.SESSION_COOKIE_SECURE
    answer.set_cookie(COOKIE, seen, max_age=SECONDS, httponly=True, samesite="Lax", secure=secure)


def forget_seen(request: HttpRequest, answer: HttpResponse) -> None:
    """Show all hints again, to this account and in this browser."""
    if request.user.is_authenticated:
        SeenHint.objects.filter(user=request.user).delete()
    answer.delete_cookie(COOKIE, samesite="Lax")
