"""The characters of the ledger's worked checks, and a stage for this game."""

from __future__ import annotations

from typing import Any

from combat.rules import find_system
from combat.rules.core.basics.modifiers import Derived
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Field
from combat.rules.core.engine.engine import find_action
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.reading import read_all
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
    """The text of a label of this game."""
    return find_system("cosmos").draw(label, names or {})


class CosmosStage(Stage):
    """A stage with two of the ledger's characters facing each other."""

    def __init__(self, **options: Any) -> None:
        super().__init__("cosmos", **options)

    def hero(self, name: str = "Ada", at: tuple[float, ...] = (0, 0), **more: Any) -> str:
        return self.add(name, "allies", at, sheet(**more))

    def foe(self, name: str = "Bo", at: tuple[float, ...] = (10, 0), **more: Any) -> str:
        return self.add(name, "enemies", at, sheet(**more))

    def read(self, label: Label) -> str:
        """The text of a label for a viewer who knows everyone here."""
        return words(label, {who: combatant.name for who, combatant in self.state.combatants.items()})

    def log(self) -> list[str]:
        """The sentences of the last command, for a viewer who knows everyone here."""
        return read_all(self)

    def checks(self, what: str = "") -> list[e.Checked]:
        """The rolls against a number in the last command, by label."""
        return [x for x in super().checks() if what in ("", x.what, words(x.what))]

    def draw_all(self, who: str) -> None:
        """Put every weapon of a combatant in hand, as the setup of the test."""
        items = tuple(replace(i, place="held") if i.kind == "weapon" else i for i in self[who].items)
        self.edit(who, items=items)

    def change(self, who: str, entry: str, **data: Any) -> str:
        """Change the catalog record of a combatant's item, such as its damage; return its id."""
        return self.change_item(who, entry, data={**self.item(who, entry).data, **data})

    def place(self, who: str, x: float, y: float) -> None:
        self.edit(who, at=Point(x, y))

    def put(self, who: str, entry: str, place: str) -> str:
        """Have an item held, worn or carried; return its id."""
        return self.change_item(who, entry, place=place)

    def mark(self, who: str, entry: str, **marks: Any) -> str:
        """Put marks such as damaged=1 on a combatant's item; return its id."""
        return self.change_item(who, entry, marks={**self.item(who, entry).marks, **marks})

    def form(self, name: str, actor: str = "") -> dict[str, Field]:
        """The fields of an action's form by name."""
        fields = find_action(self.system, name).find_fields(self.state, actor)
        return {field.name: field for field in fields}

    def derived(self, who: str, label: str) -> Derived:
        """One of the numbers on a combatant's card, such as "Speed"."""
        numbers = self.system.characters.facts_of(self.state, self[who])
        return next(number for number in numbers if number.label == label)

    def hp(self, who: str) -> int:
        return self[who].tracks["hp"]


def alone(
    hp: int | None = None, options: dict[str, Any] | None = None, **more: Any
) -> tuple[CosmosStage, str]:
    """One combatant on its turn, with this many Hit Points."""
    stage = CosmosStage(**(options or {}))
    ada = stage.hero(**more)
    if hp is not None:
        stage.set_track(ada, hp=hp)
    stage.begin()
    return stage, ada


def lone(*given: Any, **more: Any) -> tuple[CosmosStage, str]:
    """A stage with one hero, and its id."""
    stage = CosmosStage()
    return stage, stage.hero(*given, **more)


def pair(**foe: Any) -> tuple[CosmosStage, str, str]:
    """A stage with a hero and an enemy, and their ids."""
    stage, ada = lone()
    return stage, ada, stage.foe(**foe)
