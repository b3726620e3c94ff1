"""The demo fight: two guardians against two thugs and an archer, in the yard of a warehouse.

The script plays it with fixed dice: a shared count, a 7 and an 8, arrows at a prone target, a severed arm
with its consequences, and Fatigue after six physical rounds.
"""

from __future__ import annotations

from combat.rules.core.declaration.book import Demo, drawn, step, zone

ROOK, INES, KNUCKLES, SLATE, FLETCH = (f"f{n}" for n in range(1, 6))

SCENE = {
    "name": "Warehouse yard",
    "zones": [
        zone("gate", "Gate", 0, y=0, width=4, depth=8, floor="concrete"),
        zone("yard", "Yard", 4, y=0, width=6, depth=8, floor="concrete"),
        zone("ramp", "Loading ramp", 10, y=0, width=6, depth=8, height=1, floor="deck", kind="room"),
    ],
    "map": drawn(
        fences=[[[10, 0], [0, 0], [0, 2]], [[0, 6], [0, 8], [10, 8]]],
        walls=[[[10, 0], [16, 0], [16, 8], [10, 8]]],
        doors=[["Yard gate", 0, 2, 0, 6, "open"], ["Warehouse door", 16, 2, 16, 6]],
        flat=True,
        things=[
            ["Barrels", 1, 7, 2, 1, "barrel"],
            ["Crates", 7, 0, 2, 2, "crate"],
            ["Crates", 8, 7, 2, 1, "crate"],
            ["Pallets", 12, 0, 3, 1, "crate"],
            ["Forklift", 13, 6, 2, 2, "machine"],
        ],
        lights=[[2, 1, 5], [13, 7, 5]],
        sky="dusk",
    ),
}
SWORD, PISTOL, CLUB, OTHER_CLUB, BOW = "f1-1", "f2-1", "f3-1", "f4-1", "f5-1"
ROUND_1 = (
    step("start", (8,), (15,), (11,), (5,), (4,)),  # Ines 26, Rook and Knuckles 20, Fletch 15, Slate 14
    step("move", actor=INES, to="near:f1"),
    step("next_turn"),
    # at the same number: a 7 takes the armor of an arm, an 8 knocks prone
    step("attack", (40,), "dodge", (80,), (7,), (3,), (2, 2), actor=ROOK, target=KNUCKLES, weapon=SWORD),
    step("attack", (30,), "dodge", (90,), (8,), "prone", actor=KNUCKLES, target=ROOK, weapon=CLUB),
    step("next_turn", target=ROOK),
    step("next_turn"),
    # four ranks more against arrows while prone
    step("attack", (35,), "dodge", (77,), actor=FLETCH, target=ROOK, weapon=BOW),
    step("next_turn"),
    step("attack", (70,), actor=SLATE, target=ROOK, weapon=OTHER_CLUB),
    step("next_turn", (6,), (9,), (3,), (8,), (2,)),  # Ines 20, Rook 18, Slate 17, Fletch 13, Knuckles 12
)
ROUND_2 = (
    step("attack", (60,), actor=INES, target=KNUCKLES, weapon=PISTOL),
    step("next_turn"),
    step("stand_up", actor=ROOK),
    step("next_turn"),
    step("attack", (44,), "dodge", (31,), actor=SLATE, target=ROOK, weapon=OTHER_CLUB),
    step("next_turn"),
    step("attack", (80,), actor=FLETCH, target=INES, weapon=BOW),
    step("next_turn"),
    step("pick_up", actor=KNUCKLES, item=CLUB),  # with the left hand
    step("next_turn", (16,), (4,), (5,), (6,), (7,)),  # Rook 28, Fletch 18, Ines and Slate 15, Knuckles 14
)
ROUND_3 = (
    # the left arm is severed, and Spirit fails
    step("attack", (20,), "parry", (66,), (2,), (5, 4), (60,), actor=ROOK, target=SLATE, weapon=SWORD),
    step("next_turn"),
    step("attack", (50,), "block", (70,), (5,), (1, 2), actor=FLETCH, target=INES, weapon=BOW),
    step("next_turn"),
    step("move", actor=INES, to="near:f4"),
    step("next_turn"),
    step("attack", (85,), actor=KNUCKLES, target=ROOK, weapon=CLUB),
    step("next_turn", (10,), (9,), (2,), (5,), (3,)),  # Rook 22, Ines 20, Fletch 14, Knuckles 11
)
ROUND_4 = (
    step("attack", (15,), "parry", (90,), (9,), actor=ROOK, target=KNUCKLES, weapon=SWORD),  # out cold
    step("next_turn"),
    step("first_aid", (50,), actor=INES, target=SLATE, place="left_arm"),
    step("next_turn"),
    step("attack", (25,), "parry", (80,), (4,), (5, 6), actor=FLETCH, target=ROOK, weapon=BOW),
    step("next_turn", (4,), (13,), (2,), (5,), (3,)),  # Ines 24, Rook 16, Fletch 14
)
ROUND_5 = (
    step("attack", (71,), actor=INES, target=FLETCH, weapon=PISTOL),
    step("next_turn"),
    step("move", actor=ROOK, to="near:f5"),
    step("next_turn"),
    step("guard", actor=FLETCH),
    step("next_turn", (9,), (5,), (2,), (5,), (6,)),  # Rook 21, Fletch 17, Ines 16
)
ROUND_6 = (
    step("attack", (33,), "dodge", (22,), actor=ROOK, target=FLETCH, weapon=SWORD),
    step("next_turn"),
    step("attack", (95,), actor=FLETCH, target=ROOK, weapon=BOW),
    step("next_turn"),
    step("attack", (88,), actor=INES, target=FLETCH, weapon=PISTOL),
    step("next_turn", (14,), (3,), (2,), (5,), (6,)),  # the sixth physical round: Rook tires
)
ROUND_7 = (
    step("attack", (55,), "dodge", (81,), (1,), (1, 2), actor=ROOK, target=FLETCH, weapon=SWORD),
    step("end_fight", reason="The gang is down, and nobody has died"),
)
SCRIPT = (*ROUND_1, *ROUND_2, *ROUND_3, *ROUND_4, *ROUND_5, *ROUND_6, *ROUND_7)


def _ranks(numbers: str, **skills: int) -> dict[str, int]:
    """The seven Attributes in the order of the sheet, and skills."""
    names = ("body", "coordination", "health", "toughness", "mind", "spirit", "perception")
    return {**dict(zip(names, map(int, numbers.split()), strict=True)), **skills}


SETUP = (
    step("set_scene", scene=SCENE),
    step(
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
    step(
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
    step("join", block="street_thug", name="Knuckles", side="gang", zone="yard"),
    step("join", block="street_thug", name="Slate", side="gang", zone="yard"),
    step(
        "join",
        sheet={
            "name": "Fletch",
            "ranks": _ranks("9 11 10 9 10 9 12", archery=12, running=9),
            "weapons": ["long_bow"],
        },
        side="gang",
        zone="ramp",
    ),
    step("place", target=ROOK, x=3, y=4),
    step("place", target=INES, x=1, y=4),
    step("place", target=KNUCKLES, x=4, y=4),
    step("place", target=SLATE, x=6, y=6),
    step("place", target=FLETCH, x=13, y=4),
)


def make_demo() -> Demo:
    """The demo fight: its setup and its script to the end."""
    return Demo(
        name="Warehouse yard: two guardians against a gang",
        setup=SETUP,
        script=SCRIPT,
    )
