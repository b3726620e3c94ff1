"""No form opens with a place, a target, a weapon or a choice that is refused while another one is not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display.forms.fields import VARIED, find_allowed, find_dead_end, prefilled
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Action, Field, find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.state.state import State, is_acting, present
from tests.combat.markup import Page
from tests.combat.rules.every_game.wild.wild import Log
from tests.combat.rules.games import every_game
from tests.combat.visit import ZARA, begun, read, state_of

Form = tuple[State, str, Action, tuple[Field, ...]]


def find_forms(system: System) -> Iterator[Form]:
    """The forms of all who act, at each step of the demo fights."""
    for demo in system.demo.make_all():
        log = Log(system)
        log.play(demo.setup, random.Random(1))
        for step in demo.script:
            log.play((step,), random.Random(1))
            state = log.state
            for who in (one.id for one in present(state) if is_acting(state, one.id)):
                yield from (
                    (state, who, action, fields) for action, fields in find_offered(system, state, who)
                )


def find_offered(system: System, state: State, who: str) -> Iterator[tuple[Action, tuple[Field, ...]]]:
    for action in system.actions.by_name.values():
        if action.who != "gm" and find_refusal(action, state, who) is None:
            fields = action.find_fields(state, who)
            if not find_dead_end(action, fields):
                yield action, fields


def is_allowed(system: System, state: State, who: str, action: Action, data: dict[str, Any]) -> bool:
    command = read_command(action, {**data, "actor": who}, state)
    return allows(lambda: run(system, state, action, command=command, driver=TryDriver()))


@every_game
def test_no_form_opens_with_what_is_refused(system: System) -> None:
    refused, opened = set[str](), 0
    for state, who, action, fields in find_forms(system):
        data = find_allowed(state, action, who, fields, prefilled(action, state, who))
        opened += 1
        if is_allowed(system, state, who, action, data):
            continue
        mine = state[who].side
        for field in fields:
            if field.kind not in VARIED or not data.get(field.name):
                continue
            others = [one.value for one in field.options if not one.refused]
            if (
                field.kind == "target"
            ):  # a form for enemies never begins with an ally, nor the other way round
                first = state[data[field.name]].side == mine if data[field.name] in state.combatants else None
                others = [o for o in others if o in state.combatants and (state[o].side == mine) == first]
            if any(is_allowed(system, state, who, action, data | {field.name: value}) for value in others):
                refused.add(f"{action.name}: {field.name} {data[field.name]}")
    assert opened > 10
    assert refused == set()


def chosen_of(page: Page) -> str:
    """The place with which the form of a move begins."""
    options = page.all("option", inside=page.one(id="do-to"))
    return next(one["value"] for one in options if "selected" in one.attrs)


@pytest.mark.parametrize("do", ["move", "full_move", "sprint"])
def test_move_begins_at_a_place_that_can_be_reached(gm: User, gm_client: Client, do: str) -> None:
    """On the page and for programs: behind a locked door nobody gets."""
    pk = begun(gm, "cosmos").pk
    wide = {"width": 10, "depth": 10, "y": 0}
    zones = [
        {"id": "vault", "name": "Vault", "x": 20, **wide},
        {"id": "hall", "name": "Hall", "x": 4, **wide},
    ]
    submit(pk, Submission("set_scene", {"scene": {"zones": zones}}))
    box = ((20, 0, 30, 0), (30, 0, 30, 10), (30, 10, 20, 10))
    walls = [
        {"id": f"w{n}", "kind": "wall", "x1": a, "y1": b, "x2": c, "y2": d}
        for n, (a, b, c, d) in enumerate(box)
    ]
    door = {"id": "d", "kind": "door", "x1": 20, "y1": 0, "x2": 20, "y2": 10, "locked": True}
    submit(pk, Submission("set_map", {"map": {"walls": [*walls, door]}}))
    for n, who in enumerate(state_of(pk).combatants):
        submit(pk, Submission("place", {"target": who, "x": 2, "y": 2 + 2 * n}))
    page = read(gm_client.get(f"/encounters/{pk}/", {"combatant": ZARA, "do": do}))
    assert chosen_of(page) == "zone:hall"


@pytest.mark.slow
def test_what_was_asked_for_stays(gm: User, gm_client: Client) -> None:
    pk = begun(gm, "cosmos").pk
    page = read(gm_client.get(f"/encounters/{pk}/", {"combatant": ZARA, "do": "move", "to": "900,900"}))
    assert page.one(id="do-to-free")["value"] == "900,900"
