"""What a sheet says of an attack holds in a fight: its sum is part of the sum against any target."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifiers, without_zeros
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import find_no_attacks
from combat.rules.core.state.state import Combatant, State, present
from tests.combat.rules.games import GAMES, set_up


def find_sum(system: System, state: State, who: Combatant, target: Combatant, weapon: str) -> Modifiers:
    """The terms of an attack as its form shows them; none if it is impossible."""
    action = system.action("attack")
    assert action.preview
    try:
        fields = {"actor": who.id, "target": target.id, "weapon": weapon}
        preview = action.preview(state, read_command(action, fields))
    except Refused:
        return ()
    return without_zeros(preview.modifiers or preview.against)


def test_sum_of_a_sheet_is_part_of_the_sum_of_the_attack() -> None:
    for system in GAMES.values():
        find_attacks = system.book.sheets.find_attacks if system.book.sheets else find_no_attacks
        state, known = set_up(system).state, 0
        for who in present(state):
            attacks = find_attacks(state, who)
            for attack in attacks:
                sums = [find_sum(system, state, who, target, attack.item.id) for target in present(state)]
                found = [terms for terms in sums if terms and attack.dice]
                uses = [other for other in attacks if other.item.id == attack.item.id]
                known += bool(found)
                for terms in found:
                    assert any(set(without_zeros(use.terms)) <= set(terms) for use in uses), attack.item.name
        assert known > 1 or find_attacks is find_no_attacks, system.slug
