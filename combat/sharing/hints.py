"""The hints of a first fight that someone has seen: kept by account, or for a year in a guest's browser."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from characters.models import SeenHint
from combat.audience.viewer import Viewer

# By the people who get them, in their order; templates/help/hints/ has the words
HINTS = {
    "gm": ("gm-start", "gm-act", "gm-roll", "gm-why", "gm-next", "gm-undo"),
    "player": ("player-wait", "player-act", "player-roll"),
}
KEYS = frozenset(key for keys in HINTS.values() for key in keys)
COOKIE, SECONDS = "hints", 365 * 86_400


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


def find_left(request: HttpRequest, viewer: Viewer) -> tuple[str, ...]:
    """The hints that a viewer of the table has not seen yet, in order."""
    keys = HINTS.get(find_role(viewer), ())
    seen = read_seen(request) if keys else frozenset()
    return tuple(key for key in keys if key not in seen)


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
