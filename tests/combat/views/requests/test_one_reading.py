"""One read per request: the state is decoded once and, for each viewer, redacted once."""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from combat.audience import secrecy
from combat.audience.rights import Grant
from combat.models import Encounter
from combat.play.writing import kept_states
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state import state as states
from combat.sharing import access
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, Visit, load, state_of

ATTACK = {"combatant": ZARA, "target": PIRATE, "weapon": PISTOL}
ONCE, TWICE = 1, 2
PAGES: dict[str, tuple[str, dict[str, str]]] = {
    "table": ("", {}),
    "open form": ("", {"do": "attack", "combatant": ZARA}),
    "suggested action": ("", {"do": "suggest"}),
    "odds": ("odds/", {"do": "attack", **ATTACK}),
    "log": ("log/", {}),
    "log as text": ("export/", {"as": "text"}),
    "characters' way home": ("home/", {}),
}
OF_THE_GM: dict[str, tuple[str, dict[str, str]]] = {"preparation": ("prep/", {}), "share": ("share/", {})}
# Who posts what. An action decodes the state before it; the result is drawn without decoding, and an undone
# state is decoded.
DEEDS: dict[str, tuple[str, dict[str, Any], int]] = {
    "attack": ("player", {"do": "attack", **ATTACK, "dice": "app"}, ONCE),
    "attack with a table's dice": ("player", {"do": "attack", **ATTACK, "dice": "table"}, ONCE),
    "refused attack": ("player", {"do": "attack", **ATTACK, "target": "f999"}, ONCE),
    "end of the turn": ("player", {"do": "next_turn"}, ONCE),
    "damage": ("gm", {"do": "adjust", "target": PIRATE, "track": "hp", "points": 5, "sign": "-"}, ONCE),
    "note": ("gm", {"do": "note", "text": "A remark."}, ONCE),
    "undo": ("gm", {"do": "undo"}, TWICE),  # the present state, and the restored one
}


