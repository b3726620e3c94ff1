"""Who may open what: one helper fetches an encounter and checks the right in the same line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, close_old_connections
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.cookie import parse_cookie
from django.shortcuts import render, resolve_url
from django.utils import timezone

from characters.access import Host
from characters.accounts.users import is_host
from characters.fights import Fight, leave_alone
from characters.models import Character
from combat.audience.changes import find_encounter, find_open_seats
from combat.audience.doors import is_closed
from combat.audience.removals import find_removal
from combat.audience.rights import viewer_of
from combat.audience.secrecy import redact
from combat.audience.viewer import GM, Viewer
from combat.live import hub
from combat.models import Encounter, ProgramToken, Seat, ShareLink
from combat.play.campaigns.roster import find_character_id
from combat.play.writing.encounter_service import Submission, read_state, submit
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.gm.aliases import real_name
from combat.rules.core.sheets.catalogue import OWN, Entry
from combat.rules.core.state.state import State, present
from cosmos_site.base.tags import find_digest

from .closed import CLOSED, show_closed
from .pens import read_pins
from .viewer_context import ViewerContext

SEATS = "seats"  # in the session: encounter id -> the seat's secret
MAX_SEATS_SHOWN = 6
GONE = "Encounter not found, or not shared with you."
GONE_STATUS = 410
TABLE_DELETED = "The GM deleted this table."
SEAT_MOVED = "Your seat is no longer on this device. If you did not move it, ask the GM for a new link."
SEAT_REMOVED = "The GM removed your seat. Ask for a new link."
SEAT_OVER = "Your seat at this table has ended. Open its link again, or ask the GM for a new one."
LINK_OVER = "Your link no longer works. Ask the GM for a new one."
MOST = 3  # encounters, those changed last


class SignInFirst(Exception):
    """An anonymous visitor asks for a page that needs a seat or an account."""


class DoorClosed(Exception):
    """Someone with a seat asks for a fight that its GM has not opened yet; `context` is their part in it."""

    def __init__(self, context: ViewerContext) -> None:
        super().__init__(CLOSED)
        self.context = context


class SeatEnded(SignInFirst):
    """The visitor no longer has a seat here; `why` says what became of it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def for_visitors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view of an encounter; visitors without a seat are sent to sign in, or told how their seat ended.

    Gives 404 if the encounter is deleted while the view reads it; only a deferred field may notice that.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except SeatEnded as ended:
            return render(request, "combat/sharing/seat_ended.html", {"why": ended.why}, status=GONE_STATUS)
        except DoorClosed as closed:
            return show_closed(request, closed.context.encounter, closed.context.seat)
        except SignInFirst:
            return redirect_to_login(request.get_full_path(), resolve_url(settings.LOGIN_URL))
        except Encounter.DoesNotExist as gone:
            raise Http404(GONE) from gone

    return guarded


def find_context(request: HttpRequest, pk: int, written: Encounter | None = None) -> ViewerContext:
    """The encounter and the visitor's part in it; without a part in it there is none.

    `written` is the encounter if this request has just written it; else it is read. Raises Http404, or
    SignInFirst for an anonymous visitor; SeatEnded if they had a seat, DoorClosed before the GM lets them in.
    """
    context = find_part(request, pk, written)
    if is_closed(context.encounter, context.viewer):
        raise DoorClosed(context)
    return context


def find_part(request: HttpRequest, pk: int, written: Encounter | None = None) -> ViewerContext:
    """The same of a fight that may still be closed: for what shows nothing of it."""
    held, encounter = request.session.get(SEATS, {}), written or find_encounter(pk)
    if encounter and encounter.owner_id == request.user.pk:
        encounter.owner, pins = request.user, read_pins(request, encounter.system)  # known without a query
        return ViewerContext(encounter, GM, None, request.user.get_username(), pins=pins)
    seat = find_seat(pk, request.user, held) if encounter else None
    if encounter is None or seat is None:
        raise _find_stop(request.user, encounter, _find_secret(pk, held))
    return ViewerContext(
        encounter, viewer_of(seat), seat, seat.name, pins=read_pins(request, encounter.system)
    )


def _find_secret(pk: int, held: dict[str, str]) -> str:
    """The secret by which a browser had a seat at a table: given there, or at another one of the campaign."""
    digests = {find_digest(secret): secret for secret in held.values()}
    had = Seat.objects.filter(encounter=pk, digest__in=digests).order_by("-created") if held else ()
    return held.get(str(pk), "") or next((digests[seat.digest] for seat in had), "")


def _find_stop(user: Any, encounter: Encounter | None, secret: str) -> Exception:
    """The exception for someone without a seat; it says more to those who had one."""
    if secret:
        return SeatEnded(_find_end(encounter, secret))
    if not user.is_authenticated:
        return SignInFirst()
    last = encounter.seats.filter(user=user).order_by("-created").first() if encounter else None
    return SeatEnded(SEAT_REMOVED if last.removed else SEAT_OVER) if last else Http404(GONE)


