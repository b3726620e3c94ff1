"""Half-made characters, kept in the session of a browser until they are finished or forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

MAKING = "making"  # in the session: what a character is made for -> the query of its page
MAX_KEPT, MAX_LENGTH = 5, 8000


@dataclass(frozen=True)
class Kept:
    """A half-made character: the query that opens its page again, and its name."""

    query: str
    name: str


def keep(request: HttpRequest, purpose: str, query: str) -> None:
    """Keep a half-made character; the oldest of many are dropped."""
    if len(query) > MAX_LENGTH:
        return
    others = {key: value for key, value in _find_all(request).items() if key != purpose}
    while len(others) >= MAX_KEPT:
        del others[next(iter(others))]
    request.session[MAKING] = {**others, purpose: query}


def find_kept(request: HttpRequest, purpose: str) -> Kept | None:
    """The character that this browser left half made for the same purpose."""
    query = _find_all(request).get(purpose, "")
    return Kept(query, QueryDict(query).get("name", "")) if query else None


def forget(request: HttpRequest, purpose: str) -> None:
    """Drop a half-made character: it is finished, or not wanted."""
    others = {key: value for key, value in _find_all(request).items() if key != purpose}
    if others != _find_all(request):
        request.session[MAKING] = others


def _find_all(request: HttpRequest) -> dict[str, str]:
    found: dict[str, str] = request.session.get(MAKING, {})
    return found
