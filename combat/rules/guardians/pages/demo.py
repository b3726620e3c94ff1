"""The demo fight: two guardians against two thugs and an archer, in the yard of a warehouse.

The script plays it with given dice: a number shared by two, a 7 and an 8, arrows at somebody who lies
down, a severed arm with what follows, and Fatigue after six rounds of toil.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.system import Demo, DemoStep

ROOK, INES, KNUCKLES, SLATE, FLETCH = (f"f{n}" for n in range(1, 6))

SCENE = {
    "name": "Warehouse yard",
    "zones": [
        {"id": "gate", "name": "Gate", "x": 0, "y": 0, "width": 4, "depth": 8},
        {"id": "yard", "name": "Yard", "x": 4, "y": 0, "width": 6, "depth": 8},
        {"id": "ramp", "name": "Loading ramp", "x": 10, "y": 0, "width": 6, "depth": 8, "height": 1},
    ],
}


def _step(step: str, /, *answers: tuple[int, ...] | str, **command: Any) -> DemoStep:
    return DemoStep(step, command, answers)


def _ranks(numbers: str, **skills: int) -> dict[str, int]:
    """The seven Attributes in the order of the sheet, and skills."""
    names = ("body", "coordination", "health", "toughness", "mind", "spirit", "perception")
    return {**dict(zip(names, map(int, numbers.split()), strict=True)), **skills}


SETUP = (
    _step("set_scene", scene=SCENE),
    _step(
        "join",
        sheet={
            "name": "Rook",
            "ranks": _ranks("12 12 11 10 9 11 10", blades=12, running=10, acrobatics=8),
            "weapons": ["long_sword"],
            "wears": ["kevlar_vest"],
        },
        side="guardians",
        zone="gate",
        pc=True,
    ),
    _step(
        "join",
        sheet={
            "name": "Ines",
            "ranks": _ranks("9 11 10 10 12 11 11", first_aid=12, running=10, firearms=9),
            "weapons": ["light_pistol"],
            "wears": ["leather_jacket"],
            "gear": ["first_aid_kit", "painkillers", "painkillers"],
        },
        side="guardians",
        zone="gate",
        pc=True,
    ),
    _step("join", block="street_thug", name="Knuckles", side="gang", zone="yard"),
    _step("join", block="street_thug", name="Slate", side="gang", zone="yard"),
    _step(
        "join",
        sheet={
            "name": "Fletch",
            "ranks": _ranks("9 11 10 9 10 9 12", archery=12, running=9),
            "weapons": ["long_bow"],
        },
        side="gang",
        zone="ramp",
    ),
)
SWORD, PISTOL, CLUB, OTHER_CLUB, BOW = "f1-1", "f2-1", "f3-1", "f4-1", "f5-1"

SCRIPT: tuple[DemoStep, ...] = ()


def make_demo() -> Demo:
    """The demo fight: its setup and its script to the end."""
    return Demo(
        name="Warehouse yard: two guardians against a gang",
        intro="Rook and Ines find two thugs and an archer between them and the loading ramp.",
        setup=SETUP,
        script=SCRIPT,
    )
