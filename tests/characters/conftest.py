"""The cast: Ana, who owns a character; Bob, another user; and a visitor without an account."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services.character_service import create

SHEET: dict[str, Any] = {
    "attributes": {"PRE": 4, "RES": 4, "INT": 6, "MIG": 3, "AWA": 6, "COO": 7},
    "skills": {"Combat": 3, "Pilot": 4},
    "species": "synaptic",
    "career": "military",
    "credits": 500,
    "abilities": {"defense": 1, "speed_base": 6, "initiative": 2, "extra_quick_actions": 1},
    "size": "small",
    "items": [
        {"id": "i1", "kind": "weapon", "entry": "pistol", "place": "held", "loaded": 9, "spares": 1},
        {"id": "i2", "kind": "weapon", "entry": "knife"},
        {"id": "i3", "kind": "armor", "entry": "kevlar", "place": "worn"},
        {"id": "i4", "kind": "armor", "entry": "plate"},
        {"id": "i5", "kind": "drug", "entry": "adrenaline", "count": 2},
    ],
}  # 80 HP
HTMX = {"HX-Request": "true"}


def hidden(answer: Any) -> dict[str, str]:
    """The hidden fields of the form that a page shows."""
    found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode())
    return {name: unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


def bare_of(page: str) -> str:
    """A page without the space around its tags: the layout of its source does not matter."""
    return re.sub(r"\s*(<[^>]*>)\s*", r"\1", page)


def text_of(answer: Any) -> str:
    """The text of a page, without tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def words_of(text: str) -> list[str]:
    """The words of a text, as fuzzing input."""
    return text.split()


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def ana_client(ana: User) -> Client:
    client = Client()
    client.force_login(ana)
    return client


@pytest.fixture
def bob_client(bob: User) -> Client:
    client = Client()
    client.force_login(bob)
    return client


@pytest.fixture
def make(ana: User) -> Callable[..., Character]:
    """Create a character of Ana's; fields of the sheet may differ."""

    def make_one(name: str = "Zara", notes: str = "", **more: Any) -> Character:
        return create(ana, "cosmos", name, {**SHEET, **more}, notes)

    return make_one


@pytest.fixture
def zara(make: Callable[..., Character]) -> Character:
    return make()


@pytest.fixture
def send(ana_client: Client, zara: Character) -> Callable[..., Any]:
    """Send a form of Zara's sheet, as htmx does unless told otherwise; without a form, read it."""

    def send_one(do: str = "", htmx: bool = True, query: str = "", **fields: Any) -> Any:
        address = f"/characters/{zara.pk}/{query}"
        extra = HTMX if htmx else {}
        return (
            ana_client.post(address, {"do": do, **fields}, headers=extra)
            if do
            else ana_client.get(address, headers=extra)
        )

    return send_one
