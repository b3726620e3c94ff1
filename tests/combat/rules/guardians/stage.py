"""The characters of the worked checks, and a stage for this game."""

from __future__ import annotations

from typing import Any

from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item, replace
from combat.rules.core.wording import describe
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.book.tables import TURN_BUDGET
from combat.rules.guardians.characters.conditions import find_on_part
from combat.rules.guardians.characters.sheet import weapon_item
from tests.combat.rules.stage import Stage

RANKS = dict.fromkeys(("body", "coordination", "health", "toughness", "mind", "spirit", "perception"), 10)
ADA, BO, CY, DI = "f1", "f2", "f3", "f4"
FIST = "fist"


def sheet(*weapons: str, **more: Any) -> dict[str, Any]:
    """A character of ten ranks in everything, with changes: blades=11, wears=(...), mortality={...}"""
    fields = (
        "wears",
        "shields",
        "gear",
        "mortality",
        "initiative",
        "footing",
        "hand",
        "natural_armor",
        "own",
    )
    kept = {key: more.pop(key) for key in fields if key in more}
    return {"ranks": {**RANKS, **more}, "weapons": list(weapons), **kept}


class GuardStage(Stage):
    """A stage of this game, in yards."""

    def __init__(self, **options: Any) -> None:
        super().__init__(SYSTEM, **options)

    def hero(self, name: str = "Ada", *weapons: str, at: tuple[float, ...] = (0, 0), **more: Any) -> str:
        return self.add(name, "allies", at, sheet(*weapons, **more), pc=True)

    def foe(self, name: str = "Bo", *weapons: str, at: tuple[float, ...] = (1, 0), **more: Any) -> str:
        return self.add(name, "enemies", at, sheet(*weapons, **more))

    def turn(self, *people: str) -> None:
        """A fresh turn of one combatant, or of several who share a count."""
        self.state = replace(self.state, active=people[0], sharing=people[1:])
        for who in people:
            self.edit(who, budget=dict(TURN_BUDGET))
        marks = {key: value for key, value in self.state.marks.items() if key != "together"}
        if len(people) > 1:
            marks["together"] = " ".join(sorted(people))
        self.state = replace(self.state, marks=marks)

    def hold_things(self, who: str, *weapons: str) -> None:
        """Have exactly these weapons in hand, besides natural ones."""
        kept = [i for i in self[who].items if i.kind != "weapon" or not i.data["hands"]]
        made = [replace(weapon_item(name), id=f"{who}-w{n}", place="held") for n, name in enumerate(weapons)]
        self.edit(who, items=(*made, *kept))

    def attack(self, *dice: Any, who: str = ADA, on: str = BO, weapon: str = "", **more: Any) -> Any:
        """Attack with the first weapon in hand, or one by its catalog name."""
        item = self.item(who, weapon) if weapon else self.find_ready(who)
        return self.do("attack", who, dice=dice, target=on, weapon=item.id, **more)

    def find_ready(self, who: str) -> Item:
        """The first weapon in hand, fists last."""
        held = [i for i in self[who].items if i.kind == "weapon" and i.place == "held"]
        return min(held, key=lambda item: item.data["id"] == FIST)

    def part(self, who: str, place: str) -> int:
        """The Mortality Points left of a part of the body."""
        return self[who].tracks[f"mp.{place}"]

    def set_part(self, who: str, place: str, points: int) -> None:
        """Set the points of a part directly, with the consequences."""
        if self.part(who, place) != points:
            self.do("adjust", target=who, track=f"mp.{place}", to=points)

    def is_so(self, who: str, kind: str, place: str) -> bool:
        """Whether a part of the body has a state."""
        return find_on_part(self[who], kind, place) is not None

    def said(self) -> list[str]:
        """The lines of the last command that everyone reads."""
        names = {who: combatant.name for who, combatant in self.state.combatants.items()}
        lines = (describe(SYSTEM, fact, names) for fact in self.facts)
        return [line.text for line in lines if line]

    def begin_fight(self, *dice: Any, **more: Any) -> None:
        """Roll initiative with these dice."""
        self.do("start", dice=dice, **more)

    def first(self) -> e.Checked:
        """The first check of the last command."""
        return self.checks()[0]


def duel(
    *weapons: str, hero: dict[str, Any] | None = None, foe: dict[str, Any] | None = None, **options: Any
) -> GuardStage:
    """Ada with these weapons in hand, her turn; Bo a yard from her."""
    stage = GuardStage(**options)
    stage.hero("Ada", **(hero or {}))
    stage.foe("Bo", **(foe or {}))
    stage.hold_things(ADA, *weapons)
    return stage.begin(ADA, BO)


def helpless(stage: GuardStage, who: str = BO) -> None:
    """Let no one defend: for tests of later effects."""
    stage.give(who, "surprised")


def open_duel(*weapons: str, **more: Any) -> GuardStage:
    """A duel in which Bo is surprised and meets no attack: for tests of later effects."""
    stage = duel(*weapons, **more)
    helpless(stage)
    return stage


def lone(*weapons: str, **more: Any) -> GuardStage:
    """Ada, and those who join her later."""
    stage = GuardStage()
    stage.hero("Ada", *weapons, **more)
    return stage


def trio(*dice: int, **options: Any) -> GuardStage:
    """Ada and Cy against Bo, with nothing decided yet, or with these dice for initiative."""
    stage = GuardStage(**options)
    stage.hero("Ada", "long_sword", blades=12, running=10)
    stage.foe("Bo", "long_sword", blades=12, running=10)
    stage.hero("Cy", "long_sword", blades=12, at=(1, 1))
    if dice:
        stage.begin_fight(*dice)
    return stage


def acting(stage: GuardStage) -> tuple[str, ...]:
    return tuple(who for who in (stage.state.active, *stage.state.sharing) if who)
