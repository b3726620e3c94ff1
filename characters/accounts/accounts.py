"""Signing in: the one-time link, and how allauth is set up for a table without e-mail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY, login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.names import claims_gm, is_alike
from combat.rules.core.basics.numbers import read_count
from cosmos_site.base.errors import TOO_MANY
from cosmos_site.base.outside import OUTSIDE, is_local

from ..access import person_of
from ..ports import encounters
from .users import can_sign_in_alone, find_sign_in_link, is_host, use_sign_in_link

# How many wrong passwords are allowed: for one name from one address, so that typing errors lock out nobody
# else with that address or name; for one name from anywhere; and for one address. An attempt that an earlier
# limit refuses does not count toward a later one.
ATTEMPTS = {"sign_in_pair": "5/5m/key", "sign_in_name": "30/h/key", "sign_in_address": "30/5m/ip"}
WAIT_SECONDS = {"sign_in_pair": 300, "sign_in_name": 3600, "sign_in_address": 300}
TOO_MANY_ATTEMPTS = "too_many_login_attempts"  # allauth's code of that error
USUAL_WAIT, SHORT_WAIT = 300, 60  # seconds: of allauth's limits of wrong codes, and of its limits of requests
WAITS = "cosmos_waits"  # the attribute of a request that was one too many: the seconds to wait
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


def say_signup_closed() -> str:
    """Why strangers cannot make an account now, in one line; empty if they can."""
    if settings.COSMOS_SIGNUP == "closed":
        return "The GM creates accounts here: ask for a sign-in link."
    if OUTSIDE.opened:
        return "No new accounts while the table is open to the internet: ask the GM for a sign-in link."
    return ""


def find_passkey_obstacle(request: HttpRequest) -> str:
    """Why passkeys do not work at the address of a page, with what works; empty if they do.

    Browsers keep them for a name, over https or on the visitor's own machine.
    """
    place = urlsplit(f"//{request.get_host()}")
    name, port = place.hostname or "", f":{place.port}" if place.port else ""
    if not _is_number(name) and (request.is_secure() or is_local(name)):
        return ""
    return f"Passkeys need a name: open http://localhost{port} or your https address."


def _is_number(host: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(host))
    return False


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """How allauth behaves at this table."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to sign in until it succeeds; ValidationError after too many."""
        name = self._get_login_attempts_cache_key(request, **credentials)
        keys = {"sign_in_pair": f"{ratelimit.get_ip(request)} {name}", "sign_in_name": name}
        self._login_failed_rl_usage = ratelimit.RateLimitUsage(usage=[])
        for action in ATTEMPTS:
            counted = ratelimit.consume(
                request, app="allauth.account", action=action, config=ATTEMPTS, key=keys.get(action)
            )
            if not counted:
                raise self._refuse_attempt(WAIT_SECONDS[action])
            self._login_failed_rl_usage.usage += counted.usage

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The error of a form; after too many attempts it says how long to wait, as the answer does."""
        if code == TOO_MANY_ATTEMPTS:
            return self._refuse_attempt(USUAL_WAIT)
        error: ValidationError = super().validation_error(code, *args)
        return error

    def _refuse_attempt(self, seconds: int) -> ValidationError:
        """The error after too many attempts to sign in; TooManyAttempts gives the answer its status."""
        setattr(self.request, WAITS, seconds)
        wait = "an hour" if seconds >= 3600 else f"{seconds // 60} minutes"
        return ValidationError(f"Too many wrong sign-ins: wait {wait}, then try again.", TOO_MANY_ATTEMPTS)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether strangers may make an account: the setting COSMOS_SIGNUP, never by the internet."""
        return not say_signup_closed()

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name of a new account; ValidationError if it looks like another person's name or like "GM"."""
        name: str = super().clean_username(username, shallow=shallow)
        known = User.objects.values_list("username", flat=True)
        if claims_gm(name) or is_alike(name, known):
            raise ValidationError(f"{name} is taken: choose another name.")
        return name

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, str]]:
        """The ways to confirm who it is, the first one to be asked: a passkey before its recovery codes."""
        methods: list[dict[str, str]] = super().get_reauthentication_methods(user)
        if find_passkey_obstacle(self.request):
            return methods
        return sorted(methods, key=lambda method: method["id"] == "mfa_reauthenticate")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """The page that follows a changed password: home."""
        return resolve_url(settings.LOGIN_REDIRECT_URL)


