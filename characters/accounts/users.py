"""Accounts: GMs, one-time sign-in links, and new access for people who are locked out."""

import secrets
from datetime import timedelta
from itertools import count

from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from cosmos_site.base.tags import find_digest

from ..models import SignInLink
from ..ports import encounters

LINK_LIFETIME = timedelta(hours=24)


def find_gms() -> QuerySet[User]:
    """Everyone who may run this table, the oldest account first."""
    return get_user_model().objects.filter(is_staff=True, is_active=True).order_by("pk")


def find_host() -> User | None:
    """The GM whose table this is: the oldest account of those who may run it."""
    return find_gms().first()


def is_host(person: object) -> bool:
    """Whether this person is the host. They alone may hold the data of everybody."""
    return isinstance(person, User) and person.is_staff and person == find_host()


def find_person(username: str) -> User | None:
    """The person with this name, ignoring capitals."""
    return get_user_model().objects.filter(username__iexact=username).first()


def make_gm(username: str) -> User:
    """Create a GM without a password, to sign in by link; `ValidationError` if the name is not allowed."""
    if find_person(username):
        raise ValidationError(f"{username} already has an account.")
    gm = get_user_model()(username=username, is_staff=True)
    gm.set_unusable_password()
    try:
        gm.full_clean()
    except ValidationError:
        raise ValidationError("A name has 1 to 150 letters, digits and @ . + - _ only.") from None
    gm.save()
    return gm


def find_or_make_gm() -> User:
    """The first GM of this table, created if there is none."""
    free_names = (name for n in count(1) if not find_person(name := "gm" if n == 1 else f"gm-{n}"))
    return find_host() or make_gm(next(free_names))


def can_sign_in_alone(person: User) -> bool:
    """Whether this person has a password or a passkey, and so needs no link.

    Older passkeys may only be a second step after a password: they do not count.
    """
    passkeys = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN)
    return person.has_usable_password() or any(key.wrap().is_passwordless for key in passkeys)


@transaction.atomic
def make_sign_in_link(person: User, lifetime: timedelta = LINK_LIFETIME) -> str:
    """The token of a new link for this person: 128 random bits. Their older unused links stop working."""
    SignInLink.objects.filter(Q(used_at=None) | Q(expires_at__lt=timezone.now()), user=person).delete()
    token = secrets.token_urlsafe(16)
    SignInLink.objects.create(digest=find_digest(token), user=person, expires_at=timezone.now() + lifetime)
    return token


def find_sign_in_link(token: str) -> SignInLink | None:
    """The link of this token, if it can still be used."""
    return find_open_links(token).select_related("user").first()


@transaction.atomic
def use_sign_in_link(token: str) -> User | None:
    """Spend the link and return its person; None if it is unknown, used or expired, or they are blocked."""
    if not find_open_links(token).update(used_at=timezone.now()):
        return None
    return SignInLink.objects.select_related("user").get(digest=find_digest(token)).user


@transaction.atomic
def reset_access(person: User) -> str:
    """Remove password, passkeys and authenticator apps, end all access, and return a new sign-in token."""
    person.set_unusable_password()  # every session carries a hash of the password: this ends them all
    person.save(update_fields=["password"])
    Authenticator.objects.filter(user=person).delete()
    encounters.end_access(person)
    return make_sign_in_link(person)


def end_links(person: User) -> None:
    """End the links by which someone could still sign in."""
    SignInLink.objects.filter(user=person, used_at=None).delete()


def find_open_links(token: str) -> QuerySet[SignInLink]:
    """The link of this token while it is unused and in time: at most one."""
    now = timezone.now()
    return SignInLink.objects.filter(
        digest=find_digest(token), used_at=None, expires_at__gt=now, user__is_active=True
    )
