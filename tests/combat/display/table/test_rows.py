"""Rows, scenes and cards that are kept: never those of another moment, nor of another viewer."""

from __future__ import annotations

from typing import Any

import pytest

from combat.audience.secrecy import redact
from combat.audience.viewer import GM, Viewer
from combat.display.combatants.company import find_company
from combat.display.combatants.tokens import has_face
from combat.display.map.scene import view_scene
from combat.display.table.result_view import make_result
from combat.display.table.rows import view_combatants
from combat.rules.core.basics import memory
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import FACE
from combat.rules.core.state.state import State, present, replace, with_key
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.games import GAMES, demo_fights, every_game, set_up


def draw_all(system: System) -> list[Any]:
    """What several viewers see of each moment of a demo."""
    found = []
    for moment in demo_fights(system):
        seat = next(one.id for one in present(moment.before) if one.pc)
        for viewer in (GM, Viewer(), Viewer("seat", frozenset({seat}))):
            known = redact(moment.before, viewer)
            rows = view_combatants(system, known, viewer)
            found += [rows, view_scene(system, known, rows, whose=known.active)]
            found.append(make_result(system, viewer, known, moment.step, "key", rows))
    return found


@every_game
def test_what_is_kept_is_what_would_be_drawn_anew(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.forget()
    kept = draw_all(system)
    monkeypatch.setattr(memory, "MAX_ANSWERS", 0)
    memory.forget()
    assert draw_all(system) == kept


def change(state: State, who: str, **changes: Any) -> State:
    return replace(state, combatants={**state.combatants, who: replace(state.combatants[who], **changes)})


def test_a_row_stays_until_something_that_it_shows_changes() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero("Ada"), stage.foe("Bo")
    state, system = replace(stage.state, phase="fight"), stage.system
    row = view_combatants(system, state, GM)[ada]

    other = "raider" if row.look.face != "raider" else "guard"

    def view(changed: State, viewer: Viewer = GM) -> Any:
        return view_combatants(system, changed, viewer)[ada]

    assert view(change(state, bo, acted=True)) is row, "someone else acts"
    changed = [
        view(change(state, bo, name="Ada")),
        view(change(state, ada, acted=True)),
        view(change(state, ada, tracks={**state[ada].tracks, "hp": 1})),
        view(change(state, ada, marks=with_key(state[ada].marks, FACE, other))),
        view(replace(state, active=ada)),
        view(state, Viewer()),
    ]
    assert [n for n, one in enumerate(changed) if one == row] == []
    assert find_company(system, state) is find_company(system, change(state, bo, acted=True))


@pytest.mark.parametrize("slug", GAMES)
def test_a_row_shows_the_face_that_the_gm_gives_in_a_running_fight(slug: str) -> None:
    """In every game: what else a row looks at differs, and could stand for the face by chance."""
    system = GAMES[slug]
    state = replace(set_up(system).state, phase="fight")
    whose = next(one for one in present(state) if has_face(system, one))
    for face in ("raider", "guard"):
        state = change(state, whose.id, marks=with_key(state[whose.id].marks, FACE, face))
        assert view_combatants(system, state, GM)[whose.id].look.face == face
