"""The result of each action of a turn in a few words, for its tile."""

from __future__ import annotations

from combat.rules.core.declaration.actions import Brief, name_weapon
from combat.rules.core.state.state import Combatant, State

from ..move.movement import count_left
from ..world.strides import stride_yards


def _move(state: State, combatant: Combatant) -> str:
    return f"Up to {stride_yards(state, combatant):g} yd"


def _walk_on(state: State, combatant: Combatant) -> str:
    return f"{count_left(state, combatant)} yd are left"


BRIEFS: dict[str, Brief] = {
    "attack": name_weapon("d100 within your ranks"),
    "stand_up": "Before any other action",
    "move": _move,
    "walk_on": _walk_on,
    "guard": "Once more this round",
    "hold": "Act later",
    "act_now": "Between those of others",
    "first_aid": "One limb, or wakes someone",
    "painkillers": "They last an hour",
    "draw": "Something you carry",
    "put_away": "Something in your hand",
    "pick_up": "What lies next to you",
    "door": "One next to you",
    "other": "With a roll if it needs one",
    "let_go": "Something in your hand",
    "speak": "At any time",
}
