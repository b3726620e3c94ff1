"""What a scene condition does to who acts: their usual attack, and how far they move."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from combat.display.forms import scene_effects
from combat.display.forms.usual_odds import ATTACK, strikes
from combat.display.shapes.table_shapes import SceneEffect, SettingView
from combat.models import Encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action
from combat.rules.core.declaration.book import Setting
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.planner import MOVE
from combat.rules.core.state.state import State, replace
from tests.combat.visit import PIRATE, SLUG, ZARA, state_of

SYSTEM = find_system(SLUG)
SHOT: Any = SimpleNamespace(action="attack", target=PIRATE, command={"target": PIRATE}, is_legal=True)
HIT, MOVES = "Zara at Pirate", "Moves up to"


@pytest.fixture
def dark(started: Encounter) -> State:
    """Zara's turn, in a scene of another light than usual."""
    state = state_of(started.pk)
    return replace(state, scene=replace(state.scene, settings={"light": "dark"}))


@pytest.mark.parametrize(
    ("now", "usual", "chances", "reaches", "told"),
    [
        (SHOT, None, ("50%", "30%"), ("9 m", "9 m"), [(HIT, "50%", "30%")]),
        (
            None,
            SHOT,
            ("50%", "not possible"),
            ("9 m", "4 m"),
            [(HIT, "50%", "not possible"), (MOVES, "9 m", "4 m")],
        ),
        (None, None, ("50%", "30%"), ("9 m", ""), [(MOVES, "9 m", "not possible")]),
        (SHOT, SHOT, ("50%", "50%"), ("", "4 m"), [(MOVES, "not possible", "4 m")]),
        (SHOT, SHOT, ("50%", "50%"), ("", ""), []),
    ],
)
def test_only_what_a_condition_changes_is_told(
    dark: State,
    monkeypatch: pytest.MonkeyPatch,
    now: Any,
    usual: Any,
    chances: tuple[str, str],
    reaches: tuple[str, str],
    told: list[tuple[str, str, str]],
) -> None:
    """The attack first, then the move, each as usual and now."""

    def is_dark(state: State) -> bool:
        return state.scene.settings["light"] == "dark"

    monkeypatch.setattr(scene_effects, "_find_attack", lambda _, state, who: now if is_dark(state) else usual)
    monkeypatch.setattr(scene_effects, "_say_attack", lambda _, state, attack: chances[is_dark(state)])
    monkeypatch.setattr(scene_effects, "_say_reach", lambda _, state, who: reaches[is_dark(state)])
    setting: Any = SimpleNamespace(key="light", default="bright")
    found = [(one.words, one.was, one.now) for one in scene_effects._find_effects(SYSTEM, dark, setting)]
    assert found == told
    for quiet in (replace(dark, phase="prep"), replace(dark, active="f99")):
        assert list(scene_effects._find_effects(SYSTEM, quiet, setting)) == []


def test_a_condition_as_usual_has_no_effects(dark: State, monkeypatch: pytest.MonkeyPatch) -> None:
    effect = SceneEffect("Moves up to", "9 m", "4 m")
    monkeypatch.setattr(scene_effects, "_find_effects", lambda *_: [effect])
    views = tuple(
        SettingView(Setting("light", "Light", (), default="bright"), value=value)
        for value in ("dark", "bright")
    )
    assert [one.effects for one in scene_effects.add_effects(SYSTEM, dark, views)] == [(effect,), None]


def test_a_chance_is_said_in_percent(dark: State, monkeypatch: pytest.MonkeyPatch) -> None:
    for chance, words in (("40", "40%"), ("0", "0%"), ("", "")):
        monkeypatch.setattr(scene_effects, "say_chance", lambda *_, chance=chance: chance)
        assert scene_effects._say_attack(SYSTEM, dark, SHOT) == words

    def refuse(*_: object) -> None:
        raise Refused("not_allowed", "Too dark.")

    monkeypatch.setattr(scene_effects, "say_chance", refuse)
    assert scene_effects._say_attack(SYSTEM, dark, SHOT) == "not possible"


def test_the_first_attack_that_can_be_made_is_the_one(dark: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game's attacks in their order, none of the GM's."""
    asked: list[str] = []

    def find(system: object, state: State, who: str, name: str) -> Any:
        asked.append(name)
        return SimpleNamespace(name=name, is_legal=name in legal)

    monkeypatch.setattr(scene_effects, "find_usual", find)
    legal: set[str] = set()
    for system in map(find_system, SYSTEMS):
        asked.clear()
        assert scene_effects._find_attack(system, dark, ZARA) is None
        assert asked == [one.name for one in system.actions.by_name.values() if is_attack(system, one)]
    attacks = [one.name for one in SYSTEM.actions.by_name.values() if is_attack(SYSTEM, one)]
    for name in attacks:
        legal.add(name)
        found = scene_effects._find_attack(SYSTEM, dark, ZARA)
        assert found
        assert asked[-1] == attacks[0]
    monkeypatch.setattr(scene_effects, "find_usual", lambda *_: None)
    assert scene_effects._find_attack(SYSTEM, dark, ZARA) is None


def is_attack(system: System, action: Action) -> bool:
    return action.who != "gm" and strikes(action) and system.kinds.of_action(action.name) == ATTACK


def test_the_reach_is_the_farthest_place_of_ones_own_turn(
    dark: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = SYSTEM.actions.by_name[MOVE]
    assert move.find_reach
    farthest = max(one.meters for one in move.find_reach(dark, ZARA))
    assert scene_effects._say_reach(SYSTEM, dark, ZARA) == f"{round(farthest, 1):g} m"
    assert scene_effects._say_reach(SYSTEM, dark, PIRATE) == ""
    for changed, words in ((None, ""), (lambda *_: (), "")):
        actions: Any = SimpleNamespace(by_name={MOVE: replace(move, find_reach=changed)})
        system: Any = SimpleNamespace(actions=actions)
        assert scene_effects._say_reach(system, dark, ZARA) == words
    system = SimpleNamespace(actions=SimpleNamespace(by_name={}))
    assert scene_effects._say_reach(system, dark, ZARA) == ""
