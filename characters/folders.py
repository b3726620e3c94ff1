"""Folders: a GM's campaigns, which new characters and NPCs join when they are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.http import Http404, HttpRequest, QueryDict

from .models import Character
from .ports import encounters


@dataclass(frozen=True)
class Folder:
    """A campaign and its latest game; `add` puts new characters in, or refuses."""

    number: int
    name: str
    system: str
    add: Callable[[Sequence[Character]], None]

    @property
    def query(self) -> str:
        """The query that makes a page create characters for this folder."""
        return f"&campaign={self.number}"


def find_folder(request: HttpRequest, data: QueryDict) -> Folder | None:
    """The campaign that a page creates characters for; None without one, Http404 if it is not theirs."""
    if "campaign" not in data:
        return None
    found: Folder | None = encounters.find_folder(request.user, data["campaign"])
    if found is None:
        raise Http404("Campaign not found, or not yours.")
    return found


def make_in(folder: Folder | None, make: Callable[[], list[Character]]) -> list[Character]:
    """Make characters and put them into the folder, if there is one: both or neither; raises Refused."""
    with transaction.atomic():
        made = make()
        if folder:
            folder.add(made)
    return made
