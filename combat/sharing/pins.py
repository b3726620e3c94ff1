"""The actions that someone has pinned: kept in their browser for a year, per game."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from combat.rules import find_system
from combat.rules.core.basics.errors import Refused

MAX_PINS = 8  # one digit key each, and one key to spare
SECONDS = 365 * 86_400


def read_pins(request: HttpRequest, slug: str) -> tuple[str, ...]:
    """The names of a game's pinned actions, in the order they were pinned."""
    actions = find_system(slug).actions.by_name
    names = dict.fromkeys(request.COOKIES.get(f"pins-{slug}", "").split("."))
    return tuple(name for name in names if name in actions)[:MAX_PINS]


def change_pins(pins: tuple[str, ...], slug: str, name: str, pinned: bool) -> tuple[str, ...]:
    """The pins with one more or one fewer; Refused if there is no such action, or no room."""
    action = find_system(slug).action(name)
    others = tuple(each for each in pins if each != name)
    if not pinned:
        return others
    if action.who == "gm":
        raise Refused("bad_value", f"{action.label} stands under GM actions: pin what a combatant does.")
    if len(others) >= MAX_PINS:
        raise Refused("bad_value", f"{MAX_PINS} actions are pinned already: unpin one first.")
    return (*others, name)


def keep_pins(answer: HttpResponse, slug: str, pins: tuple[str, ...]) -> None:
    """Store the pins in the browser."""
    answer.set_cookie(
        f"pins-{slug}",
        ".".join(pins),
        max_age=SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
