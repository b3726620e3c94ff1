"""Share links and seats: letting people in, and removing them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import DatabaseError, close_old_connections, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from characters.faces import check_face
from combat.audience.changes import FOR_ALL, FOR_SEATS, count_change, find_held, find_open_seats
from combat.audience.doors import open_door, shut_door
from combat.audience.rights import ENDED
from combat.live import hub
from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import read_state, settle_players
from combat.play.writing.locking import locked
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.names import claims_gm, find_looks, is_alike
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.state.state import Combatant, State, present
from cosmos_site.base.tags import derive_token, find_digest

MAX_LINKS, MAX_LENGTH = 50, 60
SCREEN = "Screen"  # a projector or spectator who types no name
MAX_SEATS, MAX_SPECTATORS = 200, 200  # separate limits, so that spectators never keep out a player
SALT = "combat.link"
TAKEN = "Someone else has that character now: choose another."
HERE = timedelta(minutes=3)  # seen within this time: at the table
DOOR = ("closed", "opened", "version", "public", "seated", "changed")
STARTED = "The fight has started: players are in."
LET_IN = "Players are let in: they see the map and everyone whom they may know of."


def is_here(seen: datetime, now: datetime) -> bool:
    """Whether someone who was last seen then is at the table now."""
    return now - seen < HERE


def make_link(
    encounter: Encounter,
    kind: str,
    name: str,
    *,
    hours: int = 0,
    uses: int = 0,
    moves: Seat | None = None,
) -> tuple[ShareLink, str]:
    """A new link and its token of 128 bits, which is not stored. 0 hours or uses: no limit."""
    if kind not in dict(ShareLink.KINDS):
        raise Refused("bad_value", "Choose a role for the link.")
    if moves:
        encounter.links.filter(moves=moves, revoked=None).update(revoked=timezone.now())
    elif find_open_links(encounter).count() >= MAX_LINKS:
        raise Refused("not_allowed", f"An encounter has at most {MAX_LINKS} links: revoke old ones first.")
    nonce = secrets.token_urlsafe(16)
    token = derive_token(SALT, encounter.pk, kind, nonce)
    link = ShareLink.objects.create(
        encounter=encounter,
        kind=kind,
        name=clean_name(name) or dict(ShareLink.KINDS)[kind],
        digest=find_digest(token),
        nonce=nonce,
        expires=timezone.now() + timedelta(hours=hours) if hours else None,
        uses_left=uses or None,
        moves=moves,
    )
    if kind != ShareLink.CO_GM and not moves:
        let_in(encounter.pk)
    return link, token


def let_in(encounter: int) -> bool:
    """Open a fight to its players and spectators; whether it was closed."""
    with locked(encounter) as fresh:
        was_closed = open_door(fresh)
        if was_closed:
            fresh.save(update_fields=DOOR)
        return was_closed


def is_closed_now(encounter: int) -> bool:
    """Whether a fight is closed to players, as it is stored."""
    return Encounter.objects.filter(pk=encounter, closed=True).exists()


def close_again(encounter: int) -> None:
    """Close a fight that is being prepared to its players again. Refused once it has started."""
    with locked(encounter) as fresh:
        if fresh.phase != "prep" or fresh.downtime:
            raise Refused("not_allowed", STARTED)
        if not fresh.closed:
            shut_door(fresh)
            fresh.save(update_fields=DOOR)


def find_token(link: ShareLink) -> str:
    """The token of a link, to show it again; empty if it was made with another secret key."""
    token = derive_token(SALT, link.encounter_id, link.kind, link.nonce)
    return token if find_digest(token) == link.digest else ""


def find_open_links(encounter: Encounter) -> QuerySet[ShareLink]:
    """The links that still let people in, without those that move a seat to another device."""
    in_time = Q(expires=None) | Q(expires__gt=timezone.now())
    is_left = Q(uses_left=None) | Q(uses_left__gt=0)
    return encounter.links.filter(in_time, is_left, revoked=None, moves=None)


def clean_name(words: str) -> str:
    """A name as it can be kept and shown: no control characters, single spaces."""
    return tidy(words)[:MAX_LENGTH]


def open_lasting_link(encounter: Encounter, kind: str) -> ShareLink:
    """The link of a kind that is always there to share, made if there is none.

    Two who ask at once get the same one. A co-GM's lets in one person.
    """
    with locked(encounter.pk) as fresh:
        found = find_lasting_link(fresh, kind)
        return found or make_link(fresh, kind, "", uses=int(kind == ShareLink.CO_GM))[0]


def find_lasting_link(encounter: Encounter, kind: str) -> ShareLink | None:
    """The first open link of a kind that does not expire and can be shown; None if there is none."""
    links = find_open_links(encounter).filter(kind=kind, expires=None).select_related("join_code")
    if kind != ShareLink.CO_GM:
        links = links.filter(uses_left=None)
    return next(filter(find_token, links.order_by("created", "pk")), None)


def find_link(token: str) -> ShareLink | None:
    """The link that a token opens, if it still does."""
    links = ShareLink.objects.select_related("encounter", "moves__link")
    link = links.filter(digest=find_digest(token)).first()
    return link if link and is_open(link) else None


def is_open(link: ShareLink) -> bool:
    """Whether a link still lets people in; one that moves a seat ends with the seat."""
    if link.moves and (link.moves.ended or (link.moves.link and not is_valid(link.moves.link))):
        return False
    return is_valid(link) and (link.uses_left is None or link.uses_left > 0)


def is_valid(link: ShareLink) -> bool:
    """Whether the seats that a link made still count: it is not revoked and has not expired."""
    return link.revoked is None and (link.expires is None or link.expires > timezone.now())


def revoke(link: ShareLink) -> None:
    """End a link and every seat it made, with their open streams, at once."""
    now = timezone.now()
    with locked(link.encounter_id) as fresh:
        ShareLink.objects.filter(pk=link.pk).update(revoked=now)
        seats = list(link.seats.filter(ended=None))
        numbers = [seat.pk for seat in seats]
        Seat.objects.filter(pk__in=numbers).update(ended=now, removed=True)
        _close_streams(link.encounter_id, numbers, [link.pk])
        tell_people(fresh, seats)


def end_seat(seat: Seat) -> None:
    """Remove someone from the table: they stay out until the GM lets them in again."""
    with locked(seat.encounter_id) as fresh:
        _end(seat, removed=True)
        tell_people(fresh, [seat])


def leave_seat(seat: Seat) -> None:
    """End a seat that its holder gives up: its link lets them in again.

    A guest's browser forgets the seat. So it keeps its link, by which the characters of guests are counted.
    """
    with locked(seat.encounter_id) as fresh:
        if seat.user_id:
            _give_up(seat)
        else:
            _end(seat)
        tell_people(fresh, [seat])


def _end(seat: Seat, **more: bool | None) -> None:
    Seat.objects.filter(pk=seat.pk, ended=None).update(ended=timezone.now(), **more)
    _close_streams(seat.encounter_id, [seat.pk])


def _give_up(seat: Seat) -> None:
    """End a seat that no GM removed: without its link, so that this lets its holder in again."""
    _end(seat, link=None)


def tell_people(encounter: Encounter, seats: Iterable[Seat]) -> None:
    """Let the fight know whom people play now, and pages look again that show these people; in the lock.

    The page that lets people in shows all of them. Everybody sees the token of a character whose player
    chose a face. The waiting room lists the players.
    """
    settle_players(encounter)
    tell_of_people(encounter)
    seats = list(seats)
    if any(seat.face and seat.combatants for seat in seats):
        audience = FOR_ALL
    elif encounter.phase == "prep" and any(seat.kind != ShareLink.WATCH for seat in seats):
        audience = FOR_SEATS
    else:
        return
    count_change(encounter, audience)
    encounter.save(update_fields=["version", "public", "seated", "changed"])


def tell_of_people(encounter: Encounter) -> None:
    """Tell the GM's pages, once the change is committed, that the people at a table have changed."""
    transaction.on_commit(lambda: hub.tell_of_people(encounter.pk), robust=True)


