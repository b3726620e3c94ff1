"""A fight full of secrets, its twin without any, and everything that each person can read of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, answer, create_encounter, submit, undo
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.state.state import State, is_acting, present
from combat.urls import encounter_pages, map_pages
from tests.combat.cast import ROLES
from tests.combat.kept import keep
from tests.combat.sharing.test_permissions import ROWS
from tests.combat.visit import DEMO, MARCUS, PIRATE, SLUG, ZARA, load, play_step, questions, state_of

GHOST = "Xyloghost"
LURKER = "Vantlurker"
NOTE = "the airlock is rigged to blow"
UNDONE = "a slip of the pen"
TRUE_HP = 1047  # no other combatant has this number
MORE_HP = 999  # the pirate's sheet adds this to the 80 of its attributes
NOTES = 140
SYSTEM = find_system(SLUG)


@dataclass
class Fight:
    """The demo fight in its second round; `secret` adds hidden combatants."""

    encounter: Encounter
    secret: bool
    ghost: str = ""
    lurker: str = ""

    @property
    def pk(self) -> int:
        return self.encounter.pk

    @property
    def state(self) -> State:
        return state_of(self.pk)

    def do(self, name: str, /, *faces: tuple[int, ...] | str, **fields: Any) -> None:
        """Do something visible to all, with these dice and answers."""
        submitted = submit(self.pk, Submission(name, fields, typed=bool(faces), by="gm"))
        left = list(faces)
        while submitted.waiting:
            (request, *_) = questions(self.pk)
            if request.who in (self.ghost, self.lurker):
                submitted = answer(self.pk, 0, faces=(2,), by="gm")
                continue
            given = left.pop(0)
            how: Any = {"value": given} if isinstance(given, str) else {"faces": given}
            submitted = answer(self.pk, 0, by="gm", **how)
        assert not left

    def hide(self, name: str, x: float, y: float) -> str:
        who = f"f{self.state.made + 1}"
        self.secretly("join", block="pirate_example", name=name, side="lurkers", zone="floor", hidden=True)
        self.secretly("place", target=who, x=x, y=y)
        return who

    def secretly(self, name: str, /, **fields: Any) -> None:
        """Do something only the GM may see, if this fight has secrets."""
        if self.secret:
            submit(self.pk, Submission(name, fields, by="gm"))

    def go_on(self) -> None:
        """Go to the next turn; every requested die shows a 3."""
        submitted = submit(self.pk, Submission("next_turn", typed=True))
        while submitted.waiting:
            request = questions(self.pk)[0]
            if isinstance(request, RollRequest):
                submitted = answer(self.pk, 0, faces=(3,) * parse_dice(request.dice).count)
            else:
                submitted = answer(self.pk, 0, value=request.default)

    def turn_to(self, who: str) -> None:
        """Pass turns until it is someone's turn."""
        for _ in range(10):
            if self.state.active == who:
                return
            self.go_on()
        raise AssertionError(f"it is never the turn of {who}")


def make_fight(
    gm: User, *, secret: bool, health: str = "word", notes: int = NOTES, held: bool = True
) -> Fight:
    """The fight, with Zara to act in its second round."""
    make = partial(_make_fight, gm, secret=secret, health=health, notes=notes, held=held)
    pk, ghost, lurker = keep(f"secrets {secret} {health} {notes} {held}", make)
    return Fight(load(pk), secret, ghost, lurker)


def _make_tough_demo(gm: User) -> int:
    """The demo fight before initiative, with a pirate of a thousand points: the number of the encounter."""
    pk = create_encounter(gm, SLUG, DEMO.name, demo=True).pk
    for step in DEMO.setup:
        command = dict(step.command)
        if block := command.pop("block", ""):
            command["sheet"] = {**SYSTEM.book.find_blocks()[block].sheet, "abilities": {"hp": MORE_HP}}
        submit(pk, Submission(step.name, command, by="demo"))
    return pk