def _find_end(encounter: Encounter | None, secret: str) -> str:
    """What became of the seat that a browser held; one that was given up has no link any more."""
    if encounter is None:
        return TABLE_DELETED
    seat = Seat.objects.filter(encounter=encounter, digest=find_digest(secret)).first()
    if seat is None:
        return SEAT_MOVED
    if not seat.ended:
        return LINK_OVER
    return SEAT_REMOVED if seat.removed else SEAT_OVER


def find_gm_context(request: HttpRequest, pk: int) -> ViewerContext:
    """The encounter, for those who run it; Http404 for all others."""
    context = find_context(request, pk)
    if not context.viewer.is_gm:
        raise Http404(GONE)
    return context


def find_owner_context(request: HttpRequest, pk: int) -> ViewerContext:
    """The encounter, for its owner alone."""
    context = find_gm_context(request, pk)
    check_owner(request, context)
    return context


def check_owner(request: HttpRequest, context: ViewerContext) -> None:
    """Raise Http404 for all but the owner of an encounter."""
    if context.encounter.owner_id != request.user.pk:
        raise Http404(GONE)


def find_seat(encounter: int, user: Any, held: dict[str, str]) -> Seat | None:
    """The newest open seat of a visitor: by a secret in the session, or by the account.

    A secret may be that of another table: who comes back with a campaign's party holds their new seat by it.
    """
    mine = find_open_seats().filter(is_held(user, held.values()), encounter=encounter)
    return mine.order_by("-created").first()


def was_removed(link: ShareLink, user: Any, held: dict[str, str]) -> bool:
    """Whether a link keeps this browser or account out, because the GM removed them after making it."""
    removed = find_removal(link.encounter, is_held(user, held.values()))
    return removed is not None and link.created <= removed


def find_seats(request: HttpRequest) -> list[Seat]:
    """The visitor's seats at all tables, newest first; none for an anonymous visitor."""
    held = list(request.session.get(SEATS, {}).values())
    if not held and not request.user.is_authenticated:
        return []
    seats = find_open_seats().filter(is_held(request.user, held), encounter__archived=False)
    seats = seats.select_related("encounter").defer("encounter__start", "encounter__state")
    return list(seats.order_by("-created")[:MAX_SEATS_SHOWN])


def is_held(user: Any, secrets: Iterable[str]) -> Q:
    """A query for the seats of this account, or of a browser with one of these secrets."""
    held = Q(digest__in=[find_digest(secret) for secret in secrets])
    return held | Q(user=user.pk) if user.is_authenticated else held


def find_gms_of(person: User) -> QuerySet[Any]:
    """The owners, by number, of the tables where a signed-in person has a seat as player or co-GM."""
    seats = find_open_seats().filter(user=person, encounter__archived=False).exclude(kind=ShareLink.WATCH)
    return seats.values("encounter__owner")


def find_hosts(character: Character) -> tuple[Host, ...]:
    """The people who run a table where a character sits now: its GM and the signed-in co-GMs.

    Archived tables do not count.
    """
    participations = character.participations.filter(encounter__archived=False).exclude(
        encounter__owner=character.owner_id
    )
    found: dict[int, Host] = {}
    for participation in participations.select_related("encounter__owner"):
        encounter, state = participation.encounter, read_state(participation.encounter)
        combatant = state.combatants.get(participation.combatant)
        if combatant and not combatant.gone and find_character_id(combatant) == character.pk:
            keeps = bool(find_system(encounter.system).option(state, "gm_keeps_tracks"))
            name = encounter.owner.get_username()
            found[encounter.pk] = Host(
                encounter.owner_id, name, encounter.pk, table=encounter.name, keeps=keeps
            )
    if not found:
        return ()
    seats = find_open_seats().filter(kind=ShareLink.CO_GM, encounter__in=found).exclude(user=None)
    helpers = [replace(found[s.encounter_id], user=s.user_id or 0, name=s.name) for s in seats]
    return (*found.values(), *helpers)


def find_fight(character: Character) -> Fight | None:
    """The running fight that a character is in, as their player may know it; the latest of several.

    None if its owner may no longer see the fight.
    """
    fights = character.participations.filter(encounter__archived=False, encounter__phase="fight")
    found = fights.select_related("encounter").order_by("-pk").first()
    stamp = _find_stamp(character, found.encounter, found.combatant) if found else ""
    if found is None or not stamp:
        return None

    def read() -> State | None:
        state = read_state(found.encounter)
        combatant = state.combatants.get(found.combatant)
        if combatant is None or combatant.gone or find_character_id(combatant) != character.pk:
            return None
        known = redact(state, Viewer("seat", frozenset({found.combatant})))
        return leave_alone(known, found.combatant)

    return Fight(stamp, read)