def _close_streams(encounter: int, seats: list[int], links: list[int] | None = None) -> None:
    transaction.on_commit(lambda: hub.end_seats(encounter, seats, links), robust=True)


def admit_program(token: str) -> hub.StreamGrant | None:
    """The right of a program to hear of changes, by a spectator link only; None for any other token."""
    close_old_connections()
    link = find_link(token)
    if link is None or link.kind != ShareLink.WATCH:
        return None
    until = link.expires.timestamp() if link.expires else None
    return hub.StreamGrant(link.encounter_id, "public", until=until, link=link.pk)


def open_combatants(encounter: Encounter, state: State | None = None) -> list[Combatant]:
    """Player characters without a seat."""
    return find_characters(encounter, state)[0]


def find_characters(
    encounter: Encounter, state: State | None = None
) -> tuple[list[Combatant], list[Combatant]]:
    """The player characters without a seat, and those that someone plays; none that is hidden."""
    held, state = find_held(encounter), state or read_state(encounter)
    known = [f for f in present(state) if f.pc and not f.hidden]
    return [f for f in known if f.id not in held], [f for f in known if f.id in held]


@dataclass(frozen=True)
class Arrival:
    """What someone who follows a link asks for; `face` is a drawn one, `watches` for no part in the fight."""

    name: str = ""
    combatant: str = ""
    face: str = ""
    watches: bool = False


