"""Who may open the table after a restore: nobody whom it would not let in now.

No copy holds what opens a table by itself (KEYS). Accounts, links and seats that the present table has too
keep what is stricter now: a changed password, a revoked link, an ended seat.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from characters.models import SheetLink, SignInLink
from combat.models import GivenFight, JoinCode, ProgramToken, Seat, ShareLink

# The tables that copies leave empty: sessions of browsers, sign-in links, open codes, programs' tokens
MODELS = (Session, SignInLink, JoinCode, ProgramToken)
KEYS = tuple(model._meta.db_table for model in MODELS)
Account = tuple[str, datetime]  # the name, and when it was made: the same in every copy of one table


class Access(NamedTuple):
    """The accounts, sessions and links of a table, its open seats, the links to its sheets and fights."""

    users: dict[Account, User]
    authenticators: list[Authenticator]
    sessions: list[Session]
    links: dict[str, ShareLink]
    seats: frozenset[str]
    sheets: frozenset[str]
    given: frozenset[str]


def read_access() -> Access:
    """Who may open the present table."""
    return Access(
        {_name(user): user for user in User.objects.all()},
        list(Authenticator.objects.select_related("user")),
        list(Session.objects.filter(expire_date__gt=timezone.now())),
        links={link.digest: link for link in ShareLink.objects.all()},
        seats=frozenset(Seat.objects.filter(ended=None).values_list("digest", flat=True)),
        sheets=frozenset(SheetLink.objects.values_list("digest", flat=True)),
        given=frozenset(GivenFight.objects.values_list("digest", flat=True)),
    )


def settle_access(now: Access | None) -> None:
    """Let nobody into the restored table whom the table of `now` would refuse; None if there was none."""
    for model in MODELS:
        model.objects.all().delete()
    users = {_name(user): user for user in User.objects.all()}
    if now is None or users.keys().isdisjoint(now.users):
        return  # a copy of another table: there is nothing to compare it with
    Session.objects.bulk_create(now.sessions)
    for name in users.keys() & now.users.keys():
        _settle_account(users[name], now.users[name], now.authenticators)
    for link in ShareLink.objects.all():
        _settle_link(link, now.links.get(link.digest))
    Seat.objects.filter(ended=None).exclude(digest__in=now.seats).update(ended=timezone.now())
    SheetLink.objects.exclude(digest__in=now.sheets).delete()
    GivenFight.objects.exclude(digest__in=now.given).delete()


def _name(user: User) -> Account:
    return user.username, user.date_joined


def _settle_account(user: User, now: User, authenticators: list[Authenticator]) -> None:
    """The password, passkeys and authenticator app of now."""
    user.password, user.is_active = now.password, user.is_active and now.is_active
    user.save(update_fields=["password", "is_active"])
    wanted = {(one.type, str(one.data)): one for one in authenticators if one.user_id == now.pk}
    for old in Authenticator.objects.filter(user=user):
        if wanted.pop((old.type, str(old.data)), None) is None:
            old.delete()
    for one in wanted.values():
        more = {"created_at": one.created_at, "last_used_at": one.last_used_at}
        Authenticator.objects.create(user=user, type=one.type, data=one.data, **more)


def _settle_link(link: ShareLink, now: ShareLink | None) -> None:
    """A link as it is now where that lets in fewer people; a link that is gone lets in nobody."""
    link.revoked = link.revoked or (now.revoked if now else timezone.now())
    if now:
        link.expires = min(filter(None, (link.expires, now.expires)), default=None)
        left = [uses for uses in (link.uses_left, now.uses_left) if uses is not None]
        link.uses_left = min(left, default=None)
    link.save(update_fields=["revoked", "expires", "uses_left"])
