"""What ends when someone's access does: sessions, sign-in links, links that move seats, programs, streams."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from characters.accounts.accounts import end_sessions
from characters.accounts.users import end_links
from combat.live import hub
from combat.models import ShareLink

from .programs import end_tokens, find_tokens_of


@transaction.atomic
def end_access(person: User, kept: str = "", *, keeps_programs: bool = False) -> tuple[int, int]:
    """End all that lets someone in, and their open streams; how many sessions and programs ended.

    `kept` is the key of the session that stays. Their seats stay theirs: they come back by signing in.
    """
    ended = end_sessions(person.pk, kept)
    end_links(person)
    ShareLink.objects.filter(moves__user=person, revoked=None).update(revoked=timezone.now())
    return ended, 0 if keeps_programs else end_tokens(find_tokens_of(person))


def end_streams(sessions: Iterable[str]) -> None:
    """Close the streams of browsers whose sessions, by their keys, end in this transaction."""
    transaction.on_commit(partial(hub.end_sessions, list(sessions)), robust=True)
