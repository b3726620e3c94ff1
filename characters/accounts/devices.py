"""The browsers that someone is signed in with, and signing them out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from ..ports import encounters

BROWSER, SINCE = "browser", "since"  # what a session keeps of its sign-in
# Words of a browser's own description, the more special ones first: others claim to be these
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "a Mac",
    "Linux": "Linux",
}


@dataclass(frozen=True)
class Device:
    """A browser that is signed in: its mark, its description, since when, and whether it asks now."""

    mark: str
    name: str
    since: datetime | None
    is_here: bool


def note_sign_in(sender: object, request: HttpRequest, user: User, **_: Any) -> None:
    """Keep in a session which browser signed in, and when."""
    request.session[BROWSER] = name_browser(request.headers.get("User-Agent", ""))
    request.session[SINCE] = timezone.now().isoformat(timespec="seconds")


def name_browser(description: str) -> str:
    """A browser by its own description, such as "Firefox on Android"."""
    browser = _find_word(description, BROWSERS) or "A browser"
    system = _find_word(description, SYSTEMS)
    return f"{browser} on {system}" if system else browser


def _find_word(description: str, known: dict[str, str]) -> str:
    return next((name for word, name in known.items() if word in description), "")


def find_devices(request: HttpRequest) -> list[Device]:
    """The browsers that the person of this request is signed in with: this one first, then the newest."""
    found = [
        Device(
            _mark(key),
            str(content.get(BROWSER, "A browser")),
            datetime.fromisoformat(content[SINCE]) if SINCE in content else None,
            key == request.session.session_key,
        )
        for key, content in _find_sessions(request.user.pk)
    ]
    return sorted(
        found, key=lambda one: (one.is_here, one.since.timestamp() if one.since else 0), reverse=True
    )


def end_sessions(person: int, kept: str = "", marks: Iterable[str] | None = None) -> int:
    """Sign someone out in their browsers with these marks, or in all, and close their pages; how many.

    `kept` is the key of the session that stays.
    """
    others = [key for key, _ in _find_sessions(person) if key != kept]
    ended = others if marks is None else [key for key in others if _mark(key) in set(marks)]
    with transaction.atomic():
        Session.objects.filter(session_key__in=ended).delete()
        encounters.end_streams(ended)
    return len(ended)


def note_sign_out(sender: object, request: HttpRequest, **_: Any) -> None:
    """Close the pages of a browser that signs out."""
    if key := request.session.session_key:
        encounters.end_streams([key])


def note_new_password(sender: object, request: HttpRequest, user: User, **_: Any) -> None:
    """End all other access of someone who has a new password; of their programs, only if they want that."""
    key, keeps = request.session.session_key or "", "keep_programs" in request.POST
    encounters.end_access(user, key, keeps_programs=keeps)


def _find_sessions(person: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The sessions of someone, with their keys. Only their content tells whose they are."""
    store = SessionStore()
    open_now = Session.objects.filter(expire_date__gt=timezone.now())
    for key, raw in open_now.values_list("session_key", "session_data").iterator():
        content = store.decode(raw)
        if content.get(SESSION_KEY) == str(person):
            yield key, content


def _mark(key: str) -> str:
    """What a page calls a session: its key would sign in whoever reads it."""
    return hashlib.sha256(f"device {key}".encode()).hexdigest()[:16]
