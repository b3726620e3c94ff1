"""The free attack on a combatant who breaks away: attackers, weapons, and who decides."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import allows
from combat.rules.core.state.state import State, find_item

from ..people.sheet import find_option
from ..world.touch import find_hostiles
from .aim import Attack, check_attack, mean_damage

NOBODY = "none"


def find_choosers(state: State, options: tuple[Choice, ...]) -> tuple[str, ...]:
    """Who chooses the enemy that strikes.  RULING R43

    A single enemy's player, else the players of a common side; the GM for opponents, and for enemies of
    several sides.
    """
    enemies = [state[who] for who in dict.fromkeys(option.value.partition("/")[0] for option in options)]
    if len(enemies) == 1:
        return (enemies[0].id,)
    players = tuple(enemy.id for enemy in enemies if enemy.pc)
    one_side = len({enemy.side for enemy in enemies}) == 1
    return players if players and one_side else (GM,)


def find_hardest(state: State, options: tuple[Choice, ...]) -> str:
    """The free attack that tactics choose: the weapon with the highest damage."""

    def mean(option: Choice) -> float:
        enemy, _, weapon = option.value.partition("/")
        return mean_damage(str(find_item(state[enemy], weapon).data["damage"]))

    return max(options, key=mean).value


def find_free_attacks(state: State, mover: str) -> tuple[Choice, ...]:
    """Every enemy with every weapon it can use on the mover now."""
    found = []
    for enemy in find_hostiles(state, state[mover]):
        if find_option(state, "free_attacks_per_round") == 1 and enemy.marks.get("free_round") == state.round:
            continue
        for item in enemy.items:
            if item.kind == "weapon" and allows(
                check_attack, state, Attack(actor=enemy.id, target=mover, weapon=item.id)
            ):
                found.append(Choice(f"{enemy.id}/{item.id}", f"{enemy.name} with {item.name}"))
    return tuple(found)
