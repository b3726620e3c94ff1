"""Actions: to each row of actions.toml its procedure, its checks and its form; briefs."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.table import load_actions
from combat.rules.core.declaration.actions import Brief
from combat.rules.core.space import distance
from combat.rules.core.state.state import Combatant, State, has_condition, present
from tests.combat.rules.tiny import fight, move, turn


def strike_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a strike: foes first, the nearest first."""
    combatant = state[actor]
    others = [one for one in present(state) if one.id != actor]
    others.sort(key=lambda one: (one.side == combatant.side, distance(one.at, combatant.at)))
    options = tuple(Choice(one.id, one.name, "", _down(one)) for one in others)
    first = next((o.value for o in options if not o.refused), "")
    return (
        Field("target", "Target", "target", options, first),
        Field("strikes", "Strikes", "number", value="1", low=1, high=3, rule="TINY-STR-01"),
    )


def _down(combatant: Combatant) -> str:
    return f"{combatant.name} is down" if has_condition(combatant, "down") else ""


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a step: zones, and places beside others."""
    zones = [Choice(f"zone:{zone.id}", zone.name) for zone in state.scene.zones]
    near = [Choice(f"near:{one.id}", f"next to {one.name}") for one in present(state) if one.id != actor]
    options = (*zones, *near)
    value = options[0].value if options else ""
    return (
        Field("to", "Where to", "place", options, value),
        Field("far", "As far as it goes", "flag", value="true"),
    )


TABLE = load_actions(Path(__file__).parent / "actions.toml", bar=turn.check_up)
ACTIONS = (
    TABLE.act("strike", fight.strike, turn.can_pay("act"), fields=strike_fields, preview=fight.preview),
    TABLE.act("guard", fight.guard, turn.can_pay("act")),
    TABLE.act("scare", fight.scare, fight.check_scare, turn.can_pay("act")),
    TABLE.act("move", move.move, fields=move_fields),
    TABLE.act("wait", turn.wait, turn.check_wait),
    TABLE.gm("start", turn.TURNS.start),
    TABLE.gm("next_turn", turn.TURNS.next_turn),
)
BRIEFS: dict[str, Brief] = {
    "strike": lambda state, combatant: f"+{combatant.sheet['skill']} within {fight.REACH_M} m",
    "guard": "2 harder to hit",
    "scare": f"Foes within {fight.SCARE_M} m",
    "move": f"Up to {move.STEP_M} m",
    "wait": "Act last",
}