def _make_fight(gm: User, *, secret: bool, health: str, notes: int, held: bool) -> tuple[int, str, str]:
    """The numbers of a made fight: its own, and those of the two who lurk in it."""
    fight = Fight(load(keep(f"tough {gm.pk}", lambda: _make_tough_demo(gm))), secret)
    fight.do("set_option", key="foe_health", value=health)
    fight.do("adjust", target=PIRATE, track="hp", to=TRUE_HP)
    if secret:
        fight.ghost = fight.hide(GHOST, 6, 3)
        fight.lurker = fight.hide(LURKER, 6, 10)
    fight.do("start", (10,), (8,), (6,))
    play_step(fight.pk, DEMO.script[1])
    for _ in range(notes):
        fight.secretly("note", text=NOTE)
    fight.secretly("give_condition", target=fight.ghost, kind="bleeding", level=2, turns=3)
    fight.do("give_condition", target=ZARA, kind="frightened", turns=3)
    if held:
        fight.do("give_condition", target=ZARA, kind="grappled", by=fight.ghost)
    if secret:
        submit(fight.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -30, "reason": UNDONE}))
        undo(fight.pk, by="gm")
    fight.do("give_condition", target=PIRATE, kind="prone")
    play_step(fight.pk, DEMO.script[2])
    fight.turn_to(MARCUS)
    fight.turn_to(ZARA)
    fight.do("place", target=PIRATE, x=5, y=3)  # between Zara and the ghost
    assert HEALTH.fullmatch(str(fight.state.combatants[PIRATE].tracks["hp"]))
    return fight.pk, fight.ghost, fight.lurker


# ---- What is secret ----


def words(*all_of: str) -> re.Pattern[str]:
    """A pattern that finds any of these words."""
    return re.compile("|".join(rf"(?<![\w])(?:{word})(?!\w)" for word in all_of))


HEALTH = words(r"10[34]\d")  # the pirate's points, and those after a wound of the script


def find_secrets(fight: Fight) -> dict[str, re.Pattern[str]]:
    """Texts that only the GM may read, and texts on the GM's pages alone."""
    count, steps = len(present(fight.state)), load(fight.pk).steps
    return {
        "names": words(GHOST, LURKER),
        "ids": words(fight.ghost, fight.lurker, rf"{fight.ghost}-\w+"),
        "notes": words(NOTE),
        "undone": words(UNDONE),
        "true health": HEALTH,
        "number of combatants": words(rf"\d of {count}"),
        "number of steps": words(*map(str, range(steps - 3, steps + 1))),
    }


# ---- What can be read ----


@dataclass
class Reading:
    """Everything that a person received, by place; and each line of it, with the first place that has it.

    Pages share nearly all their lines, and no secret goes over the end of one: secrets are looked for in each
    line once.
    """

    texts: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for where, text in self.texts.items():
            self._sort(where, text)

    def note(self, where: str, answer: Any) -> None:
        """Keep an answer: its status, its headers, its bytes."""
        headers = "\n".join(f"{n}: {value}" for n, value in answer.headers.items() if n != "Content-Length")
        self.texts[where] = f"{headers}\n\n{OWN_ECHO.sub('', answer.content.decode())}"
        self._sort(where, self.texts[where])

    def _sort(self, where: str, text: str) -> None:
        for line in text.split("\n"):
            self.lines.setdefault(line, where)

    def find(self, secret: re.Pattern[str]) -> list[str]:
        """The places of a secret, with its surroundings."""
        hits = ((where, line, secret.search(line)) for line, where in self.lines.items())
        return [
            f"{where}: …{line[max(0, hit.start() - 60) : hit.end() + 40]!r}"
            for where, line, hit in hits
            if hit
        ]


OWN_ECHO = re.compile(r'data-again="[^"]*"')  # the page names its own address


