"""The characters of the worked checks, and a stage for this game."""

from __future__ import annotations

from typing import Any, Self

import msgspec

from combat.rules.core.basics.modifiers import Derived, Modifiers
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Field, Preview
from combat.rules.core.engine.engine import find_action
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.core.wording import describe
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.characters.sheet import weapon_item
from combat.rules.starshock.world.economy import find_budget
from tests.combat.rules.stage import Stage

ATTRIBUTES = {"str": 1, "dex": 2, "int": 1, "prs": 1}
ADA, BO, CY, DI = "f1", "f2", "f3", "f4"


def sheet(*weapons: str, skills: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A character of Str 1, Dex 2, Int 1, Prs 1 with changes: str=3, gear=..., xp=..."""
    attributes = {key: more.pop(key, value) for key, value in ATTRIBUTES.items()}
    return {"attributes": attributes, "skills": list(skills), "weapons": list(weapons), **more}


class StarStage(Stage):
    """A stage of this game. Zones stand in a line, 5 m each, unless stated otherwise."""

    def __init__(self, *zones: str, **options: Any) -> None:
        super().__init__(SYSTEM, **options)
        if zones:
            self.line(*zones)

    def line(self, *zones: str, **fields: dict[str, Any]) -> None:
        """Zones side by side, each next to the previous one; `fields` by zone."""
        made = [
            {"id": z, "name": z, "x": 5 * n, "y": 0, "width": 5, "depth": 5, **fields.get(z, {})}
            for n, z in enumerate(zones)
        ]
        settings = dict(self.state.scene.settings)
        self.do("set_scene", scene={"zones": made, "settings": settings})

    def describe(self, zone: str, **fields: Any) -> None:
        """Change a zone: terrain, height, properties, links."""
        zones = [msgspec.to_builtins(z) for z in self.state.scene.zones]
        zones = [{**z, **fields} if z["id"] == zone else z for z in zones]
        self.do("set_scene", scene={"zones": zones, "settings": dict(self.state.scene.settings)})

    def map(self, kind: str = "squares") -> None:
        """Play on a map."""
        self.do("set_setting", key="positioning", value=kind)

    def hero(self, name: str = "Ada", *weapons: str, zone: str = "", **more: Any) -> str:
        return self._join(name, "allies", zone, weapons, more, pc=True)

    def foe(self, name: str = "Bo", *weapons: str, zone: str = "", **more: Any) -> str:
        return self._join(name, "enemies", zone, weapons, more)

    def _join(
        self, name: str, side: str, zone: str, weapons: tuple[str, ...], more: dict[str, Any], **changes: Any
    ) -> str:
        at = more.pop("at", None) or self.spot(zone)
        return self.add(name, side, at, sheet(*weapons, **more), **changes)

    def spot(self, zone: str) -> tuple[float, float, float]:
        """The center of a zone."""
        found = next((z for z in self.state.scene.zones if z.id == zone), None)
        return (found.centre.x, found.centre.y, found.centre.z) if found else (0, 0, 0)

    def put(self, who: str, zone: str) -> None:
        self.edit(who, at=Point(*self.spot(zone)))

    def begin(self, *order: str, active: str = "", actions: int | None = 1) -> Self:
        """Begin round 1 in this order; the first (or `active`) has its turn, with n actions declared."""
        super().begin(*order, active=active)
        self.turn(self.state.active, actions)
        return self

    def turn(self, who: str, actions: int | None = 1) -> None:
        """A fresh turn with n actions declared; None leaves that open."""
        marks = {} if actions is None else {"declared": actions}
        self.state = replace(self.state, active=who, sharing=())
        self.edit(who, budget=find_budget(self.state, actions), marks=marks)

    def hold(self, who: str, *weapons: str) -> None:
        """Have exactly these weapons of the catalog in hand, besides natural ones."""
        kept = [i for i in self[who].items if i.kind != "weapon" or not i.data["hands"]]
        made = [replace(weapon_item(name), id=f"{who}-w{n}", place="held") for n, name in enumerate(weapons)]
        self.edit(who, items=(*made, *kept))

    def checks(self, what: str = "") -> list[e.Checked]:
        """The checks of the last command; roll and outcome as short keys: "attack", "hit"."""
        found = [
            replace(check, what=shorten(check.what), outcome=shorten(check.outcome))
            for check in super().checks()
        ]
        return [check for check in found if not what or check.what == what]

    def said(self) -> list[str]:
        """The plain sentences of the last command, as the log has them."""
        names = {who: combatant.name for who, combatant in self.state.combatants.items()}
        lines = (describe(SYSTEM, fact, names) for fact in self.facts if isinstance(fact.event, e.Said))
        return [line.text for line in lines if line]

    def terms(self, check: e.Checked) -> dict[str, int]:
        """Labels and values of the sum of a check, in words with names."""
        names = {who: combatant.name for who, combatant in self.state.combatants.items()}
        return {SYSTEM.draw(term.label, names): term.value for term in check.modifiers}

    def attack(self, entry: str, *dice: Any, who: str = ADA, on: str = BO, **more: Any) -> Any:
        """Attack with a weapon by its catalog name; return the check."""
        self.do("attack", who, dice=dice, target=on, weapon=self.weapon(who, entry), **more)
        return self.checks("attack")[0]

    def damage(self, who: str) -> int:
        """The Damage Taken box."""
        return self[who].tracks["damage"]

    def number(self, who: str, label: str) -> int:
        """A number on the card, such as Armor."""
        facts: tuple[Derived, ...] = SYSTEM.characters.facts_of(self.state, self[who])
        return next(fact.value for fact in facts if fact.label == label)

    def zone_of(self, who: str) -> str:
        x = self[who].at.x
        return next(
            (z.id for z in self.state.scene.zones if z.x <= x <= z.x + z.width),
            "",
        )

    def field(self, action: str, who: str, name: str) -> Field:
        fields = find_action(SYSTEM, action).find_fields(self.state, who)
        return next(field for field in fields if field.name == name)

    def next_turn_of(self, who: str) -> None:
        """Pass turns until this combatant's own begins."""
        for _ in range(40):
            self.do("next_turn")
            if who in (self.state.active, *self.state.sharing):
                return
        raise AssertionError(f"{who} never has a turn")


def terms(modifiers: Modifiers) -> dict[str, int]:
    """Labels and values of a sum, in words."""
    return {SYSTEM.draw(term.label): term.value for term in modifiers}


def shorten(label: Label) -> str:
    """A key without its section; any other label in words."""
    if isinstance(label, str) and label in SYSTEM.words:
        return label.partition(".")[2]
    return SYSTEM.draw(label)


def find_notes(preview: Preview) -> tuple[str, ...]:
    """The notes under the sums of a form, in words."""
    return tuple(SYSTEM.draw(note) for note in preview.notes)


def duel(*weapons: str, foe: dict[str, Any] | None = None, **options: Any) -> StarStage:
    """Ada with these weapons in hand, her turn with one action declared; Bo beside her."""
    stage = StarStage("dock", "hold", "deck", "roof", **options)
    stage.hero("Ada", zone="dock")
    stage.foe("Bo", zone="dock", **(foe or {}))
    stage.hold(ADA, *weapons)
    return stage.begin(ADA, BO)
