"""Visitors: people without an account, each with a demo fight of their own for a day.

A visitor is a user without a password, signed in by the session of one browser. Their name has a space,
which no account can have, so the name is their mark. They may open the pages of a fight; any other page
that needs an account says why it is closed, and how to get one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.errors import TOO_OFTEN, is_for_programs
from cosmos_site.base.outside import OUTSIDE

PREFIX = "Visitor "
LIFETIME = timedelta(days=1)
MAX_VISITORS = 50  # at a time, on the whole site
RATES, WAIT_SECONDS = {"open_demo": "3/h/ip"}, 3600
FIGHT = "encounters/<int:pk>/"  # whose pages are open, but for those that need characters of one's own
NEED_CHARACTERS = frozenset({"bring", "take_home"})
# The names of the other addresses that a visitor may open, which anybody may read
OPEN = frozenset({
    "home", "open_demo", "encounters", "rulebooks", "about_rules", "rulebook", "book_page", "help",
    "help_page", "hints", "gear", "gear_item", "compare_gear", "for_programs", "shared_sheet",
    "print_shared", "shared_portrait", "account_logout", "lost_password", "manifest", "worker", "offline",
    "find",
})  # fmt: skip
# Where a visitor counts as a stranger, to get an account, or a seat that lasts longer than their day
STRANGE = frozenset({
    "account_login", "account_signup", "sign_in_by_link", "mfa_login_webauthn", "mfa_authenticate", "join",
    "join_portrait", "enter_code", "open_code", "my_seat",
})  # fmt: skip
CLOSED = "Visitors have only their demo fights: sign in or create an account first."


def is_visitor(person: object) -> bool:
    """Whether this person only visits, without an account."""
    return (
        isinstance(person, User) and person.username.startswith(PREFIX) and not person.has_usable_password()
    )


def find_visitors() -> QuerySet[User]:
    """All visitors, those whose day is over too."""
    return User.objects.filter(username__startswith=PREFIX, is_staff=False)


def find_past_visitors() -> QuerySet[User]:
    """The visitors whose day is over."""
    return find_visitors().filter(date_joined__lt=timezone.now() - LIFETIME)


def are_welcome() -> bool:
    """Whether strangers may open a demo fight: the setting COSMOS_GUESTS, never by a tunnel."""
    return bool(settings.COSMOS_GUESTS) and not OUTSIDE.opened


def make_visitor(request: HttpRequest) -> User:
    """A new visitor, or the one of a press in the same instant; Refused if there are too many.

    They are named by the secret that guards the browser's forms, which signing in renews.
    """
    get_token(request)  # makes the secret if there is none yet
    name = f"{PREFIX}{salted_hmac('visitor', request.META['CSRF_COOKIE']).hexdigest()[:10]}"
    if visitor := find_visitors().filter(username=name).first():
        return visitor
    if not are_welcome():
        raise Refused("not_allowed", "Demo fights need an account here: sign in first.")
    if find_visitors().count() >= MAX_VISITORS:
        raise Refused("not_allowed", "All demo fights are taken: sign in, or try again in an hour.")
    if not ratelimit.consume(request, app="characters.accounts", action="open_demo", config=RATES):
        raise Refused(TOO_OFTEN, "Three new demo fights an hour are the limit: sign in, or wait.")
    return User.objects.get_or_create(username=name, defaults={"password": make_password(None)})[0]


class VisitorLimits:
    """Middleware: closes to visitors all but fights and what is `OPEN`, and all uploads."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Refuse a page, or treat the visitor as a stranger; the pages of a fight ask nothing for it."""
        match = request.resolver_match
        name, route = (match.url_name, match.route) if match else (None, "")
        is_open = name in OPEN or (route.startswith(FIGHT) and name not in NEED_CHARACTERS)
        if is_for_programs(request.path_info):  # a token counts there, and no cookie
            return None
        uploads = request.content_type == "multipart/form-data"
        if (is_open and not uploads) or not is_visitor(request.user):
            return None
        if name in STRANGE or (request.session.get("seats") and not is_open):
            request.visitor = request.user  # type: ignore[attr-defined]  # whose fights the account keeps
            request.user = AnonymousUser()
            return None
        if is_open and not request.FILES:
            return None
        return render(request, "accounts/visitor.html", {"reason": CLOSED}, status=403)
