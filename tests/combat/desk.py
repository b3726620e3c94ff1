"""What the tests of the pages share: a fight in the database, and a GM who posts forms at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from combat.audience.changes import read_pending
from combat.models import Encounter, OpenCommand, StoredStep
from combat.play.demo import make_demo_fight
from combat.play.encounter_service import Submission, SubmissionResult, answer, read_state, submit
from combat.rules import find_system
from combat.rules.core.basics import sealed
from combat.rules.core.basics.dice import parse_dice
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.system import DemoStep
from tests.combat.kept import keep

SLUG = "cosmos"
DEMO = find_system(SLUG).demo()
ZARA, PIRATE, MARCUS = "f1", "f2", "f3"
PISTOL = "f1-1"
ALONE = {"area", "br", "hr", "img", "input", "link", "meta", "wbr"}  # elements without an end


def roll_fives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every die of the app show a five."""

    def show(secret: str, number: int, words: str, notation: str) -> tuple[int, ...]:
        return (5,) * parse_dice(notation).count

    monkeypatch.setattr(sealed, "draw_faces", show)


# ---- The database ----


def load(pk: int) -> Encounter:
    """The encounter as it is stored now."""
    return Encounter.objects.get(pk=pk)


def state_of(pk: int) -> State:
    """Its state."""
    return read_state(load(pk))


def fighter(pk: int, who: str) -> Combatant:
    """One of its fighters."""
    return state_of(pk).combatants[who]


def stored(pk: int) -> tuple[Any, ...]:
    """Every byte that is kept of an encounter: its row, its log, its open command."""
    row = Encounter.objects.filter(pk=pk).values_list()
    log = StoredStep.objects.filter(encounter=pk).order_by("number").values_list()
    waiting = OpenCommand.objects.filter(encounter=pk).values_list()
    return tuple(_plain(rows) for rows in (row, log, waiting))


def _plain(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in rows]


def demo_fight(gm: User, slug: str = SLUG, number: int = 0) -> Encounter:
    """A demo fight before initiative."""
    made = keep(f"demo {slug} {number} {gm.pk}", lambda: make_demo_fight(gm, slug, number).pk)
    return load(made)


def play_step(pk: int, step: DemoStep) -> SubmissionResult:
    """Do a step of a script with typed dice, each prompt answered in its turn; none is left over."""
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
    """What the open command waits for."""
    waiting = read_pending(load(pk))
    return waiting.requests if waiting else ()


def answers_so_far(pk: int) -> tuple[Any, ...]:
    """What the open command has been answered."""
    waiting = read_pending(load(pk))
    return waiting.answers if waiting else ()


# ---- Pages ----


@dataclass
class Element:
    """An element of a page: its tag, its attributes, the text inside, where it stands."""

    tag: str
    attrs: dict[str, str]
    parents: tuple[Element, ...] = ()
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside, without superfluous space."""
        return " ".join("".join(self.words).split())

    def __getitem__(self, name: str) -> str:
        return self.attrs.get(name, "")

    def is_in(self, other: Element) -> bool:
        """Whether it stands inside another one."""
        return any(parent is other for parent in self.parents)


class Page(HTMLParser):
    """The elements of a page, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, tuple(self._open))
        self.elements.append(made)
        if tag not in ALONE:
            self._open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, tuple(self._open)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().tag != tag:
            pass

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words.append(data)

    def all(self, tag: str = "", inside: Element | None = None, **attrs: str) -> list[Element]:
        """The elements of a tag with these attributes; `class_` asks for one class among several."""
        wanted = attrs.pop("class_", "")
        return [
            e
            for e in self.elements
            if (not tag or e.tag == tag)
            and (inside is None or e.is_in(inside))
            and all(e.attrs.get(name) == value for name, value in attrs.items())
            and (not wanted or wanted in e["class"].split())
        ]

    def one(self, tag: str = "", inside: Element | None = None, **attrs: str) -> Element:
        """The only such element."""
        (found,) = self.all(tag, inside, **attrs)
        return found

    def fields(self, form: Element) -> dict[str, Any]:
        """What a browser would post of a form without its buttons; several values as a list."""
        posted: dict[str, Any] = {}
        for element in self.all(inside=form):
            for value in self._values(element):
                name = element["name"]
                posted[name] = [*posted[name], value] if name in posted else [value]
        return {name: values if len(values) > 1 else values[0] for name, values in posted.items()}

    def _values(self, element: Element) -> list[str]:
        if not element["name"] or "disabled" in element.attrs or element.tag == "button":
            return []
        if element.tag == "select":
            options = [o for o in self.all("option", inside=element) if "disabled" not in o.attrs]
            chosen = [o for o in options if "selected" in o.attrs] or options[:1]
            return [o.attrs.get("value", o.text) for o in chosen]
        if element.tag != "input":
            return []
        if element["type"] in ("checkbox", "radio"):
            return [element.attrs.get("value", "on")] if "checked" in element.attrs else []
        return [element["value"]]


def read(answer: HttpResponse) -> Page:
    """The page of an answer."""
    return Page(answer.content.decode())


# ---- The GM at the table ----


@dataclass
class Desk:
    """Somebody in front of an encounter's table, with or without htmx."""

    client: Client
    pk: int
    htmx: bool = True

    @property
    def here(self) -> str:
        """The address of the table."""
        return f"/encounters/{self.pk}/"

    @property
    def headers(self) -> dict[str, str]:
        """What htmx adds to a request."""
        return {"HX-Request": "true"} if self.htmx else {}

    def get(self, path: str = "", **query: Any) -> HttpResponse:
        """Open the table, or one of the pages below it."""
        return self.client.get(self.here + path, query, headers=self.headers)

    def page(self, **query: Any) -> Page:
        """The whole table as a page."""
        return read(self.client.get(self.here, query))

    def version(self) -> str:
        """What the table says now of its own age."""
        return load(self.pk).stamp(is_gm=True)

    def post(self, do: str, **fields: Any) -> HttpResponse:
        """Post a form of the table as it stands: with the present version unless one is given."""
        data = {"version": self.version(), "do": do, **fields}
        return self.client.post(self.here, data, headers=self.headers)

    def do(self, do: str, **fields: Any) -> HttpResponse:
        """Post a form, and see that it was taken."""
        found = self.post(do, **fields)
        assert found.status_code == (200 if self.htmx else 303), refusal(found)
        return found

    def refused(self, do: str, status: int, **fields: Any) -> str:
        """Post a form that is refused with a status; nothing changes. Returns what the page says."""
        before = stored(self.pk)
        found = self.post(do, **fields)
        assert found.status_code == status, found.content.decode()[:2000]
        assert stored(self.pk) == before
        return refusal(found)

    def open_form(self, do: str, who: str) -> tuple[Page, Element]:
        """The table with the form of an action open."""
        page = self.page(do=do, fighter=who)
        return page, page.one("form", id=f"form-{do}")

    def act(self, action: str, who: str, /, *, dice: str = "app", **changes: Any) -> HttpResponse:
        """Open an action's form, change some fields, and send it off with one of its buttons."""
        page, form = self.open_form(action, who)
        posted = {**page.fields(form), "dice": dice, **changes}
        posted.pop("csrfmiddlewaretoken")
        return self.do(action, **{name: value for name, value in posted.items() if name != "do"})


def refusal(found: HttpResponse) -> str:
    """What a page that refuses something says."""
    return " ".join(alert.text for alert in read(found).all("p", class_="alert"))