def questions_about(fight: Fight, own: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Requests to the table and its odds: about the person's own combatant, and about the hidden.

    Actions that are not theirs now, or never, have one answer, so one of each kind is asked for.
    """
    ghost, acts = fight.ghost or "f4", is_acting(fight.state, own)
    for who in (own, PIRATE, ghost):
        yield "", {"combatant": who}
        yield "", {"combatant": who, "row": "damage"}
        yield "", {"combatant": who, "do": "suggest"}
        yield "", {"combatant": who, "do": "attack"}
    closed = set()
    for name, action in SYSTEM.actions.by_name.items():
        base = {"combatant": own, "do": name}
        if action.who == "gm" or (action.on_turn and not acts):
            if action.who not in closed:
                yield "", base
            closed.add(action.who)
            continue
        known = {f.name for f in msgspec.structs.fields(action.type)}
        is_aimed = "target" in known
        base |= {"weapon": f"{own}-1"} if "weapon" in known else {}
        yield "", base | ({"target": PIRATE} if is_aimed else {})
        for who in (PIRATE, ghost) if is_aimed else ():
            yield "odds/", {**base, "target": who}
        if is_aimed and ("weapon" in known or not closed & {"aimed"}):
            yield "", {**base, "target": ghost}
            closed |= {"aimed"}
        for place in known & {"to", "at"}:
            for there in (f"near:{ghost}", f"away:{ghost}", "zone:floor", "6,3", "6,10"):
                yield "odds/", {**base, place: there}
        if "item" in known:
            yield "odds/", {**base, "item": f"{ghost}-1"}


Wanted = Callable[[dict[str, str]], bool]


def find_pages() -> list[str]:
    """The addresses below that of an encounter which need nothing more."""
    known = [str(page.pattern) for page in (*encounter_pages, *map_pages)]
    return [address for address in known if address and "<" not in address]


def find_open_pages(role: str) -> list[str]:
    """Those of them that are open to someone of the cast: what a refusal tells, `read_rest` reads."""
    place = ROLES.index(role)
    opened = {row.name for row in ROWS if (row.method, row.sent, row.wanted[place]) == ("GET", "", 200)}
    known = [page for page in (*encounter_pages, *map_pages) if isinstance(page, URLPattern)]
    names = {str(page.pattern): page.name for page in known}
    return [address for address in find_pages() if names.get(address) in opened]


def read_table(client: Client, fight: Fight, reading: Reading) -> None:
    """Read what tells of the fight itself: the table, and the log with one step checked, and as text."""
    here = f"/encounters/{fight.pk}/"
    for headers in ({}, {"HX-Request": "true"}):
        reading.note(f"table {headers}", client.get(here, headers=headers))
    reading.note("log 1", client.get(f"{here}log/", {"page": "1", "verify": ""}))
    reading.note("log, step 7", client.get(f"{here}log/", {"step": "7"}))
    reading.note("export/?as=text", client.get(f"{here}export/?as=text"))


def read_rest(client: Client, fight: Fight, reading: Reading) -> None:
    """Read every other page of an encounter, without a question."""
    here = f"/encounters/{fight.pk}/"
    for page in (2, 50):
        reading.note(f"log {page}", client.get(f"{here}log/", {"page": page, "verify": ""}))
    for asked in (
        {"show": "rolls"},
        {"show": "private"},
        {"who": "mine"},
        {"who": fight.ghost or "f4", "show": "attacks"},
    ):
        reading.note(f"log {asked}", client.get(f"{here}log/", asked))
    for step in (0, 1, 4, 16, 40, 1000):
        reading.note(f"step {step}", client.get(f"{here}log/", {"step": step}))
    for part in (*find_pages(), "nothing/"):
        reading.note(part, client.get(f"{here}{part}"))
    for address in ("/", "/encounters/", "/rules/", f"/rules/{SLUG}/?q={GHOST[:3]}"):
        reading.note(address, client.get(address))


def ask_about(
    client: Client, fight: Fight, reading: Reading, own: str, wanted: Wanted = lambda query: True
) -> None:
    """Ask all of these questions, and read each part of a page that htmx requests for them."""
    here = f"/encounters/{fight.pk}/"
    for path, query in questions_about(fight, own):
        if wanted(query):
            reading.note(f"{path} {query}", client.get(here + path, query, headers={"HX-Request": "true"}))
