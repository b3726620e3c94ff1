"""Everyone who may come to a table, each with a browser of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, fields
from functools import partial
from http.cookies import SimpleCookie
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, Seat, ShareLink
from combat.sharing.links import make_link, revoke
from tests.combat.kept import keep
from tests.combat.visit import Visit
from tests.typed import Answer, as_a

PASSWORD = "seven purple moons"
ADDRESS = re.compile(r'value="http://testserver(/join/[\w-]+/)"')
# A figure is drawn only while its fold is open: these people have all open, since none may tell a secret
FOLDS = " ".join(f"figure-f{number}" for number in range(1, 31))


@dataclass
class Cast:
    """The people of the permission matrix, at one encounter."""

    gm: Client
    co_gm: Client
    player: Client
    other: Client
    watcher: Client
    revoked: Client
    stranger: Client
    nobody: Client

    def __getitem__(self, role: str) -> Client:
        return as_a(getattr(self, role), Client)


ROLES = tuple(field.name for field in fields(Cast))


def invite(encounter: Encounter, kind: str = ShareLink.PLAY, **limits: Any) -> str:
    """The address of a fresh link."""
    _, token = make_link(encounter, kind, "", **limits)
    return f"/join/{token}/"


def enter(client: Client, address: str, name: str = "Ada", combatant: str = "") -> Answer:
    return client.post(address, {"name": name, "combatant": combatant})


def come(encounter: Encounter, kind: str, name: str, combatant: str = "") -> Client:
    """A new person who has followed a link of their own."""
    client = Client(headers={"X-Folds": FOLDS})
    answer = enter(client, invite(encounter, kind), name, combatant)
    assert answer.status_code == 302, answer.content.decode()
    return client


def come_by_account(encounter: Encounter, kind: str, name: str) -> Client:
    """A person with an account who has followed a link of their own."""
    client = Client(headers={"X-Folds": FOLDS})
    client.force_login(User.objects.get_or_create(username=name)[0])
    assert enter(client, invite(encounter, kind)).status_code == 302
    return client


def gather(encounter: Encounter, combatant: str, others: str) -> Cast:
    """Make the whole cast. The player has one combatant, the other player another."""
    make = partial(_gather, encounter, combatant, others)
    return Cast(**keep_browsers(f"cast {encounter.pk} {combatant} {others}", make))


def keep_browsers(name: str, make: Callable[[], dict[str, Client]]) -> dict[str, Client]:
    """Browsers of people, made once and restored later."""
    cookies = keep(name, lambda: {role: client.cookies for role, client in make().items()})
    return {role: _open_browser(kept) for role, kept in cookies.items()}


def _open_browser(cookies: SimpleCookie) -> Client:
    client = Client(headers={"X-Folds": FOLDS})
    client.cookies = deepcopy(cookies)
    return client


def _gather(encounter: Encounter, combatant: str, others: str) -> dict[str, Client]:
    gm = Client()
    encounter.owner.set_password(PASSWORD)
    encounter.owner.save()
    gm.force_login(encounter.owner)
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger", password=PASSWORD))
    link, token = make_link(encounter, ShareLink.PLAY, "left")
    revoked = Client()
    enter(revoked, f"/join/{token}/", "Rex")
    revoke(link)
    return {
        "gm": gm,
        "co_gm": come(encounter, ShareLink.CO_GM, "Cleo"),
        "player": come(encounter, ShareLink.PLAY, "Pia", combatant),
        "other": come(encounter, ShareLink.PLAY, "Otto", others),
        "watcher": come(encounter, ShareLink.WATCH, "Wim"),
        "revoked": revoked,
        "stranger": stranger,
        "nobody": Client(),
    }


@dataclass
class Place(Visit):
    """A person at the table other than its GM."""

    def version(self) -> str:
        """The version that their page states."""
        return self.page().one(id="table")["data-version"]


def seat_named(name: str) -> Seat:
    return Seat.objects.get(name=name)
