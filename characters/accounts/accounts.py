"""Signing in: the one-time link, and how allauth is set up for a table without e-mail."""

from contextlib import suppress
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
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.lookalikes import claims_gm, is_alike
from combat.rules.core.basics.numbers import read_count
from cosmos_site.base.addresses import is_local
from cosmos_site.base.outside import OUTSIDE

from ..access import person_of
from ..ports import encounters
from .devices import end_sessions, find_devices
from .users import can_sign_in_alone, find_sign_in_link, is_host, use_sign_in_link

# How many wrong passwords are allowed: for one name from one address, so that typing errors lock out nobody
# else with that address or name; for one name from anywhere; and for one address. An attempt that an earlier
# limit refuses does not count toward a later one.
ATTEMPTS = {"sign_in_pair": "5/5m/key", "sign_in_name": "30/h/key", "sign_in_address": "30/5m/ip"}


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
                raise self.validation_error("too_many_login_attempts")
            self._login_failed_rl_usage.usage += counted.usage

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
