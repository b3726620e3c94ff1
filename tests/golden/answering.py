"""What the map and programs are told in a demo fight, as data: paths, lines of sight, actions, the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from combat.rules import find_system
from combat.rules.core.state.state import present
from tests.combat.pages.programs.asking import make_program
from tests.combat.pages.table.patching import parse
from tests.combat.visit import demo_fight, play_step, state_of
from tests.golden.playing import Pages
from tests.golden.reading import CHANGING, read_lines

STEPS = 8  # of a script: people have moved and hit
READABLE = 300  # characters
READ = ("state", "actions", "log")


def read_answers(gm: User, slug: str) -> Pages:
    """The answers in each demo fight of a game, after some steps."""
    return {
        f"{number}/{name}": lines
        for number in range(len(find_system(slug).demo.make_all()))
        for name, lines in ask_all(gm, slug, number)
    }


def ask_all(gm: User, slug: str, number: int) -> Iterator[tuple[str, list[str]]]:
    """What the GM's map asks for who acts, about everyone, and what the GM's program reads."""
    fight = demo_fight(gm, slug, number)
    for step in find_system(slug).demo.make_all()[number].script[:STEPS]:
        play_step(fight.pk, step)
    owner, here = Client(), f"/encounters/{fight.pk}/"
    owner.force_login(gm)
    state = state_of(fight.pk)
    people = [one.id for one in present(state)]
    who = state.active or people[0]  # between two turns of a game by sides nobody acts
    asked: list[tuple[str, dict[str, str]]] = [
        ("paths", {"combatant": who}),
        ("paths", {"combatant": who, "ways": "1"}),
        ("lines", {"combatant": who}),
        *(("ruler", {"from": f"@{who}", "to": f"@{other}"}) for other in people),
    ]
    yield "answers-map", [line for path, query in asked for line in tell(owner, f"{here}{path}/", query)]
    cards = [owner.get(f"{here}foe/", {"combatant": who, "target": one}) for one in people if one != who]
    yield "answers-cards", [line for card in cards for line in read_lines(parse(card.content.decode()))]
    program = make_program(fight)
    for name in READ:
        yield f"answers-{name}", write(program.get(name))


def tell(owner: Client, address: str, query: dict[str, str]) -> list[str]:
    """A question of the map, and its answer."""
    answer = owner.get(address, query)
    return [f"{address.split('/')[-2]} {query} {answer.status_code}", *write(answer.json())]


def write(answer: Any) -> list[str]:
    """Data as lines: one for each part of the whole, and of a list in it."""
    lines = []
    for name, value in answer.items():
        parts = value if isinstance(value, list) else [value]
        lines += [shorten(CHANGING.sub("#", f"{name}: {json.dumps(one, sort_keys=True)}")) for one in parts]
    return lines


def shorten(line: str) -> str:
    """A line that can be read; a digest stands for the rest of it."""
    rest = line[READABLE:].encode()
    return line[:READABLE] + (f"… {blake2b(rest, digest_size=4).hexdigest()}" if rest else "")
