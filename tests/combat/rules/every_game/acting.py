"""A worked example of a rulebook on a stage, and what came out as `examples.toml` writes it."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.examples import Deed, Example, Examples
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.playing import Playing, find_costs, say_sums, say_terms
from combat.rules.core.state.fold import fold_all
from combat.rules.core.wording import pen_of
from tests.combat.rules.games import find_values
from tests.combat.rules.stage import Script


class Outcome(msgspec.Struct, frozen=True):
    """What an action came to: its sums, the lines that the GM reads, its costs, or why it was refused."""

    why: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    cites: frozenset[str] = frozenset()
    costs: dict[str, int] = {}
    refused: str = ""


class Acting(Playing):
    """An example whose actions are checked: all answers are used, and the facts lead to the state."""

    def __init__(self, system: System, examples: Examples, example: Example) -> None:
        super().__init__(system, examples.usual, example)

    def try_out(self, deed: Deed) -> Outcome:
        """Play one action with its dice; a refusal is an outcome too."""
        script, before = Script(self.find_answers(deed)), self.state
        try:
            facts = self.act(deed, script)
        except Refused as refused:
            assert self.state is before
            return Outcome(refused=refused.message)
        assert not script.left, f"answers left over: {script.left}"
        assert fold_all(before, facts) == self.state
        lines = self.tell(facts)
        cites = {fact.rule for fact in facts} | {*find_values(facts, "rule")}
        return Outcome(
            say_sums(lines), tuple(line.text for line in lines), frozenset(cites), find_costs(facts)
        )

    def numbers(self) -> set[str]:
        """All numbers on everybody's card, with their sums and without."""
        pen, found = pen_of(self.system, self.state), set()
        for combatant in self.state.combatants.values():
            for number in pen.derived(self.system.characters.facts_of(self.state, combatant)):
                plain = f"{combatant.name}: {number.label} {number.shown}{number.unit}"
                found |= {plain, f"{plain} = {say_terms(number.terms)}"}
        return found
