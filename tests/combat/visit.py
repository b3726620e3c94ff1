"""Helpers for the tests of pages: a fight in the database, and a GM who posts forms to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet
from django.test import Client

from combat.audience.changes import read_pending
from combat.models import Encounter, StoredStep
from combat.pages.log import dice_view  # noqa: F401 - it has to be imported before dice are replaced
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, SubmissionResult, answer, read_state, submit
from combat.rules import find_system
from combat.rules.core.basics.dice import dice as sealed
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.declaration.book import DemoStep
from combat.rules.core.state.state import Combatant, State
from tests.combat.kept import keep
from tests.combat.markup import Element, Page
from tests.typed import Answer

SLUG = "cosmos"
DEMO = find_system(SLUG).demo.make_first()
ZARA, PIRATE, MARCUS = "f1", "f2", "f3"
PISTOL = "f1-1"


def roll_fives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every die of the app show a five."""

    def show(secret: str, number: int, words: str, notation: str) -> tuple[int, ...]:
        return (5,) * parse_dice(notation).count

    monkeypatch.setattr(sealed, "draw_faces", show)


# ---- The database ----


def load(pk: int) -> Encounter:
    return Encounter.objects.get(pk=pk)


def state_of(pk: int) -> State:
    return read_state(load(pk))


def combatant(pk: int, who: str) -> Combatant:
    return state_of(pk).combatants[who]


def hp(pk: int, who: str) -> int:
    """The Hit Points that someone has left."""
    return combatant(pk, who).tracks["hp"]


def find_open() -> QuerySet[Encounter]:
    """The encounters in which a command waits for dice or a choice."""
    return Encounter.objects.exclude(open_command=None)


def stored(pk: int) -> tuple[Any, ...]:
    """Every stored byte of an encounter: its row, with the open command, and its log."""
    found = []
    with connection.cursor() as cursor:
        for model, column in ((Encounter, "id"), (StoredStep, "encounter_id")):
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT * FROM {table} WHERE {column} = %s ORDER BY id", [pk])
            found.append(_plain(cursor.fetchall()))
    return tuple(found)


def _plain(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in rows]


def demo_fight(gm: User, slug: str = SLUG, number: int = 0) -> Encounter:
    """A demo fight before initiative."""
    made = keep(f"demo {slug} {number} {gm.pk}", lambda: make_demo_fight(gm, slug, number).pk)
    return load(made)


def begun(gm: User, slug: str = SLUG, number: int = 0, steps: int = 1) -> Encounter:
    """A demo fight in its first turn, or after so many steps of its script."""
    made = demo_fight(gm, slug, number)
    script = find_system(slug).demo.make_all()[number].script[:steps]
    keep(f"demo {slug} {number} after {steps} steps", lambda: play(made.pk, script))
    return load(made.pk)


def play_step(pk: int, step: DemoStep) -> SubmissionResult:
    """Do a step of a script with typed dice; each prompt gets the next roll, and none is left over."""
    left = list(step.answers)
    submitted = submit(pk, Submission(step.name, step.command, typed=bool(left), by="gm"))
    while submitted.waiting:
        given = left.pop(0)
        if isinstance(given, str):
            submitted = answer(pk, 0, value=given, by="gm")
        else:
            submitted = answer(pk, 0, faces=given, by="gm")
    assert not left, f"{step.name}: nobody asked for {left}"
    return submitted


def play(pk: int, steps: Iterable[DemoStep]) -> None:
    """Do all these steps of a script."""
    for step in steps:
        play_step(pk, step)


def questions(pk: int) -> tuple[Any, ...]:
    """The requests of the open command."""
    waiting = read_pending(load(pk))
    return waiting.requests if waiting else ()


def answers_so_far(pk: int) -> tuple[Any, ...]:
    """The answers to the open command so far."""
    waiting = read_pending(load(pk))
    return waiting.answers if waiting else ()


# ---- Pages ----


def read(answer: Answer) -> Page:
    """An answer, read as a page: one that is done says so by its status, too."""
    assert answer.status_code in (200, 202) or answer.status_code >= 300, answer.status_code
    return Page(answer.content.decode())


# ---- The GM at the table ----


@dataclass
class Visit:
    """A person at an encounter's table, with or without htmx."""

    client: Client
    pk: int
    htmx: bool = True
    regions: str = ""  # what the open page has: answers bring only what differs

    @property
    def here(self) -> str:
        """The address of the table."""
        return f"/encounters/{self.pk}/"

    @property
    def headers(self) -> dict[str, str]:
        """The headers that htmx adds to a request."""
        known = {"X-Regions": self.regions} if self.regions else {}
        return {"HX-Request": "true"} | known if self.htmx else {}

    def get(self, path: str = "", **query: Any) -> Answer:
        """Open the table, or a page below it."""
        return self.client.get(self.here + path, query, headers=self.headers)

    def page(self, **query: Any) -> Page:
        """The whole table as a page, or of a page that stays open what it lacks."""
        return read(self.client.get(self.here, query, headers=self.headers if self.regions else {}))

    def stay(self) -> None:
        """Keep the page of now open: from here on answers bring what it lacks, as in a browser."""
        page = self.page()
        self.regions = " ".join([one["data-v"] for one in page.all() if one["data-v"]])

    def version(self) -> str:
        """The version that the table states."""
        return load(self.pk).stamp(is_gm=True)

    def post(self, do: str, **fields: Any) -> Answer:
        """Post a form of the table: with the present version unless one is given."""
        data = {"version": self.version(), "do": do, **fields}
        return self.client.post(self.here, data, headers=self.headers)

    def do(self, do: str, **fields: Any) -> Answer:
        """Post a form, and check that it is accepted."""
        found = self.post(do, **fields)
        assert found.status_code == (200 if self.htmx else 303), refusal(found)
        return found

    def refused(self, do: str, status: int, **fields: Any) -> str:
        """Post a form that is refused with this status and changes nothing; return the page's message."""
        before = stored(self.pk)
        found = self.post(do, **fields)
        assert found.status_code == status, found.content.decode()[:2000]
        assert stored(self.pk) == before
        return refusal(found)

    def open_form(self, do: str, who: str, **asked: str) -> tuple[Page, Element]:
        """The table with the form of an action open, with what its address asks for."""
        page = self.page(do=do, combatant=who, **asked)
        return page, page.one("form", id=f"form-{do}")

    def act(self, action: str, who: str, /, *, dice: str = "app", **changes: Any) -> Answer:
        """Open an action's form, change some fields, and send it with one of its buttons."""
        page, form = self.open_form(action, who)
        posted = {**page.fields(form), "dice": dice, **changes}
        posted.pop("csrfmiddlewaretoken")
        return self.do(action, **{name: value for name, value in posted.items() if name != "do"})


def refusal(found: Answer) -> str:
    """The message of a page that refuses something."""
    page = read(found)
    said = (
        *page.all("p", class_="alert"),
        *page.all("div", class_="alert"),
        *page.all("ul", class_="errors"),
    )
    return " ".join(alert.text for alert in said)


def headings(page: Page) -> list[str]:
    """All headings of a page."""
    return [e.text for tag in ("h1", "h2", "h3") for e in page.all(tag)]


def options_of(page: Page, field: str) -> list[str]:
    """The values that a field offers."""
    return [option["value"] for option in page.all("option", inside=page.one("select", id=field))]


def chosen_in(page: Page, field: str) -> str:
    """The value that a field with choices has."""
    chosen = page.all("option", inside=page.one("select", id=field))
    return next((option["value"] for option in chosen if "selected" in option.attrs), chosen[0]["value"])
