"""A row of the table changes with what it shows, and with nothing else."""

from __future__ import annotations

from typing import Any

from combat.audience.viewer import GM, Viewer
from combat.pages.table.rows import view_combatants
from combat.rules.core.state.state import FACE, State, replace, with_key
from tests.combat.rules.cosmos.figures import CosmosStage


def change(state: State, who: str, **changes: Any) -> State:
    return replace(state, combatants={**state.combatants, who: replace(state.combatants[who], **changes)})


def test_a_row_is_the_same_until_something_that_it_shows_changes() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero("Ada"), stage.foe("Bo")
    state, system = replace(stage.state, phase="fight"), stage.system
    row = view_combatants(system, state, GM)[ada]

    other = "raider" if row.look.face != "raider" else "guard"

    def view(changed: State, viewer: Viewer = GM) -> Any:
        return view_combatants(system, changed, viewer)[ada]

    assert view(change(state, bo, acted=True)) == row, "someone else acts"
    faced = view(change(state, ada, marks=with_key(state[ada].marks, FACE, other)))
    assert faced.look.face == other
    changed = [
        view(change(state, bo, name="Ada")),
        view(change(state, ada, acted=True)),
        view(change(state, ada, tracks={**state[ada].tracks, "hp": 1})),
        faced,
        view(replace(state, active=ada)),
        view(state, Viewer()),
    ]
    assert [n for n, one in enumerate(changed) if one == row] == []
