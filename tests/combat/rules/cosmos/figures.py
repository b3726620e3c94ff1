"""The characters of the ledger's worked checks, and a stage for this game."""

from __future__ import annotations

from typing import Any

from combat.rules import find_system
from combat.rules.core.basics.modifiers import Derived
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Field, find_refusal
from combat.rules.core.engine.engine import find_action
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.stage import Stage

# Attack total 19 = dice 5+6, Coordination 6, Combat 5 (+ weapon); melee 18 = Might 5; Defense 18;
# Speed 11; maximum HP 96.
ATTRIBUTES = {"PRE": 5, "RES": 4, "INT": 4, "MIG": 5, "AWA": 5, "COO": 6}


def sheet(
    weapons: tuple[str, ...] = ("pistol",),
    skills: dict[str, int] | None = None,
    attributes: dict[str, int] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The ledger's usual character, with changes."""
    return {
        "attributes": {**ATTRIBUTES, **(attributes or {})},
        "skills": {"Combat": 5, **(skills or {})},
        "weapons": list(weapons),
        **more,
    }


def words(label: Label, names: dict[str, str] | None = None) -> str:
    """What a label of this game reads as."""
    return find_system("cosmos").draw(label, names or {})


class CosmosStage(Stage):
    """A stage with two of the ledger's characters facing each other."""

    def __init__(self, **options: Any) -> None:
        super().__init__("cosmos", **options)

    def hero(self, name: str = "Ada", at: tuple[float, ...] = (0, 0), **more: Any) -> str:
        """One of ours."""
        return self.add(name, "heroes", at, sheet(**more))

    def foe(self, name: str = "Bo", at: tuple[float, ...] = (10, 0), **more: Any) -> str:
        """One of theirs."""
        return self.add(name, "foes", at, sheet(**more))

    def read(self, label: Label) -> str:
        """What a label reads as to somebody who knows everybody here."""
        return words(label, {who: fighter.name for who, fighter in self.state.combatants.items()})

    def log(self) -> list[str]:
        """The sentences of the last command, for somebody who knows everybody here."""
        names = {who: fighter.name for who, fighter in self.state.combatants.items()}
        return [line.text for line in describe_facts(self.system, self.facts, names)]

    def checks(self, what: str = "") -> list[e.Checked]:
        """The rolls against a number in the last command, by what they are called."""
        return [x for x in super().checks() if what in ("", x.what, words(x.what))]

    def weapon(self, who: str, entry: str) -> str:
        """The id of a fighter's weapon."""
        return self.item(who, entry).id

    def draw_all(self, who: str) -> None:
        """Put every weapon of a fighter in hand, as the position of the test."""
        items = tuple(replace(i, place="held") if i.kind == "weapon" else i for i in self[who].items)
        self.edit(who, items=items)

    def change(self, who: str, entry: str, **data: Any) -> str:
        """Change the catalogue record of a fighter's item, such as its damage; returns its id."""
        item = self.item(who, entry)
        changed = replace(item, data={**item.data, **data})
        self.edit(who, items=tuple(changed if i.id == item.id else i for i in self[who].items))
        return item.id

    def place(self, who: str, x: float, y: float) -> None:
        """Stand a fighter somewhere, in metres."""
        self.edit(who, at=Point(x, y))

    def put(self, who: str, entry: str, place: str) -> str:
        """Have an item held, worn or carried; returns its id."""
        item = self.item(who, entry)
        there = replace(item, place=place)
        self.edit(who, items=tuple(there if i.id == item.id else i for i in self[who].items))
        return item.id

    def mark(self, who: str, entry: str, **marks: Any) -> str:
        """Put marks such as damaged=1 on a fighter's item; returns its id."""
        item = self.item(who, entry)
        changed = replace(item, marks={**item.marks, **marks})
        self.edit(who, items=tuple(changed if i.id == item.id else i for i in self[who].items))
        return item.id

    def form(self, name: str, actor: str = "") -> dict[str, Field]:
        """The fields of an action's form by name."""
        fields = find_action(self.system, name).find_fields(self.state, actor)
        return {field.name: field for field in fields}

    def refusal(self, name: str, actor: str = "") -> str:
        """Why an action is greyed for a fighter; empty when it is offered."""
        found = find_refusal(find_action(self.system, name), self.state, actor)
        return found.message if found else ""

    def derived(self, who: str, label: str) -> Derived:
        """One of the numbers on a fighter's card, such as "Speed"."""
        numbers = self.system.facts_of(self.state, self[who])
        return next(number for number in numbers if number.label == label)

    def hp(self, who: str) -> int:
        """Current Hit Points."""
        return self[who].tracks["hp"]
