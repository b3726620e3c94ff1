"""What a scene condition does now: the usual attack and the move of who acts, with it and as usual."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.declaration.book import Setting
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.planner import MOVE
from combat.rules.core.state.state import State, replace

from ..combatants.tokens import name_fully
from ..shapes.table_shapes import SceneEffect, SettingView
from .usual_odds import ATTACK, Usual, find_usual, say_chance, strikes

IMPOSSIBLE = "not possible"


def add_effects(system: System, state: State, views: tuple[SettingView, ...]) -> tuple[SettingView, ...]:
    """The scene conditions; those that differ from usual with what they change for who acts now."""
    return tuple(
        one
        if one.value == one.setting.default
        else structs.replace(one, effects=tuple(_find_effects(system, state, one.setting)))
        for one in views
    )


def _find_effects(system: System, state: State, setting: Setting) -> Iterator[SceneEffect]:
    """The attack first, then the move: each only if the condition changes it."""
    if state.phase != "fight" or state.active not in state.combatants:
        return
    settings = {**state.scene.settings, setting.key: setting.default}
    usual, who = replace(state, scene=replace(state.scene, settings=settings)), state.active
    if attack := _find_attack(system, state, who) or _find_attack(system, usual, who):
        was, now = (_say_attack(system, one, attack) for one in (usual, state))
        if was != now:
            target = name_fully(state, state[attack.target])
            yield SceneEffect(f"{name_fully(state, state[who])} at {target}", was, now)
    was, now = (_say_reach(system, one, who) for one in (usual, state))
    if was != now:
        yield SceneEffect("Moves up to", was or IMPOSSIBLE, now or IMPOSSIBLE)


def _find_attack(system: System, state: State, who: str) -> Usual | None:
    """The first attack that someone can make as its form starts."""
    for action in system.actions.by_name.values():
        if action.who == "gm" or not strikes(action) or system.kinds.of_action(action.name) != ATTACK:
            continue
        usual = find_usual(system, state, who, action.name)
        if usual and usual.is_legal:
            return usual
    return None


def _say_attack(system: System, state: State, usual: Usual) -> str:
    """The chance of an attack; empty if there is too much to count."""
    assert usual.command
    try:
        chance = say_chance(system, state, usual.action, usual.command)
    except Refused:
        return IMPOSSIBLE
    return chance and f"{chance}%"


def _say_reach(system: System, state: State, who: str) -> str:
    """How far someone can move now; empty if they cannot, or if the game draws no reach."""
    action = system.actions.by_name.get(MOVE)
    if action is None or action.find_reach is None or find_refusal(action, state, who):
        return ""
    farthest = max((one.meters for one in action.find_reach(state, who)), default=0.0)
    return f"{say_number(round(farthest, 1))} m" if farthest else ""
