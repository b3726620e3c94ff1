"""Tokens of programs: a program acts with one as its owner would from their seat, until it ends.

It ends with all that ends its owner's access, or after three months without use.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from functools import partial

from allauth.core.internal import ratelimit
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, close_old_connections, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from combat.audience.changes import find_open_seats
from combat.audience.doors import is_closed
from combat.audience.rights import viewer_of
from combat.audience.viewer import GM
from combat.live import hub
from combat.models import ProgramToken
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.names import claims_gm
from cosmos_site.base.tags import find_digest

from .closed import CLOSED
from .links import clean_name
from .viewer_context import ViewerContext

MAX_TOKENS, MAX_LENGTH = 10, 40  # of one person at an encounter; of a name
RATES = {"program": "10/s/key"}
UNUSED = timedelta(days=90)  # without use a token ends
NOTED = timedelta(minutes=1)  # from one note that a token is in use to the next
BEARER = re.compile(r"Bearer ([\w-]{20,100})", re.ASCII | re.IGNORECASE)
NO_NAME = "Name the program: its name stands in the log, beside yours."
TOO_MANY = f"You have {MAX_TOKENS} tokens here, the limit: end one first."


def make_token(context: ViewerContext, name: str) -> tuple[ProgramToken, str]:
    """A new token of 256 bits for a program of this person; only its digest is stored.

    Raises Refused, or PermissionDenied for spectators: programs watch by a spectator link.
    """
    if context.viewer.is_spectator:
        raise PermissionDenied("Spectators can't act, and neither can their programs.")
    name = clean_name(name)[:MAX_LENGTH].strip()
    if not name:
        raise Refused("bad_value", NO_NAME)
    if claims_gm(name):
        raise Refused("bad_value", f"{name} could be taken for the GM: choose another name.")
    token = secrets.token_urlsafe(32)
    with locked(context.encounter.pk) as fresh:
        if list_tokens(context).count() >= MAX_TOKENS:
            raise Refused("not_allowed", TOO_MANY)
        made = ProgramToken.objects.create(
            encounter=fresh, seat=context.seat, name=name, digest=find_digest(token)
        )
    return made, token


def list_tokens(context: ViewerContext) -> QuerySet[ProgramToken]:
    """The tokens of one person at an encounter, the oldest first."""
    return find_open_tokens().filter(encounter=context.encounter, seat=context.seat)


def find_open_tokens() -> QuerySet[ProgramToken]:
    """The tokens that count: of open seats and of owners, used or made within the last months."""
    since = timezone.now() - UNUSED
    is_used = Q(used__gt=since) | Q(used=None, created__gt=since)
    return ProgramToken.objects.filter(is_used, Q(seat=None) | Q(seat__in=find_open_seats()))


def find_tokens_of(person: User) -> QuerySet[ProgramToken]:
    """The tokens of an account at all tables, the oldest first."""
    own = Q(seat=None, encounter__owner=person) | Q(seat__user=person)
    return find_open_tokens().filter(own).select_related("encounter")


def end_tokens(tokens: Iterable[ProgramToken]) -> int:
    """End tokens and their open streams, at once; how many."""
    ended = list(tokens)
    ProgramToken.objects.filter(pk__in=[token.pk for token in ended]).delete()
    for token in ended:
        transaction.on_commit(partial(hub.end_tokens, token.encounter_id, [token.pk]), robust=True)
    return len(ended)


def end_token(tokens: QuerySet[ProgramToken], number: int | None) -> None:
    """End one of these tokens; Refused if it is not among them."""
    if not number or not end_tokens(tokens.filter(pk=number)):
        raise Refused("unknown", "That token is gone: reload the page.")


def find_token(header: str) -> ProgramToken | None:
    """The token of an Authorization header, while it is valid; in one query, so an end is seen at once."""
    given = BEARER.fullmatch(header)
    if given is None:
        return None
    tokens = find_open_tokens().select_related("encounter__owner", "seat__link")
    token = tokens.filter(digest=find_digest(given[1])).first()
    if token and (token.used is None or timezone.now() - token.used > NOTED):
        with suppress(DatabaseError):  # what can only be read is still read
            ProgramToken.objects.filter(pk=token.pk).update(used=timezone.now())
    return token


def context_of(token: ProgramToken) -> ViewerContext:
    """What a program may know: all that its owner may. The log names both."""
    encounter, seat = token.encounter, token.seat
    person = seat.name if seat else encounter.owner.get_username()
    return ViewerContext(encounter, viewer_of(seat) if seat else GM, seat, f"{token.name} of {person}")


def find_open_context(token: ProgramToken) -> ViewerContext:
    """The same, once the GM has let players in; PermissionDenied before."""
    context = context_of(token)
    if is_closed(context.encounter, context.viewer):
        raise PermissionDenied(CLOSED)
    return context


def is_too_fast(token: int) -> bool:
    """Whether a token was used ten times within the last second, at all workers together."""
    count = {"app": "combat.sharing", "action": "program", "config": RATES, "limit_get": True}
    return ratelimit.consume(HttpRequest(), key=str(token), **count) is None


def admit_token(header: str) -> hub.StreamGrant | None:
    """The right of a program to hear of changes, by its token; None if it has none."""
    close_old_connections()
    token = find_token(header)
    if token is None:
        return None
    kind = "gm" if context_of(token).viewer.is_gm else "seat"
    seat = token.seat
    if seat is None:
        return hub.StreamGrant(token.encounter_id, kind, token=token.pk)
    until = seat.link.expires.timestamp() if seat.link and seat.link.expires else None
    return hub.StreamGrant(token.encounter_id, kind, seat.pk, until=until, digest=seat.digest, token=token.pk)