def take_seat(
    link: ShareLink, wanted: Arrival, user: User | None, old: Seat | None = None
) -> tuple[Seat, str]:
    """A seat for someone who came by a link, and the secret that holds it. Refused if none is left.

    `old` is the seat they already have at this table: it ends, or stays if the link adds nothing to it.
    """
    check_face(wanted.face)
    with locked(link.encounter_id) as fresh:  # one at a time, so that no combatant is taken twice
        secret = secrets.token_urlsafe(16)
        if old and not link.moves and _has_all(old, link, wanted):
            return _hold(old, user or old.user, secret, face=wanted.face, fresh=fresh)
        _use_up(link)
        if link.moves:
            return _hold(link.moves, user, secret)
        if old:
            _give_up(old)
        usual = SCREEN if _find_kind(link, wanted) == ShareLink.WATCH else ""
        called = clean_name(user.get_username() if user else wanted.name) or usual
        if not user:
            _check_name(link.encounter, called)
            called = _tell_apart(link.encounter, called)
        seat = _sit_down(link, replace(wanted, name=called), user, secret)
        tell_people(fresh, [seat, *([old] if old else [])])
        return seat, secret


def _find_kind(link: ShareLink, wanted: Arrival) -> str:
    """The kind of seat that someone gets: a player may prefer to watch."""
    return ShareLink.WATCH if wanted.watches and link.kind == ShareLink.PLAY else link.kind


def _has_all(seat: Seat, link: ShareLink, wanted: Arrival) -> bool:
    """Whether a seat has all that the link would add."""
    is_same = seat.kind == _find_kind(link, wanted)
    return is_same and (not wanted.combatant or wanted.combatant in seat.combatants)


def _sit_down(link: ShareLink, wanted: Arrival, user: User | None, secret: str) -> Seat:
    encounter, kind = link.encounter, _find_kind(link, wanted)
    if not wanted.name:
        raise Refused("bad_value", "Enter a name the others know you by.")
    _make_room(encounter, kind)
    return Seat.objects.create(
        encounter=encounter,
        link=link,
        user=user,
        name=wanted.name,
        kind=kind,
        digest=find_digest(secret),
        combatants=_claim(encounter, kind, wanted.combatant),
        face=wanted.face if kind == ShareLink.PLAY else "",
    )


def _make_room(encounter: Encounter, kind: str) -> None:
    """If the table is full, end the seat of the longest-absent guest who has nothing here.

    Refused if there is no such guest. Spectators have places of their own. A browser without cookies is
    a new guest each time: its seats must not fill the table.
    """
    watches = Q(kind=ShareLink.WATCH)
    watching = kind == ShareLink.WATCH
    places = find_open_seats().filter(watches if watching else ~watches, encounter=encounter)
    if places.count() < (MAX_SPECTATORS if watching else MAX_SEATS):
        return
    idle = places.filter(user=None, combatants=[], sheets=None, seen__lt=timezone.now() - HERE)
    seat = idle.exclude(kind=ShareLink.CO_GM).order_by("seen").first()
    if seat is None:
        text = "All places for spectators are taken" if watching else "This table is full"
        raise Refused("not_allowed", f"{text}: ask the GM to remove a seat.")
    _give_up(seat)


def _tell_apart(encounter: Encounter, name: str) -> str:
    """The name of a guest, with a number if another one at this table has it."""
    seats = find_open_seats().filter(encounter=encounter).values_list("name", flat=True)
    taken = frozenset[str]().union(*map(find_looks, seats))
    numbered = (f"{name[: MAX_LENGTH - 4]} {n}" for n in range(2, MAX_SEATS + MAX_SPECTATORS + 2))
    return next(each for each in (name, *numbered) if taken.isdisjoint(find_looks(each)))


def _check_name(encounter: Encounter, name: str) -> None:
    """Refuse a guest's name that could be taken for the GM's or an account's at this table."""
    seats = find_open_seats().filter(encounter=encounter).select_related("user")
    known = seats.filter(Q(kind=ShareLink.CO_GM) | ~Q(user=None))
    taken = [encounter.owner.get_username(), *(seat.name for seat in known)]
    taken += [seat.user.get_username() for seat in known if seat.user]
    if claims_gm(name) or is_alike(name, taken):
        raise Refused("not_allowed", f"{name} is taken at this table: choose another name.")


def _use_up(link: ShareLink) -> None:
    """Count a use; if two people come at once, only one gets the last use."""
    valid = ShareLink.objects.filter(pk=link.pk, revoked=None)
    if link.uses_left is None:
        left = valid.exists()
    else:
        left = bool(valid.filter(uses_left__gt=0).update(uses_left=F("uses_left") - 1))
    if not left:
        raise Refused("not_allowed", "This link is used up: ask the GM for a new one.")


