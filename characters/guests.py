"""Guests: people without an account, whose characters belong to their seat at a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponseBase

from .ports import encounters

if TYPE_CHECKING:
    from .models import Character


Answer = TypeVar("Answer", bound=HttpResponseBase)


class Guest(AnonymousUser):
    """A person without an account who holds a player's seat.

    `sheets` are the ids of their characters; `keep` gives them new ones, or refuses.
    """

    def __init__(
        self, name: str, sheets: frozenset[int], keep: Callable[[Sequence[Character]], None]
    ) -> None:
        super().__init__()
        self.username = name  # type: ignore[assignment]  # of Django's, which is always empty
        self.sheets, self.keep = sheets, keep


Keeper = User | Guest


@dataclass(frozen=True)
class Table:
    """A table that a character can join, and its game; `is_there` if the character is there already."""

    encounter: int
    name: str
    system: str
    is_there: bool = False


def visitor_of(request: HttpRequest) -> User | AnonymousUser:
    """Who sends the request: a person with an account, a guest with a seat, or an anonymous user."""
    kept = vars(request)  # one request asks for it several times
    if "cosmos_visitor" not in kept:
        is_known = request.user.is_authenticated
        guest = None if is_known else encounters.find_guest(request)
        kept["cosmos_visitor"] = guest or request.user
    found: User | AnonymousUser = kept["cosmos_visitor"]
    return found


def keeper_of(request: HttpRequest) -> Keeper:
    """The person or guest who may own characters; only for pages that require one."""
    visitor = visitor_of(request)
    assert isinstance(visitor, User | Guest)
    return visitor


def for_keepers(view: Callable[..., Answer]) -> Callable[..., Answer]:
    """A page for people with an account and guests with a seat; others are sent to sign in."""
    for_accounts = login_required(view)

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Answer:
        chosen = view if isinstance(visitor_of(request), Guest) else for_accounts
        return chosen(request, *args, **kwargs)

    return guarded


def find_tables(request: HttpRequest, character: Character | None = None) -> list[Table]:
    """The tables that a character can join or is at, the one asked for first."""
    found: list[Table] = encounters.find_tables(request, character)
    return found


def bring_made(request: HttpRequest, table: Table, character: Character) -> bool:
    """Let a character that was made for a table join it; whether it did."""
    brought: bool = encounters.bring_made(request, table.encounter, character)
    return brought