class Counted:
    """How often functions are called, wherever they are imported."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *functions: Callable[..., Any]) -> None:
        self.calls: Counter[str] = Counter()
        for function in functions:
            counting = self._count(function)
            for module in [m for name, m in sys.modules.items() if name.startswith("combat.")]:
                for name in [n for n, thing in vars(module).items() if thing is function]:
                    monkeypatch.setattr(module, name, counting)

    def _count(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any) -> Any:
            self.calls[function.__name__] += 1
            return function(*args)

        return counting

    def __getitem__(self, name: str) -> int:
        return self.calls[name]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Counted:
    """Counts decodes and redactions; nothing verifies the history after each action.

    No state is kept for another request, as if each ran in a new process.
    """
    settings.COSMOS_VERIFY = False
    for name, value in (("_kept", OrderedDict()), ("_size", 0), ("MAX_BYTES", 0)):
        monkeypatch.setattr(kept_states, name, value)
    return Counted(monkeypatch, states.decode, secrecy.redact, secrecy.obscure_health)


def open_page(client: Client, pk: int, path: str, query: dict[str, str]) -> None:
    answer = client.get(f"/encounters/{pk}/{path}", query, headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer.content.decode()[:500]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("role", ["gm", "player"])
def test_page_decodes_and_redacts_once(
    cast: Cast, started: Encounter, counted: Counted, role: str, name: str
) -> None:
    submit(started.pk, Submission("set_option", {"key": "foe_health", "value": "word"}))
    submit(started.pk, Submission("join", {"block": "pirate_example", "name": "Lurker", "hidden": True}))
    counted.calls.clear()
    open_page(cast[role], started.pk, *PAGES[name])
    assert counted["decode"] == ONCE
    assert counted["redact"] <= ONCE
    assert counted["obscure_health"] <= ONCE


@pytest.mark.parametrize("name", PAGES)
def test_page_decodes_nothing_where_someone_has_looked_before(
    cast: Cast, started: Encounter, counted: Counted, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(kept_states, "MAX_BYTES", 10**6)
    open_page(cast.player, started.pk, *PAGES[name])
    counted.calls.clear()
    open_page(cast.gm, started.pk, *PAGES[name])
    assert counted["decode"] == 0


@pytest.mark.parametrize("name", OF_THE_GM)
def test_page_of_the_gm_decodes_once(visit: Visit, counted: Counted, name: str) -> None:
    open_page(visit.client, visit.pk, *OF_THE_GM[name])
    assert counted["decode"] == ONCE
    assert counted["redact"] <= ONCE


def test_step_of_the_log_decodes_the_present_and_that_step(
    cast: Cast, started: Encounter, counted: Counted
) -> None:
    open_page(cast.player, started.pk, "log/", {"step": "1"})
    assert (counted["decode"], counted["redact"]) == (TWICE, TWICE)


def test_table_with_an_open_question_decodes_once(cast: Cast, started: Encounter, counted: Counted) -> None:
    Visit(cast.gm, started.pk).do("attack", **ATTACK, dice="table")
    for role, redacted in (("gm", 0), ("player", ONCE), ("watcher", ONCE)):  # the GM knows all
        counted.calls.clear()
        open_page(cast[role], started.pk, "", {})
        assert (counted["decode"], counted["redact"]) == (ONCE, redacted), role


def test_watchers_page_that_is_drawn_already_decodes_nothing(
    cast: Cast, started: Encounter, counted: Counted
) -> None:
    open_page(cast.watcher, started.pk, "", {})
    assert counted["decode"] == ONCE
    counted.calls.clear()
    open_page(cast.watcher, started.pk, "", {})
    assert not counted.calls


@pytest.mark.parametrize("name", DEEDS)
def test_deed_decodes_twice_at_most(cast: Cast, started: Encounter, counted: Counted, name: str) -> None:
    role, posted, most = DEEDS[name]
    here = Visit(cast[role], started.pk)
    counted.calls.clear()
    answer = here.client.post(here.here, posted, headers=here.headers)
    assert answer.status_code == (422 if name.startswith("refused") else 200), answer.content.decode()[:500]
    assert counted["decode"] == most


def test_answer_decodes_twice_at_most(cast: Cast, started: Encounter, counted: Counted) -> None:
    Visit(cast.gm, started.pk).do("attack", **ATTACK, dice="table")
    counted.calls.clear()
    dice = {"do": "answer", "question": 0, "dice": "table", "face-1": 5, "face-2": 5}
    visit = Visit(cast.player, started.pk)
    answer = visit.client.post(visit.here, dice, headers=visit.headers)
    assert answer.status_code == 200, answer.content.decode()[:500]
    assert counted["decode"] <= TWICE


def test_deed_someone_follows_at_once_is_drawn_as_it_was_written(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone else writes between the write and the drawing: the live stream tells of that."""
    find_again = access.find_context_again

    def come_second(*args: Any) -> Any:
        submit(visit.pk, Submission("rename", {"target": MARCUS, "name": "Marco"}))
        return find_again(*args)

    monkeypatch.setattr("combat.views.table.table.find_context_again", come_second)
    shown = visit.do("note", text="A remark.").content.decode()
    assert "Marcus<" in shown
    assert "Marco<" not in shown
    assert load(visit.pk).stamp(is_gm=True) not in shown, "so the page looks again as soon as it is told"
    assert "Marco<" in visit.get().content.decode()
    monkeypatch.undo()
    assert visit.refused("note", 409, version=Page(shown).one(id="table")["data-version"], text="Hm.")


@pytest.mark.parametrize("is_owner", [True, False])
def test_what_others_wrote_meanwhile_is_fetched_again(visit: Visit, *, is_owner: bool) -> None:
    """An encounter already read is used only if it is unchanged."""
    known = load(visit.pk)
    was, grant = dict(vars(known)), Grant(owner=known.owner_id) if is_owner else None
    submit(visit.pk, Submission("rename", {"target": MARCUS, "name": "Marco"}))
    submit(visit.pk, Submission("note", {"text": "A remark."}, known=known, grant=grant))
    assert {name: vars(known)[name] for name in was} == was, "what was fetched is what it was"
    assert [one.name for one in state_of(visit.pk).combatants.values()].count("Marco") == 1
    assert load(visit.pk).steps == known.steps + 2


def test_step_changes_nothing_else_of_its_encounter(visit: Visit) -> None:
    """Changes written to other columns in the meantime stay."""
    known = load(visit.pk)
    Encounter.objects.filter(pk=visit.pk).update(name="Another name", handouts=3)
    submit(visit.pk, Submission("note", {"text": "A remark."}, known=known))
    assert (load(visit.pk).name, load(visit.pk).handouts) == ("Another name", 3)
