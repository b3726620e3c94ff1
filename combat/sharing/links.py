"""Share links and seats: letting people in, and seeing them out."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import close_old_connections, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from combat.audience.artists import forget_artists
from combat.audience.changes import FOR_SEATS, count_change, find_held
from combat.audience.rights import ENDED
from combat.live import hub
from combat.models import Encounter, Seat, ShareLink
from combat.play.encounter_service import read_state
from combat.play.locking import locked
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.lookalikes import claims_gm, find_looks, is_alike
from combat.rules.core.state.state import Combatant, State, present

from .access import find_digest, find_open_seats

MAX_LINKS, MAX_LENGTH = 50, 60
MAX_SEATS, MAX_SPECTATORS = 200, 200  # places apart, so that nobody who plays waits for those who watch
HERE = timedelta(minutes=3)  # who was seen within them is at the table


def make_link(
    encounter: Encounter,
    kind: str,
    name: str,
    *,
    hours: int = 0,
    uses: int = 0,
    moves: Seat | None = None,
) -> tuple[ShareLink, str]:
    """A new link and its token of 128 bits, which is not kept. 0 hours or uses: no limit."""
    if kind not in dict(ShareLink.KINDS):
        raise Refused("bad_value", "Choose a role for the link.")
    if moves:
        encounter.links.filter(moves=moves, revoked=None).update(revoked=timezone.now())
    elif find_open_links(encounter).count() >= MAX_LINKS:
        raise Refused("not_allowed", f"An encounter has at most {MAX_LINKS} links: revoke old ones first.")
    nonce = secrets.token_urlsafe(16)
    token = _make_token(encounter.pk, kind, nonce)
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
    return link, token


def _make_token(encounter: int, kind: str, nonce: str) -> str:
    """The token of a link: nobody makes it without the secret key of this site."""
    code = salted_hmac("combat.link", f"{encounter}:{kind}:{nonce}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(code[:16]).rstrip(b"=").decode()


def find_token(link: ShareLink) -> str:
    """The token of a link, to be shown again; empty for one made with another secret key."""
    token = _make_token(link.encounter_id, link.kind, link.nonce)
    return token if find_digest(token) == link.digest else ""


def find_open_links(encounter: Encounter) -> QuerySet[ShareLink]:
    """The links that still let people in, those to another device apart."""
    in_time = Q(expires=None) | Q(expires__gt=timezone.now())
    is_left = Q(uses_left=None) | Q(uses_left__gt=0)
    return encounter.links.filter(in_time, is_left, revoked=None, moves=None)


def clean_name(words: str) -> str:
    """A name as it can be kept and shown: no control signs, one space between words."""
    return tidy(words)[:MAX_LENGTH]


def find_link(token: str) -> ShareLink | None:
    """The link that a token opens, if it still does."""
    links = ShareLink.objects.select_related("encounter", "moves__link")
    link = links.filter(digest=find_digest(token)).first()
    return link if link and is_open(link) else None


def is_open(link: ShareLink) -> bool:
    """Whether a link still lets people in; one that moves a seat ends with that seat."""
    if link.moves and (link.moves.ended or (link.moves.link and not _is_valid(link.moves.link))):
        return False
    return _is_valid(link) and (link.uses_left is None or link.uses_left > 0)


def _is_valid(link: ShareLink) -> bool:
    return link.revoked is None and (link.expires is None or link.expires > timezone.now())


def revoke(link: ShareLink) -> None:
    """End a link and every seat it made, with their open streams, at once."""
    now = timezone.now()
    with transaction.atomic():
        ShareLink.objects.filter(pk=link.pk).update(revoked=now)
        seats = list(link.seats.filter(ended=None).values_list("pk", flat=True))
        Seat.objects.filter(pk__in=seats).update(ended=now)
        _close_streams(link.encounter_id, seats, [link.pk])


def end_seat(seat: Seat) -> None:
    """See somebody out."""
    with transaction.atomic():
        Seat.objects.filter(pk=seat.pk, ended=None).update(ended=timezone.now())
        _close_streams(seat.encounter_id, [seat.pk])


def _close_streams(encounter: int, seats: list[int], links: list[int] | None = None) -> None:
    forget_artists(encounter)
    transaction.on_commit(lambda: hub.end_seats(encounter, seats, links), robust=True)


def admit_program(token: str) -> hub.StreamGrant | None:
    """The right of a program to be told of changes, by a spectator link alone; None for any other token."""
    close_old_connections()
    link = find_link(token)
    if link is None or link.kind != ShareLink.WATCH:
        return None
    until = link.expires.timestamp() if link.expires else None
    return hub.StreamGrant(link.encounter_id, "public", until=until, link=link.pk)


def open_fighters(encounter: Encounter, state: State | None = None) -> list[Combatant]:
    """Player characters that nobody has a seat for yet."""
    taken = find_held(encounter)
    state = state or read_state(encounter)
    return [f for f in present(state) if f.pc and not f.hidden and f.id not in taken]


def take_seat(
    link: ShareLink, name: str, user: User | None, fighter: str = "", old: Seat | None = None
) -> tuple[Seat, str]:
    """A seat for somebody who came by a link, and the secret that holds it. Refused if none is left.

    `old` is the seat they have at this table already: it ends, or stays as it is if the link
    gives nothing more than it.
    """
    with locked(link.encounter_id):  # one after the other, so that no fighter is taken twice
        secret = secrets.token_urlsafe(16)
        if old and not link.moves and old.kind == link.kind and (not fighter or fighter in old.fighters):
            return _hold(old, user or old.user, secret)
        _use_up(link)
        if link.moves:
            return _hold(link.moves, user, secret)
        if old:
            end_seat(old)
        called = clean_name(user.get_username() if user else name)
        if not user:
            _check_name(link.encounter, called)
            called = _tell_apart(link.encounter, called)
        return _sit_down(link, called, user, fighter, secret)


def _sit_down(link: ShareLink, name: str, user: User | None, fighter: str, secret: str) -> tuple[Seat, str]:
    encounter = link.encounter
    if not name:
        raise Refused("bad_value", "Enter a name the others know you by.")
    _make_room(encounter, link.kind)
    seat = Seat.objects.create(
        encounter=encounter,
        link=link,
        user=user,
        name=name,
        kind=link.kind,
        digest=find_digest(secret),
        fighters=_claim(encounter, link, fighter),
    )
    forget_artists(encounter.pk)
    return seat, secret


def _make_room(encounter: Encounter, kind: str) -> None:
    """Where all places are taken, end the seat of the guest who has been away longest and has nothing here.

    Refused if there is none. Spectators have places of their own. A browser holds one seat, but without
    cookies it is a new guest each time: its seats lock nobody out.
    """
    watches = Q(kind=ShareLink.WATCH)
    watching = kind == ShareLink.WATCH
    places = find_open_seats().filter(watches if watching else ~watches, encounter=encounter)
    if places.count() < (MAX_SPECTATORS if watching else MAX_SEATS):
        return
    idle = places.filter(user=None, fighters=[], sheets=None, seen__lt=timezone.now() - HERE)
    seat = idle.exclude(kind=ShareLink.CO_GM).order_by("seen").first()
    if seat is None:
        text = "All places for spectators are taken" if watching else "This table is full"
        raise Refused("not_allowed", f"{text}: ask the GM to remove a seat.")
    end_seat(seat)


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
    """Count a use; of two people at once, the last use goes to one."""
    valid = ShareLink.objects.filter(pk=link.pk, revoked=None)
    if link.uses_left is None:
        left = valid.exists()
    else:
        left = bool(valid.filter(uses_left__gt=0).update(uses_left=F("uses_left") - 1))
    if not left:
        raise Refused("not_allowed", "This link is used up: ask the GM for a new one.")


def _claim(encounter: Encounter, link: ShareLink, fighter: str) -> list[str]:
    """The fighter somebody takes with a seat, if any."""
    if not fighter or link.kind != ShareLink.PLAY:
        return []
    if fighter not in {f.id for f in open_fighters(encounter)}:
        raise Refused("not_allowed", "Someone else has that character now: choose another.")
    return [fighter]


def _hold(seat: Seat, user: User | None, secret: str) -> tuple[Seat, str]:
    """The seat goes to this browser; the one that held it has it no more."""
    held = Seat.objects.filter(pk=seat.pk, ended=None).update(digest=find_digest(secret), user=user)
    if not held:
        raise Refused("not_allowed", ENDED)
    _close_streams(seat.encounter_id, [seat.pk])
    seat.refresh_from_db()
    return seat, secret


def keep_seats(user: User, held: dict[str, str]) -> None:
    """The seats that a browser holds as a guest become those of the account it has signed in to."""
    digests = [find_digest(secret) for secret in held.values()]
    Seat.objects.filter(digest__in=digests, ended=None, user=None).update(user=user)


def assign(encounter: Encounter, fighters: Sequence[str], seat: Seat | None) -> None:
    """Give combatants to a seat, or back to the GM; those at seats look again."""
    with locked(encounter.pk) as (fresh, _):
        here = {f.id for f in present(read_state(fresh))}
        if not fighters or not here.issuperset(fighters):
            raise Refused("unknown", "Choose combatants that are in this encounter.")
        if seat and not fresh.seats.filter(pk=seat.pk, ended=None).exists():
            raise Refused("stale", ENDED)
        for other in fresh.seats.filter(ended=None, kind=ShareLink.PLAY):
            rest = [who for who in other.fighters if who not in fighters]
            wanted = [*rest, *dict.fromkeys(fighters)] if seat and seat.pk == other.pk else rest
            if wanted != other.fighters:
                Seat.objects.filter(pk=other.pk).update(fighters=wanted)
        count_change(fresh, FOR_SEATS)
        fresh.save(update_fields=["version", "public", "seated", "changed"])


def touch_seat(seat: Seat) -> None:
    """Remember that somebody is here; at most one write a minute."""
    if timezone.now() - seat.seen > timedelta(minutes=1):
        Seat.objects.filter(pk=seat.pk).update(seen=timezone.now())
