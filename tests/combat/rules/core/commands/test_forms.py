"""What the forms of all actions share."""

from __future__ import annotations

from combat.rules.core.basics import memory
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import find_fields_once
from combat.rules.core.state.state import State, replace
from tests.combat.rules import tiny


def test_form_is_made_once_for_a_state_and_anew_for_the_next() -> None:
    memory.forget()
    asked: list[tuple[int, str]] = []

    def find_fields(state: State, actor: str) -> tuple[Field, ...]:
        asked.append((state.round, actor))
        return (Field("target", "Target", "target"),)

    action = replace(next(iter(tiny.SYSTEM.actions.by_name.values())), find_fields=find_fields)
    state = State(system=tiny.SYSTEM.slug)
    for actor in ("a", "b", "a"):
        assert find_fields_once(action, state, actor) == find_fields(state, actor)
        asked.pop()
    find_fields_once(action, replace(state, round=2), "a")
    assert asked == [(state.round, "a"), (state.round, "b"), (2, "a")]
