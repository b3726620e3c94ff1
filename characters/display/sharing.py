"""The read-only link to a sheet, as its owner sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from ..models import Character
from ..ports import encounters
from ..services import sheet_links


@dataclass(frozen=True)
class LinkView:
    """A link and the places where others open it, the likeliest first; `only_here`: only this machine can.

    A link made with another secret key still works, but has no places: it cannot be shown.
    """

    path: str
    places: tuple[Any, ...]
    only_here: bool


def view_link(request: HttpRequest, character: Character) -> LinkView | None:
    """The link of a character; None without one."""
    link = sheet_links.find_link(character)
    if link is None:
        return None
    token = sheet_links.find_token(link)
    if not token:
        return LinkView("", (), only_here=False)
    path = reverse("shared_sheet", args=[token])
    places, only_here = encounters.find_places(request, path)
    return LinkView(path, places, only_here)
