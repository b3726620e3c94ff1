"""Tactics: how the app plays a combatant."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Command
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import distance
from combat.rules.core.state.state import Combatant, State, has_condition, present
from tests.combat.rules.boarders.care import Aid, check_aid
from tests.combat.rules.boarders.fight import Shoot, Strike, check_attack
from tests.combat.rules.boarders.move import MOVES
from tests.combat.rules.boarders.world import BLASTS, is_up

GROUP = 2  # foes who are worth a grenade


def suggest(state: State, actor: str) -> tuple[str, Command] | None:
    """Help who is down or bleeds, else attack a foe within reach, else come near."""
    combatant = state[actor]
    others = [one for one in present(state) if one.side != combatant.side and is_up(one)]
    foes = [one for one in others if not is_concealed_from(state, combatant, one)]
    foes.sort(key=lambda one: distance(one.at, combatant.at))
    if not is_up(combatant) or not combatant.budget.get("act"):
        return None
    if deed := next(find_deeds(state, combatant, foes), None):
        return deed
    near = MOVES.come_near(state, actor, foes)
    return ("stand", Command(actor=actor)) if near and has_condition(combatant, "prone") else near


def find_deeds(state: State, combatant: Combatant, foes: list[Combatant]) -> Iterator[tuple[str, Command]]:
    """What is worth an action here, the best first."""
    who = combatant.id
    for friend in present(state):
        aid = Aid(actor=who, target=friend.id)
        urgent = has_condition(friend, "down", "bleeding")
        if urgent and friend.side == combatant.side and allows(check_aid, state, aid):
            yield "aid", aid
    if combatant.tracks["grenades"]:
        best = BLASTS.find_best(state, who, foes)
        if best and best[1] >= GROUP:
            yield "throw", best[0]
    for foe in foes:
        for name, attack in (("strike", Strike), ("shoot", Shoot)):
            command = attack(actor=who, target=foe.id)
            if allows(check_attack, state, command):
                yield name, command
