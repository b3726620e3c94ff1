"""The rules for who may see and change a character. No other module decides that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import Manager, Model
from django.http import Http404, HttpRequest, HttpResponse

from cosmos_site.base.files import answer_picture

from .guests import Guest, visitor_of
from .models import Character

Person = User | AnonymousUser
M = TypeVar("M", bound=Model)
TRACKS = ("tracks", "conditions", "uses")  # of a sheet
ROUNDS = ("loaded", "spares")  # of an item on it


@dataclass(frozen=True)
class Host:
    """A GM of a table that a character sits at; `keeps` is whether they may change its tracks."""

    user: int
    name: str
    encounter: int
    table: str
    keeps: bool


def person_of(request: HttpRequest) -> User:
    """The signed-in person; only for pages that require one."""
    assert isinstance(request.user, User)
    return request.user


def find_owned(request: HttpRequest, rows: Manager[M], pk: int) -> M:
    """One of the signed-in person's own things; Http404 for everyone else."""
    found = rows.filter(pk=pk, owner=person_of(request)).first()
    if found is None:
        raise Http404("Not found, or not yours.")
    return found


def can_edit(user: Person, character: Character) -> bool:
    """Whether a person may change a character."""
    if isinstance(user, Guest):
        return character.owner_id is None and character.pk in user.sheets
    return user.is_authenticated and character.owner_id == user.pk


def can_read(user: Person, character: Character) -> bool:
    """Whether a person may see a character: its owner and the GMs of its tables may."""
    return can_edit(user, character) or bool(find_hostings(user, character))


def can_track(user: Person, character: Character) -> bool:
    """Whether a person may change a character's health, ammunition and conditions."""
    return can_edit(user, character) or any(host.keeps for host in find_hostings(user, character))


def find_hostings(user: Person, character: Character) -> list[Host]:
    """The tables of a character that this person runs."""
    return [host for host in character.hosts if user.is_authenticated and host.user == user.pk]


def find_character(
    request: HttpRequest,
    pk: int,
    *,
    deleted: bool = False,
    may: Callable[[Person, Character], bool] | None = None,
) -> Character:
    """The character, if this person may do what the request asks; otherwise Http404.

    Looking needs `can_read` and anything else `can_edit`, unless `may` names another check. `deleted` finds
    only deleted characters.
    """
    character = Character.objects.select_related("sheet_link").filter(pk=pk).first()
    needed = may or (can_read if request.method in ("GET", "HEAD") else can_edit)
    if character is None or not needed(visitor_of(request), character):
        raise Http404("Character not found, or not shared with you.")
    if (character.deleted_at is not None) != deleted:
        raise Http404("That character is deleted." if not deleted else "That character is not deleted.")
    return character


def check_change(user: Person, character: Character, fields: Mapping[str, Any]) -> None:
    """Raise PermissionDenied if this person may not make this change to a character."""
    if can_edit(user, character):
        return
    is_sheet = set(fields) == {"sheet"} and can_track(user, character)
    if not is_sheet or not is_tracking(character.sheet, fields["sheet"]):
        raise PermissionDenied(
            "Of someone else's character, only health, ammunition and conditions are yours."
        )


def hide_own(character: Character) -> None:
    """Take from a character what only its owner reads: notes and all of the story but the looks."""
    character.notes, character.tags = "", ""
    character.story = {key: text for key, text in character.story.items() if key == "looks"}


def answer_portrait(character: Character | None, digest: str) -> HttpResponse:
    """The picture of a character with this digest, which is our own encoder's; Http404 without one."""
    picture = character.portraits.filter(digest=digest).first() if character else None
    if picture is None:
        raise Http404("Portrait not found.")
    return answer_picture(bytes(picture.image), "portrait")


def is_tracking(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether two sheets differ only in what the GM of a table may change."""
    return _without_tracks(before) == _without_tracks(after)


def _without_tracks(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet without the parts that the GM of a table may change."""
    items = [{key: value for key, value in item.items() if key not in ROUNDS} for item in sheet["items"]]
    return {key: value for key, value in sheet.items() if key not in TRACKS} | {"items": items}
