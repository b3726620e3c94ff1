"""A stage with vehicles, robots and their crews."""

from __future__ import annotations

from typing import Any

from combat.rules.cepheus.body.damage import wound_person
from combat.rules.cepheus.body.hits import Hit
from combat.rules.cepheus.body.machines import damage_machine
from combat.rules.cepheus.characters import machinery
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Condition, Item, replace
from tests.combat.rules.cepheus.figures import CepheusStage
from tests.combat.rules.stage import Given

PLACES = {"hull": 2, "sensors": 3, "drive": 4, "weapon": 5, "armor": 7}
ROBOT: dict[str, Any] = {
    "kind": "robot",
    "attributes": {"str": 7, "dex": 7, "hull": 3, "structure": 3, "armor": 0},
    "natural_attacks": [{"name": "Claws", "damage": "1d6"}],
}


def two_dice(total: int) -> tuple[int, int]:
    """Two dice with this sum."""
    high = min(6, total - 1)
    return total - high, high


class Garage(CepheusStage):
    """A stage with machines."""

    def add(self, *args: Any, **more: Any) -> str:
        """Add a combatant, also to a fight that has begun, without Initiative."""
        phase = self.state.phase
        self.state = replace(self.state, phase="prep")
        who = super().add(*args, **more)
        self.state = replace(self.state, phase=phase)
        return who

    def vehicle(self, name: str = "Car", **more: Any) -> str:
        """A vehicle: Hull 3, Structure 2, Armor 6, 100 km/h, closed and civilian unless said otherwise."""
        at, side, pc = more.pop("at", (0, 0)), more.pop("side", "allies"), more.pop("pc", True)
        numbers = {key: more.pop(key, n) for key, n in (("hull", 3), ("structure", 2), ("armor", 6))}
        sheet = {
            "kind": "vehicle",
            "attributes": numbers,
            "drives_by": "wheeled_vehicle",
            "speed_kph": 100,
            "crew": 2,
            "passengers": 4,
            "size_dm": 1,
            **more,
        }
        return self.add(name, side, at, sheet, pc=pc)

    def robot(self, name: str = "Robot", **more: Any) -> str:
        """A robot: Hull 3, Structure 3, no armor, claws on four limbs."""
        numbers = {**ROBOT["attributes"], **more.pop("attributes", {})}
        return self.add(
            name,
            more.pop("side", "allies"),
            more.pop("at", (0, 0)),
            {**ROBOT, **more, "attributes": numbers},
            pc=True,
        )

    def seat(self, who: str, vehicle: str, station: str = "passenger", *, secured: bool = False) -> None:
        self.do("seat", target=who, vehicle=vehicle, station=station, secured=secured)

    def crew(self, vehicle: str, station: str = "driver", **more: Any) -> str:
        """Put a person at a place in a vehicle."""
        who = self.hero(more.pop("name", "Ada"), **more)
        self.seat(who, vehicle, station)
        return who

    def moving(self, vehicle: str, speed: int, facing: int = 0) -> None:
        self.do("set_motion", target=vehicle, speed=speed, facing=facing)

    def strike(self, who: str, points: int, *answers: Any, **more: Any) -> RuleContext:
        """Hit a machine for this many points of dice; numbers are sums of 2D6 for locations."""
        given: Given = [two_dice(a) if isinstance(a, int) else a for a in answers]
        hit = Hit(target=who, dice_total=points, rule="CE-DMG-01", **more)
        return self.run(lambda context: damage_machine(context, hit, wound_person), given)

    def land(self, who: str, *rolls: Any, damage: int = 0) -> RuleContext:
        """Apply single hits to a machine, one at each of these locations."""
        context = None
        for roll in rolls:
            more = roll[1:] if isinstance(roll, list) else ()
            first = roll[0] if isinstance(roll, list) else roll
            context = self.strike(who, damage or 1, first, *more, armored=False)
        assert context is not None
        return context

    def hurt(self, who: str, part: str, hits: int, key: str = "") -> None:
        """Count this many earlier hits on a part of a machine."""
        made = self.state.made + 1
        held = Condition(
            f"k{made}", f"{part}_hit", f"condition.{part}_hit", level=hits, marks={"part": key or part}
        )
        kept = tuple(c for c in self[who].conditions if c.marks.get("part") != (key or part))
        self.edit(who, conditions=(*kept, held))
        self.state = replace(self.state, made=made)

    def tracks(self, who: str) -> tuple[int, int, int]:
        """Current Hull, Structure and armor."""
        tracks = self[who].tracks
        return tracks["hull"], tracks["structure"], tracks["armor"]

    def hits(self, who: str, part: str) -> int:
        return machinery.count_hits(self.state, self[who], part)

    def cargo(self, who: str, *names: str) -> None:
        items = tuple(Item(f"{who}-9{n}", "gear", name) for n, name in enumerate(names))
        self.edit(who, items=(*self[who].items, *items))


class Road(Garage):
    """A car on a road at 60 km/h, its nose up, and its driver's turn."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.car = self.vehicle(at=(0, 0))
        self.driver = self.crew(self.car, name="Driver", skills={"wheeled_vehicle": 2})
        self.moving(self.car, 60)
        self.begin(self.driver)

    def city(self, driver_at: str = "city") -> None:
        """Lay obstacles all around."""
        self.do(
            "set_scene",
            scene={
                "zones": [
                    {"id": "city", "name": "City", "x": -500, "y": -500, "width": 1000, "depth": 1000,
                     "terrain": ["obstacles"]}
                ]
            },
        )  # fmt: skip
