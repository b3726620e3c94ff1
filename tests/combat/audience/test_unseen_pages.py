"""No one else sees a byte change after a GM has done something to those out of sight."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import ndiff

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, create_encounter, redo, submit, undo
from combat.rules import find_system
from combat.rules.core.state.state import State, encode
from combat.sharing.links import make_link
from tests.combat.audience.test_leaks import calm
from tests.combat.audience.test_unseen import shows
from tests.combat.audience.unseen import (
    OF_RESERVES,
    WAITS,
    WAYS,
    find_commands,
    find_names,
    is_about,
    make_world,
)
from tests.combat.cast import Cast, gather
from tests.combat.visit import SLUG, load, state_of

pytestmark = pytest.mark.usefixtures("no_verification")

SYSTEM = find_system(SLUG)
Pages = dict[str, tuple[str, ...]]  # by who reads them
HOME, FIND = "home", "find"
MORE = ("log/", "export/", "export/?as=text", "report/", "dice/", "forecast/", HOME, FIND)
ALL: Pages = {"player": ("", *MORE), "watcher": ("", *MORE)}


def store(gm: User, state: State) -> Encounter:
    """An encounter with this state, and one line in its log."""
    made = create_encounter(gm, SLUG, "Unseen")
    Encounter.objects.filter(pk=made.pk).update(start=encode(state), state=encode(state), phase=state.phase)
    submit(made.pk, Submission("note", {"text": "Here we go.", "secret": False}))
    return load(made.pk)


def read_all(cast: Cast, pk: int, token: str, pages: Pages) -> dict[str, str]:
    """All that these people read, byte by byte, and the stamps that the live stream sends to all."""
    now = load(pk)
    texts = {
        "seat": now.stamp(is_gm=False, is_seated=True),
        "public": now.stamp(is_gm=False),
        "program": Client().get(f"/api/v1/{token}/").content.decode(),
    }
    for role, paths in pages.items():
        for page in paths:
            elsewhere = {HOME: "/", FIND: f"/encounters/{pk}/find/?q=e"}
            answer = cast[role].get(elsewhere.get(page, f"/encounters/{pk}/{page}"))
            texts[f"{role} {page}"] = calm(f"{answer.status_code} {answer.content.decode()}")
    return texts


def choose_pages(number: int) -> Pages:
    """The table and one more page in turn for each, never the same one for both."""
    return {role: ("", MORE[(number + n) % len(MORE)]) for n, role in enumerate(ALL)}


@contextmanager
def taken_back() -> Iterator[None]:
    """Roll back everything written."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def find_differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [f"{w}: {_find_news(before[w], after[w])}" for w in after if before[w] != after[w]]


def _find_news(before: str, after: str) -> list[str]:
    """The lines that are new, or gone."""
    lines = ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line.startswith(("- ", "+ "))][:6]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_no_byte_differs_after_what_the_gm_does_to_the_unseen(gm: User, way: str) -> None:
    """After each action people read the table, and the other pages in turn; each other one is undone too."""
    state, ghost = make_world(SYSTEM, way, started=True)
    encounter = store(gm, state)
    people = [combatant.id for combatant in state.combatants.values() if combatant.pc]
    cast = gather(encounter, people[0], people[-1])
    _, token = make_link(encounter, ShareLink.WATCH, "overlay")
    before, tried = read_all(cast, encounter.pk, token, ALL), set[str]()
    for name in find_names(SYSTEM):
        for data, done in find_commands(SYSTEM, state, ghost, name):
            passes = (done.state.clock, done.state.phase) != (state.clock, state.phase)
            if passes or not is_about(ghost, name, data) or shows(done.state, state):
                continue
            tried.add(name)
            pages = choose_pages(len(tried) + 2 * WAYS.index(way))
            with taken_back():
                waits = submit(encounter.pk, Submission(name, data, by="gm")).waiting
                told = read_all(cast, encounter.pk, token, pages)
                assert find_differences(before, told) == [], (name, data)
                if not waits and (len(tried) + WAYS.index(way)) % 2:
                    undo(encounter.pk, by="gm")
                    redo(encounter.pk, by="gm")
                    undo(encounter.pk, by="gm")
                    told = read_all(cast, encounter.pk, token, {"player": pages["player"]})  # who reads most
                    assert find_differences(before, told) == [], (name, data, "undone")
            break
    of_others = ("adjust", "give_condition", "remove", "set_initiative", "rename", "duplicate", "hold_back")
    assert {"join", *(OF_RESERVES[1:] if way == WAITS else of_others)} <= tried
    assert state_of(encounter.pk) == state
    submit(
        encounter.pk,
        Submission("adjust", {"target": people[0], "track": SYSTEM.characters.tracks[0].key, "by": -1}),
    )
    told = read_all(cast, encounter.pk, token, ALL)
    seen = {"public", "seat", "program", "player ", "watcher ", "player log/", "watcher export/"}
    assert seen <= {told.split(":")[0] for told in find_differences(before, told)}, "of others they do hear"