def _claim(encounter: Encounter, kind: str, combatant: str) -> list[str]:
    """The combatant that comes with a seat, if any."""
    if not combatant or kind != ShareLink.PLAY:
        return []
    if combatant not in {f.id for f in open_combatants(encounter)}:
        raise Refused("not_allowed", TAKEN)
    return [combatant]


def _hold(
    seat: Seat, user: User | None, secret: str, face: str = "", fresh: Encounter | None = None
) -> tuple[Seat, str]:
    """Move the seat to this browser; the one that held it, and all programs, lose it. `face`: a new one."""
    fields = {"digest": find_digest(secret), "user": user, "face": face or seat.face}
    if not Seat.objects.filter(pk=seat.pk, ended=None).update(**fields):
        raise Refused("not_allowed", ENDED)
    seat.tokens.all().delete()
    _close_streams(seat.encounter_id, [seat.pk])
    seat.refresh_from_db()
    if face and fresh:
        tell_people(fresh, [seat])
    return seat, secret


def keep_seats(user: User, held: dict[str, str]) -> None:
    """Move the seats that a browser holds as a guest to the account that signed in, and its removals."""
    digests = [find_digest(secret) for secret in held.values()]
    kept = Q(ended=None) | Q(removed=True)
    Seat.objects.filter(kept, digest__in=digests, user=None).update(user=user)


def find_open_seat(encounter: Encounter, word: str) -> Seat:
    """The open seat with the number that a form names, or Refused."""
    number = read_count(word)
    seat = encounter.seats.filter(pk=number, ended=None).first() if number else None
    if seat is None:
        raise Refused("unknown", "That seat is gone: reload the page.")
    return seat


def assign(
    encounter: Encounter, combatants: Sequence[str], seat: Seat | None, *, only_free: bool = False
) -> None:
    """Give combatants to a seat, or back to the GM; pages of all seats look again.

    `only_free`: Refused if one of them has a seat already.
    """
    with locked(encounter.pk) as fresh:
        here = {f.id for f in present(read_state(fresh))}
        if not combatants or not here.issuperset(combatants):
            raise Refused("unknown", "Choose combatants that are in this encounter.")
        if seat and not fresh.seats.filter(pk=seat.pk, ended=None).exists():
            raise Refused("stale", ENDED)
        if only_free and find_held(fresh).intersection(combatants):
            raise Refused("stale", TAKEN)
        wanted = {}
        for other in fresh.seats.filter(ended=None, kind=ShareLink.PLAY):
            rest = [who for who in other.combatants if who not in combatants]
            wanted[other] = [*rest, *dict.fromkeys(combatants)] if seat and seat.pk == other.pk else rest
        _write_seats(fresh, wanted)


def swap_players(encounter: Encounter, combatants: Sequence[str]) -> None:
    """Let the players of two combatants change places; one of the two may be the GM."""
    with locked(encounter.pk) as fresh:
        pair = tuple(dict.fromkeys(combatants))
        here = {f.id for f in present(read_state(fresh))}
        if len(pair) != 2 or not here.issuperset(pair):
            raise Refused("unknown", "Choose two combatants: their players change places.")
        other = dict(zip(pair, reversed(pair), strict=True))
        seats = fresh.seats.filter(ended=None, kind=ShareLink.PLAY)
        wanted = {seat: [other.get(who, who) for who in seat.combatants] for seat in seats}
        if all(sorted(mine) == sorted(seat.combatants) for seat, mine in wanted.items()):
            raise Refused("not_allowed", "The same person plays both: choose two with different players.")
        _write_seats(fresh, wanted)


def _write_seats(encounter: Encounter, wanted: Mapping[Seat, list[str]]) -> None:
    """Write who plays whom, also in the log; pages of all seats look again. The encounter is locked."""
    for seat, combatants in wanted.items():
        if combatants != seat.combatants:
            Seat.objects.filter(pk=seat.pk).update(combatants=combatants)
    settle_players(encounter)
    count_change(encounter, FOR_ALL if any(seat.face for seat in wanted) else FOR_SEATS)
    encounter.save(update_fields=["version", "public", "seated", "changed"])


def touch_seat(seat: Seat) -> None:
    """Note that the seat is in use; at most one write a minute. What can only be read is still read."""
    if timezone.now() - seat.seen > timedelta(minutes=1):
        with suppress(DatabaseError):
            Seat.objects.filter(pk=seat.pk).update(seen=timezone.now())


# Join codes: short enough to type by hand, open only while the GM shows them, never for a co-GM.
