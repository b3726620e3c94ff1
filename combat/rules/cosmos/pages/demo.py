"""The chapter's Quick Combat Example as a fight: two printed rounds, then on to the end.

[COS-EX-01] to [COS-EX-11]; the figures the print leaves out are those of ruling R55.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.system import Demo, DemoStep

ZARA, PIRATE, MARCUS = "f1", "f2", "f3"


def _sheet(name: str, attributes: str, skills: dict[str, int], *weapons: str) -> dict[str, Any]:
    points = [int(number) for number in attributes.split()]
    return {
        "name": name,
        "attributes": dict(zip(("PRE", "RES", "INT", "MIG", "AWA", "COO"), points, strict=True)),
        "skills": skills,
        "weapons": list(weapons),
    }


SCENE = {
    "name": "Docking bay 7",
    "zones": [
        {"id": "ramp", "name": "Loading ramp", "x": 0, "y": 0, "width": 12, "depth": 6},
        {"id": "floor", "name": "Bay floor", "x": 12, "y": 0, "width": 12, "depth": 14},
        {
            "id": "crates",
            "name": "Crates",
            "x": 0,
            "y": 6,
            "width": 12,
            "depth": 8,
            "cover": "light",
            "terrain": ["table"],
        },
        {
            "id": "rubble",
            "name": "Collapsed gantry",
            "x": 24,
            "y": 0,
            "width": 8,
            "depth": 14,
            "cover": "heavy",
            "light": "dim",
            "terrain": ["rubble"],
        },
    ],
}


def _step(step: str, /, *answers: tuple[int, ...] | str, **command: Any) -> DemoStep:
    return DemoStep(step, command, answers)


def _place(who: str, x: float, y: float) -> DemoStep:
    return _step("place", target=who, x=x, y=y)


SETUP = (
    _step("set_scene", scene=SCENE),
    _step(
        "join",
        sheet=_sheet("Zara", "4 4 5 3 6 5", {"Combat": 4, "Pilot": 4, "Tech": 2}, "pistol", "knife"),
        side="crew",
        zone="ramp",
        pc=True,
    ),
    _step("join", block="pirate_example", name="Pirate", side="pirates", zone="floor"),
    _step(
        "join",
        sheet=_sheet(
            "Marcus",
            "3 4 4 4 4 4",
            {"Combat": 4, "Medicine": 2, "Athletics": 2},
            "hunting_rifle",
            "combat_knife",
        ),
        side="crew",
        zone="ramp",
        pc=True,
    ),
    _place(ZARA, 4, 3),
    _place(PIRATE, 14, 3),
    _place(MARCUS, 2, 5),
)
PISTOL, SWORD, RIFLE, KNIFE = "f1-1", "f2-1", "f3-1", "f3-2"

ROUND_1 = (
    _step("start", (10,), (8,), (6,)),  # COS-EX-01: 16, 12, 10
    _step("attack", (5, 5), (8,), actor=ZARA, target=PIRATE, weapon=PISTOL),  # COS-EX-02, COS-EX-03
    _step("next_turn"),
    _step("charge", (4, 4), actor=PIRATE, target=ZARA, weapon=SWORD),  # COS-EX-04
    _step("next_turn"),
    _step("move", actor=MARCUS, to="6,8"),  # COS-EX-05: behind the crates
    _step("attack", (10, 10), "maximum", actor=MARCUS, target=PIRATE, weapon=RIFLE),  # COS-EX-06
    _step("next_turn"),
)
ROUND_2 = (
    _step("quick_aim", actor=ZARA),  # COS-EX-07
    _step("attack", (5, 5), (4,), actor=ZARA, target=PIRATE, weapon=PISTOL),  # COS-EX-08, COS-EX-09
    _step("next_turn"),
    _step("move", actor=PIRATE, to=f"near:{MARCUS}"),
    _step("grapple", (7, 6), actor=PIRATE, target=MARCUS),  # COS-EX-10
    _step("next_turn"),
    _step("break_free", (4, 5), (5, 5), actor=MARCUS),  # COS-EX-11
    _step("next_turn"),
)
# The print stops here: "combat continues". What follows is ours, to the last one standing.
ROUND_3 = (
    _step("attack", (6, 5), (8,), actor=ZARA, target=PIRATE, weapon=PISTOL),  # 57 -> 49
    _step("next_turn"),
    _step("squeeze", (6, 6), (3, 4), (2,), actor=PIRATE, target=MARCUS, effect="damage"),
    _step("next_turn"),
    _step("break_free", (9, 8), (3, 4), actor=MARCUS),
    _step("draw", actor=MARCUS, item=KNIFE),
    _step("next_turn"),
)
ROUND_4 = (
    _step("attack", (10, 10), "condition", (7,), "bleeding", actor=ZARA, target=PIRATE, weapon=PISTOL),
    _step("next_turn"),
    _step("disarm", (9, 8), (4,), actor=PIRATE, target=MARCUS, weapon=SWORD),
    _step("next_turn"),
    _step("attack", (6, 6), (6,), actor=MARCUS, target=PIRATE, weapon=KNIFE),
    _step("next_turn"),
)
ROUND_5 = (
    _step("attack", (7, 6), (8,), (8, 7), (7,), (7, 6), actor=ZARA, target=PIRATE, weapon=PISTOL, attacks=2),
    _step("next_turn"),  # the bleeding goes on
    _step("total_defense", actor=PIRATE),
    _step("next_turn"),
    _step("attack", (9, 8), (6,), actor=MARCUS, target=PIRATE, weapon=KNIFE),
    _step("next_turn"),
)
ROUND_6 = (
    _step("quick_aim", actor=ZARA),
    _step("attack", (8, 7), (7,), actor=ZARA, target=PIRATE, weapon=PISTOL),
    _step("next_turn", (3, 5)),  # bleeding, then the pirate's death save fails
    _step("first_aid", (6, 4), (3,), actor=MARCUS, target=PIRATE),
    _step("end_fight", reason="The pirate is down and out of danger; the crew stands."),
)
SCRIPT = (*ROUND_1, *ROUND_2, *ROUND_3, *ROUND_4, *ROUND_5, *ROUND_6)


def make_demo() -> Demo:
    """The demo fight: its setup and the script of the printed example, carried on to the end."""
    return Demo(
        name="Docking bay 7: the Quick Combat Example",
        intro="Zara and Marcus against a pirate, as the rulebook's own example plays it.",
        setup=SETUP,
        script=SCRIPT,
    )
