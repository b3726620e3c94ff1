"""A program in a test: a token, and requests without cookies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

from combat.audience.rights import viewer_of
from combat.audience.viewer import GM
from combat.models import Encounter, Seat
from combat.sharing.programs import make_token
from combat.sharing.viewer_context import ViewerContext
from tests.typed import Answer


@dataclass
class Program:
    """A program with a token."""

    token: str

    def get(self, what: str, status: int = 200, **query: str) -> Any:
        """What it reads."""
        return _read(Client().get(f"/api/table/{what}/", query, headers=self.headers), status)

    def post(self, what: str, status: int = 200, **body: Any) -> Any:
        """What it gets for a body."""
        return self.send(what, json.dumps(body).encode(), status)

    def send(self, what: str, raw: bytes, status: int) -> Any:
        """What it gets for these bytes."""
        answer = Client().post(f"/api/table/{what}/", raw, "application/json", headers=self.headers)
        return _read(answer, status)

    def act(self, action: str, who: str = "", status: int = 200, **fields: Any) -> Any:
        """Act on what it sees now."""
        stamp = self.get("state")["stamp"]
        return self.post("actions", status, action=action, combatant=who, fields=fields, stamp=stamp)

    @property
    def headers(self) -> dict[str, str]:
        """The header with its token."""
        return {"Authorization": f"Bearer {self.token}"}


def _read(answer: Answer, status: int) -> Any:
    assert answer.status_code == status, answer.content.decode()
    assert answer["Content-Type"] == "application/json"
    assert not answer.cookies
    return json.loads(answer.content)


def make_program(encounter: Encounter, seat: Seat | None = None, name: str = "Bot") -> Program:
    """A program of someone at a seat, or without one of the GM."""
    viewer = viewer_of(seat) if seat else GM
    return Program(make_token(ViewerContext(encounter, viewer, seat), name)[1])