class TooManyAttempts:
    """Middleware: whatever is one too many is answered with 429, and says when to try again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Give the answer its status, and allauth's own 429 the seconds to wait."""
        answer = self.get_response(request)
        if seconds := getattr(request, WAITS, 0):
            answer.status_code = TOO_MANY
        if answer.status_code == TOO_MANY and "Retry-After" not in answer:
            answer["Retry-After"] = str(seconds or SHORT_WAIT)
        return answer


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """How allauth's second factors behave at this table."""

    def generate_authenticator_name(self, user: User, type: str) -> str:  # noqa: A002 - the library's name
        """The name that a new passkey gets unless someone types another."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return f"Passkey {number}" if number > 1 else "Passkey"

    def build_totp_svg(self, url: str) -> str:
        """The QR code for an authenticator app, inline in the page because the CSP allows no data: URL."""
        return segno.make(url, micro=False).svg_inline(omitsize=True)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Ask on GET, as a link preview must not use up the link; sign in on POST and offer to set a password."""
    ask = request.method != "POST"
    link = find_sign_in_link(token) if ask else None
    person = None if ask else use_sign_in_link(token)
    if link:
        return render(request, "accounts/sign_in.html", {"link": link})
    if person is None:
        return render(request, "accounts/sign_in_gone.html", {"command": settings.COMMAND}, status=410)
    login(request, person)
    return redirect(settings.LOGIN_REDIRECT_URL if person.has_usable_password() else "account_set_password")


@login_required
@require_safe
def show_account(request: HttpRequest) -> HttpResponse:
    """The ways to sign in: password, passkeys, authenticator app; for the host also the copies."""
    shown = {"is_host": is_host(request.user), "signs_in_alone": can_sign_in_alone(person_of(request))}
    return render(request, "accounts/account.html", shown)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_devices(request: HttpRequest) -> HttpResponse:
    """The browsers and programs that act for someone. POST ends one of the others, or all of them."""
    person = person_of(request)
    programs = encounters.find_tokens_of(person)
    if request.method == "POST":
        try:
            messages.success(request, _end_some(request, person, programs))
        except Refused as gone:
            messages.warning(request, gone.message)
        return redirect("devices")
    shown = {"devices": find_devices(request), "programs": programs}
    return render(request, "accounts/devices.html", shown)


def _end_some(request: HttpRequest, person: User, programs: Any) -> str:
    """End what a button names, else all but this browser; what was done. Refused if a program is gone."""
    here, marks = request.session.session_key or "", request.POST.getlist("device")
    if "program" in request.POST:
        encounters.end_token(programs, read_count(request.POST["program"]))
        return "The program's token is ended."
    ended, tokens = (
        (end_sessions(person.pk, here, marks), 0) if marks else encounters.end_access(person, here)
    )
    done = f"Signed out in {ended} browser{'' if ended == 1 else 's'}."
    return f"{done} {tokens} program token{'' if tokens == 1 else 's'} ended." if tokens else done


@require_safe
def explain_lost_password(request: HttpRequest) -> HttpResponse:
    """Say that the person who runs the server can reset a lost password: there is no e-mail."""
    return render(request, "accounts/lost_password.html", {"command": settings.COMMAND})


# The browsers that someone is signed in with, and signing them out.


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
    """The name of a session on pages. Its key stays secret: anyone who reads that is signed in."""
    return hashlib.sha256(f"device {key}".encode()).hexdigest()[:16]