def _find_stamp(character: Character, encounter: Encounter, combatant: str) -> str:
    """What the owner of a character has seen of a fight; empty unless they play this combatant, or run it."""
    if character.owner_id == encounter.owner_id:
        return encounter.stamp(is_gm=True)
    mine = Q(user=character.owner_id) if character.owner_id else Q(sheets__character=character.pk)
    seats = find_open_seats().filter(mine, encounter=encounter)
    if any(seat.kind == ShareLink.CO_GM for seat in seats):
        return encounter.stamp(is_gm=True)
    playing = [seat.own_stamp for seat in seats if combatant in seat.combatants]
    return encounter.stamp(is_gm=False, is_seated=True) + "".join(playing) if playing else ""


def admit_stream(scope: dict[str, Any], encounter: int) -> hub.StreamGrant | None:
    """The right of someone who wants to hear of an encounter; None if they have none."""
    close_old_connections()
    request = _request_of(scope)
    try:
        context = find_part(request, encounter)
    except (Http404, SignInFirst):
        return None
    viewer, seat = context.viewer, context.seat
    kind = "gm" if viewer.is_gm else "seat" if viewer.is_seated else "public"
    ends = seat.link.expires if seat and seat.link else None
    until, digest = ends.timestamp() if ends else None, seat.digest if seat else ""
    session = request.session.session_key or ""
    return hub.StreamGrant(
        context.encounter.pk, kind, seat.pk if seat else 0, until=until, digest=digest, session=session
    )


def admit_host(scope: dict[str, Any]) -> bool:
    """Whether someone who asks for a page is the host."""
    close_old_connections()
    return is_host(_request_of(scope).user)


def read_present_stamp(who: hub.StreamGrant) -> str:
    """The present stamp of an encounter; empty if it is gone, or its seat, link, token or session is."""
    close_old_connections()
    if who.session and not SessionStore().exists(who.session):
        return ""
    seat, own = None, ""
    if who.seat:
        seat = find_open_seats().filter(pk=who.seat, digest=who.digest).first()
        if seat is None:
            return ""
        own = seat.own_stamp if who.kind != "gm" else ""
    is_left = Q(uses_left=None) | Q(uses_left__gt=0)
    if who.link and not ShareLink.objects.filter(is_left, pk=who.link, revoked=None).exists():
        return ""
    if who.token and not ProgramToken.objects.filter(pk=who.token).exists():
        return ""
    encounter = Encounter.objects.only("version", "public", "seated").filter(pk=who.encounter).first()
    return encounter.stamp(who.kind == "gm", who.kind == "seat") + own if encounter else ""


def touch_presence(who: hub.StreamGrant) -> None:
    """Remember that someone still has the page open."""
    close_old_connections()
    with suppress(DatabaseError):
        Seat.objects.filter(pk=who.seat).update(seen=timezone.now())


def _request_of(scope: dict[str, Any]) -> HttpRequest:
    """A request with session and user, from the cookies of a raw ASGI scope."""

    headers = dict(scope["headers"])
    request = HttpRequest()
    request.COOKIES = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    request.user = get_user(request)
    return request


# People of a GM's open encounters, whom the page of an own item offers to give one to.


People = list[tuple[str, str]]  # each with the key of a combatant, and their name


def list_open_people(owner: User, system: str) -> list[tuple[str, People]]:
    """The people of someone's encounters of a game that are not over, by the names of these."""
    found = Encounter.objects.filter(owner=owner, system=system, archived=False, downtime=False)
    listed = []
    for encounter in found.exclude(phase="over").order_by("-changed", "-pk")[:MOST]:
        people = [(f"{encounter.pk}.{one.id}", real_name(one)) for one in present(read_state(encounter))]
        if people:
            listed.append((encounter.name, people))
    return listed


def give_item(owner: User, key: str, entry: Entry) -> str:
    """Give one of an item to a combatant of someone's own encounter; their name. Raises Refused."""
    number, _, who = key.partition(".")
    encounter = Encounter.objects.filter(owner=owner, pk=read_count(number) or 0).first()
    one = read_state(encounter).combatants.get(who) if encounter else None
    if encounter is None or one is None or one.gone:
        raise Refused("unknown", "They are no longer there: choose someone else.")
    is_own = entry.source == OWN
    fields = {"target": who, "entry": f"{entry.kind}/{'' if is_own else entry.id}"}
    given = {"record": dict(entry.record)} if is_own else {}
    submit(encounter.pk, Submission("give_item", {**fields, **given}, by=owner.get_username()))
    return real_name(one)
