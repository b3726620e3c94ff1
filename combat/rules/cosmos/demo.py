"""The chapter's Quick Combat Example as a fight: two printed rounds, then on to the end.

[COS-EX-01] to [COS-EX-11]; figures missing in print come from ruling R55. The second fight is on two
decks; the chapter prints no such example, its figures are ours.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.book import Demo, DemoStep, drawn, step, zone

ZARA, PIRATE, MARCUS = "f1", "f2", "f3"
SCENE = {
    "name": "Docking bay 7",
    "zones": [
        zone("ramp", "Loading ramp", 0, y=0, width=12, depth=6, floor="grating", kind="room"),
        zone("floor", "Bay floor", 12, y=0, width=12, depth=14, floor="deck", kind="room"),
        zone(
            "crates",
            "Crates",
            0,
            y=6,
            width=12,
            depth=8,
            cover="light",
            terrain=["table"],
            floor="deck",
            kind="room",
        ),
        zone(
            *("rubble", "Collapsed gantry", 24, 0, 8, 14),
            cover="heavy",
            light="dim",
            terrain=["rubble"],
            floor="concrete",
            kind="room",
        ),
    ],
    # the things are only drawn: the printed example knows no more cover than that of the zones
    "map": drawn(
        walls=[[[0, 0], [32, 0], [32, 14], [0, 14], [0, 0]]],
        doors=[["Ship's lock", 0, 1, 0, 5], ["Bay gate", 15, 14, 21, 14, "locked"]],
        windows=[[16, 0, 21, 0]],
        flat=True,
        things=[
            ["Crates", 2, 9, 2, 2, "crate"],
            ["Crates", 8, 10, 3, 2, "crate"],
            ["Crates", 4, 12, 2, 1, "crate"],
            ["Cargo loader", 19, 9, 3, 4, "machine"],
            ["Console", 22, 1, 1, 3, "console"],
            ["Girders", 25, 2, 5, 1, "wall"],
            ["Rubble", 27, 6, 3, 3, "rock"],
            ["Rubble", 25, 11, 2, 2, "rock"],
        ],
        lights=[[10.5, 12, 3.5], [22, 12.5, 3.5, "cold"], [22, 1.5, 3, "cold"]],
    ),
}
PISTOL, SWORD, RIFLE, KNIFE = "f1-1", "f2-1", "f3-1", "f3-2"
ROUND_1 = (
    step("start", (10,), (8,), (6,)),  # COS-EX-01: 16, 12, 10
    step("attack", (5, 5), (8,), actor=ZARA, target=PIRATE, weapon=PISTOL),  # COS-EX-02, COS-EX-03
    step("next_turn"),
    step("charge", (4, 4), actor=PIRATE, target=ZARA, weapon=SWORD),  # COS-EX-04
    step("next_turn"),
    step("move", actor=MARCUS, to="6,8"),  # COS-EX-05: behind the crates
    step("attack", (10, 10), "maximum", actor=MARCUS, target=PIRATE, weapon=RIFLE),  # COS-EX-06
    step("next_turn"),
)
ROUND_2 = (
    step("quick_aim", actor=ZARA),  # COS-EX-07
    step("attack", (5, 5), (4,), actor=ZARA, target=PIRATE, weapon=PISTOL),  # COS-EX-08, COS-EX-09
    step("next_turn"),
    step("move", actor=PIRATE, to=f"near:{MARCUS}"),
    step("grapple", (7, 6), actor=PIRATE, target=MARCUS),  # COS-EX-10
    step("next_turn"),
    step("break_free", (4, 5), (5, 5), actor=MARCUS),  # COS-EX-11
    step("next_turn"),
)
# The print stops here: "combat continues". The rest is ours, to the last combatant standing.
ROUND_3 = (
    step("attack", (6, 5), (8,), actor=ZARA, target=PIRATE, weapon=PISTOL),  # 57 -> 49
    step("next_turn"),
    step("squeeze", (6, 6), (3, 4), (2,), actor=PIRATE, target=MARCUS, effect="damage"),
    step("next_turn"),
    step("break_free", (9, 8), (3, 4), actor=MARCUS),
    step("next_turn"),
)
ROUND_4 = (
    step("attack", (10, 10), "condition", (7,), "bleeding", actor=ZARA, target=PIRATE, weapon=PISTOL),
    step("next_turn"),
    step("disarm", (9, 8), (4,), actor=PIRATE, target=MARCUS, weapon=SWORD),
    step("next_turn"),
    step("draw", actor=MARCUS, item=KNIFE),
    step("attack", (6, 6), (6,), actor=MARCUS, target=PIRATE, weapon=KNIFE),
    step("next_turn"),
)
ROUND_5 = (
    step("attack", (7, 6), (8,), (8, 7), (7,), (7, 6), actor=ZARA, target=PIRATE, weapon=PISTOL, attacks=2),
    step("next_turn"),  # the bleeding goes on
    step("total_defense", actor=PIRATE),
    step("next_turn"),
    step("attack", (9, 8), (6,), actor=MARCUS, target=PIRATE, weapon=KNIFE),
    step("next_turn"),
)
ROUND_6 = (
    step("quick_aim", actor=ZARA),
    step("attack", (8, 7), (7,), actor=ZARA, target=PIRATE, weapon=PISTOL),
    step("next_turn", (3, 5)),  # bleeding, then the pirate's death save fails
    step("first_aid", (6, 4), (3,), actor=MARCUS, target=PIRATE),
    step("end_fight", reason="The pirate is down and out of danger; the crew stands."),
)
SCRIPT = (*ROUND_1, *ROUND_2, *ROUND_3, *ROUND_4, *ROUND_5, *ROUND_6)
ANA, BEN, RAIDER = "f1", "f2", "f3"
ANAS_PISTOL, BENS_RIFLE = "f1-1", "f2-1"
SHIP = {
    "name": "The Blue Sun",
    "zones": [
        zone("reactor", "Reactor hall", 0, y=0, width=14, depth=10, floor="grating", kind="room"),
        zone("gallery", "Gallery", 18, y=0, width=14, depth=10, floor="deck", kind="room", height=3),
    ],
    "map": drawn(
        decks=[["Engineering", 0, 0, 14, 10, 0, 0], ["Main deck", 18, 0, 14, 10, 3, 18]],
        ways=[
            ["ladder", "Ladder", 3, 8, 21, 8],
            ["hatch", "Hatch", 12, 2, 30, 2, "shut"],
            ["shaft", "Drive shaft", 7, 5, 25, 5, [26, 4, 3, 3]],
        ],
        walls=[
            [[0, 0], [14, 0], [14, 10], [0, 10], [0, 0]],
            [[18, 0], [32, 0], [32, 10], [18, 10], [18, 0]],
        ],
        windows=[[20, 0, 28, 0]],
        flat=True,
        things=[
            ["Drive", 9, 4, 2, 2, "machine"],
            ["Console", 1, 1, 3, 1, "console"],
            ["Crates", 29, 7, 2, 2, "crate"],
            ["Console", 22, 1, 4, 1, "console"],
        ],
        lights=[[9.5, 5.5, 5, "red"], [3, 3, 5], [23, 4, 6, "cold"], [29, 7, 4]],
    ),
}
DECKS_1 = (
    step("start", (10,), (8,), (6,)),
    # eye to eye the line crosses the floor of the main deck at 9 m, 5.5 m: inside the hole
    step("attack", (6, 6), (8,), actor=ANA, target=RAIDER, weapon=ANAS_PISTOL),
    step("next_turn"),
    step("way", actor=BEN, way="way1"),
    step("attack", (10, 10), "maximum", actor=BEN, target=RAIDER, weapon=BENS_RIFLE),
    step("next_turn"),
    step("move", actor=RAIDER, to="30,2"),
    step("door", actor=RAIDER, door="way2"),
    step("next_turn"),
)
DECKS_2 = (
    step("move", actor=ANA, to="12,3"),
    step("next_turn"),
    step("attack", (10, 10), "maximum", actor=BEN, target=RAIDER, weapon=BENS_RIFLE),
    step("next_turn"),
    step("way", actor=RAIDER, way="way2"),
    step("next_turn"),
)
DECKS_3 = (
    step("attack", (10, 10), "maximum", actor=ANA, target=RAIDER, weapon=ANAS_PISTOL),
    step("next_turn"),
    step("end_fight", reason="Caught between two decks, the raider gives up; the crew holds the ship."),
)


def _sheet(name: str, attributes: str, skills: dict[str, int], *weapons: str) -> dict[str, Any]:
    points = [int(number) for number in attributes.split()]
    return {
        "name": name,
        "attributes": dict(zip(("PRE", "RES", "INT", "MIG", "AWA", "COO"), points, strict=True)),
        "skills": skills,
        "weapons": list(weapons),
    }


def _place(who: str, x: float, y: float) -> DemoStep:
    return step("place", target=who, x=x, y=y)


SETUP = (
    step("set_scene", scene=SCENE),
    step(
        "join",
        sheet=_sheet("Zara", "4 4 5 3 6 5", {"Combat": 4, "Pilot": 4, "Tech": 2}, "pistol", "knife"),
        side="crew",
        zone="ramp",
        pc=True,
    ),
    step("join", block="pirate_example", name="Pirate", side="pirates", zone="floor"),
    step(
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


def make_demo() -> Demo:
    """The demo fight: its setup and the script of the printed example, carried on to the end."""
    return Demo(
        name="Docking bay 7: the Quick Combat Example",
        setup=SETUP,
        script=SCRIPT,
    )


# ---------------------------------------------------------------- on two decks


SHIP_SETUP = (
    step("set_scene", scene=SHIP),
    step(
        "join",
        sheet=_sheet("Ana", "4 4 5 3 6 5", {"Combat": 4, "Pilot": 4, "Tech": 2}, "pistol", "knife"),
        side="crew",
        zone="reactor",
        pc=True,
    ),
    step(
        "join",
        sheet=_sheet("Ben", "3 4 4 4 4 4", {"Combat": 4, "Athletics": 2}, "hunting_rifle"),
        side="crew",
        zone="reactor",
        pc=True,
    ),
    step("join", block="pirate_example", name="Raider", side="raiders", zone="gallery"),
    _place(ANA, 5, 5),
    _place(BEN, 2, 8),
    _place(RAIDER, 31, 6),
)


def make_boarding() -> Demo:
    """The demo fight on two decks: its setup and its script."""
    return Demo("The Blue Sun: a fight on two decks", setup=SHIP_SETUP, script=(*DECKS_1, *DECKS_2, *DECKS_3))
