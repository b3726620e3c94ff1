"""A player's program reads and is refused the same, whether someone is out of its sight or not there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from zeal import zeal_ignore

from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.state.state import State, encode
from tests.combat.audience.test_unseen_pages import taken_back
from tests.combat.audience.unseen import GHOST, WAYS, make_ambush, make_world
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.visit import SLUG
from tests.thinning import thin

pytestmark = pytest.mark.usefixtures("no_verification", "patience")

SYSTEM = find_system(SLUG)


def seat(gm: User, state: State, who: str) -> Program:
    """The program of a player who has someone in a fight with this state."""
    made = create_encounter(gm, SLUG, "Unseen")
    Encounter.objects.filter(pk=made.pk).update(start=encode(state), state=encode(state), phase=state.phase)
    submit(made.pk, Submission("note", {"text": "Here we go.", "secret": False}))
    taken = Seat.objects.create(encounter=made, name="Pia", kind=ShareLink.PLAY, digest="x", combatants=[who])
    return make_program(made, taken)


def read_all(program: Program, who: str, ghost: str) -> dict[str, str]:
    """All that a program reads, and how what it tries with the unseen is refused."""
    seen = {what: json.dumps(program.get(what)) for what in ("state", "log")}
    offered = program.get("actions", combatant=who)
    seen["actions"] = json.dumps(offered)
    for action in offered["actions"]:
        if "target" in [field["name"] for field in action["fields"]]:
            fields = {**action["usual"], "target": ghost}
            asked = {"action": action["name"], "combatant": who, "fields": fields}
            seen[f"odds {asked}"] = ask(program, "odds", asked)
            seen[f"act {asked}"] = ask(program, "actions", {**asked, "stamp": offered["stamp"]})
    return seen


def ask(program: Program, what: str, sent: dict[str, Any]) -> str:
    """The status and the bytes that a program gets; what it does is undone."""
    with taken_back():
        raw = json.dumps(sent)
        answer = Client().post(f"/api/table/{what}/", raw, "application/json", headers=program.headers)
        return f"{answer.status_code} {answer.content.decode()}"


def compare(gm: User, worlds: list[State], who: str, ghost: str) -> None:
    """The same of one program in two worlds."""
    program = seat(gm, worlds[0], who)
    found = []
    for state in worlds:
        Encounter.objects.update(state=encode(state))
        with zeal_ignore():  # many requests, one test
            found.append(read_all(program, who, ghost))
    assert GHOST not in str(found)
    assert found[0].keys() == found[1].keys()
    assert not [name for name in found[0] if found[0][name] != found[1][name]]
    assert any(name.startswith("act") and told.startswith("422") for name, told in found[0].items())


@pytest.mark.slow
@pytest.mark.parametrize("way", thin(WAYS, WAYS[0]))
def test_no_byte_tells_of_someone_in_a_vault(gm: User, way: str) -> None:
    state, ghost = make_world(SYSTEM, way, started=True)
    without, _ = make_world(SYSTEM, way, started=True, is_there=False)
    compare(gm, [state, without], state.active, ghost)


@pytest.mark.parametrize("way", thin(WAYS[:2], WAYS[0]))
def test_no_byte_tells_of_an_ambush(gm: User, way: str) -> None:
    state, who = make_ambush(SYSTEM, way)
    without, _ = make_ambush(SYSTEM, way, is_there=False)
    (ghost, *_) = state.combatants.keys() - without.combatants.keys()
    compare(gm, [state, without], who, ghost)
