"""Everybody who may come to a table, each with a browser of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from combat.models import Encounter, Seat, ShareLink
from combat.sharing.links import make_link, revoke
from tests.combat.desk import Desk

PASSWORD = "seven purple moons"
ADDRESS = re.compile(r'value="http://testserver(/join/[\w-]+/)"')


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
        return getattr(self, role)


ROLES = tuple(field.name for field in fields(Cast))


def invite(encounter: Encounter, kind: str = ShareLink.PLAY, **limits: int) -> str:
    """The address of a fresh link."""
    _, token = make_link(encounter, kind, "", **limits)
    return f"/join/{token}/"


def enter(client: Client, address: str, name: str = "Ada", fighter: str = "") -> HttpResponse:
    """Come in by a link."""
    return client.post(address, {"name": name, "fighter": fighter})


def come(encounter: Encounter, kind: str, name: str, fighter: str = "") -> Client:
    """Somebody new who has come by a link of their own."""
    client = Client()
    answer = enter(client, invite(encounter, kind), name, fighter)
    assert answer.status_code == 302, answer.content.decode()
    return client


def gather(encounter: Encounter, fighter: str, others: str) -> Cast:
    """The whole cast. The player has one fighter, the other player another."""
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
    return Cast(
        gm=gm,
        co_gm=come(encounter, ShareLink.CO_GM, "Cleo"),
        player=come(encounter, ShareLink.PLAY, "Pia", fighter),
        other=come(encounter, ShareLink.PLAY, "Otto", others),
        watcher=come(encounter, ShareLink.WATCH, "Wim"),
        revoked=revoked,
        stranger=stranger,
        nobody=Client(),
    )


@dataclass
class Place(Desk):
    """Somebody at the table who is not its GM."""

    def version(self) -> str:
        """What their own page says of its age."""
        return self.page().one(id="table")["data-version"]


def seat_named(name: str) -> Seat:
    """The seat of somebody."""
    return Seat.objects.get(name=name)
