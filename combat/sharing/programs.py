"""Tokens of programs: a program acts with one as its owner would from their seat, until it is revoked."""

from __future__ import annotations

import re
import secrets

from allauth.core.internal import ratelimit
from django.core.exceptions import PermissionDenied
from django.db import close_old_connections, transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from combat.audience.rights import viewer_of
from combat.audience.viewer import GM
from combat.live import hub
from combat.models import ProgramToken
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.lookalikes import claims_gm
from cosmos_site.base.tokens import find_digest

from .links import clean_name, is_valid
from .viewer_context import ViewerContext

MAX_TOKENS, MAX_LENGTH = 10, 40  # of one person at an encounter; of a name
RATES = {"program": "10/s/key"}
BEARER = re.compile(r"Bearer ([\w-]{20,100})", re.ASCII | re.IGNORECASE)
NO_NAME = "Name the program: its name stands in the log, beside yours."
TOO_MANY = f"You have {MAX_TOKENS} tokens here, the limit: revoke one first."


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
    return ProgramToken.objects.filter(encounter=context.encounter, seat=context.seat)


def revoke_token(context: ViewerContext, number: int | None) -> None:
    """End one of this person's tokens and its open streams, at once."""
    found = list_tokens(context).filter(pk=number).first() if number else None
    if found is None:
        raise Refused("unknown", "That token is gone: reload the page.")
    pk = found.pk
    found.delete()
    transaction.on_commit(lambda: hub.end_tokens(context.encounter.pk, [pk]), robust=True)


def find_token(header: str) -> ProgramToken | None:
    """The token of an Authorization header, while it is valid; in one query, so an end is seen at once."""
    given = BEARER.fullmatch(header)
    if given is None:
        return None
    tokens = ProgramToken.objects.select_related("encounter__owner", "seat__link")
    token = tokens.filter(digest=find_digest(given[1])).first()
    seat = token.seat if token else None
    is_over = seat is not None and (seat.ended or (seat.link and not is_valid(seat.link)))
    return None if is_over else token


def context_of(token: ProgramToken) -> ViewerContext:
    """What a program may know: all that its owner may. The log names both."""
    encounter, seat = token.encounter, token.seat
    person = seat.name if seat else encounter.owner.get_username()
    return ViewerContext(encounter, viewer_of(seat) if seat else GM, seat, f"{token.name} of {person}")


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
    return hub.StreamGrant(token.encounter_id, kind, seat.pk, until, seat.digest, token=token.pk)
