"""The demo fights. On foot: pirates at the docking ring of a highport against the crew of a docked ship. With
vehicles: two ground cars on a coast road, a chase, a hit and a repair.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.book import Demo, drawn, step, zone

SCORES = ("str", "dex", "end", "int", "edu", "soc")
SCENE = {
    "name": "Docking ring, berth 7",
    "zones": [
        zone("lock", "Airlock", 0, y=0, width=4, depth=8, cover="half", floor="grating", kind="room"),
        zone("deck", "Open deck", 4, y=0, width=12, depth=8, floor="deck", kind="room"),
        zone(
            *("crates", "Crates", 16, 0, 6, 8),
            cover="half",
            terrain=["difficult"],
            floor="deck",
            kind="room",
        ),
    ],
    "map": drawn(
        walls=[[[0, 0], [22, 0], [22, 8], [0, 8], [0, 0]]],
        doors=[["Ship's lock", 0, 2, 0, 6, "open"], ["Ring door", 22, 3, 22, 5]],
        windows=[[6, 0, 14, 0]],
        flat=True,
        things=[
            ["Lockers", 0, 0, 2, 1, "crate"],
            ["Lockers", 0, 7, 2, 1, "crate"],
            ["Trolley", 8, 6, 2, 1, "machine"],
            ["Crates", 16, 1, 2, 1, "crate"],
            ["Crates", 16, 5, 2, 2, "crate"],
            ["Container", 19, 0, 3, 2, "container"],
            ["Drums", 20, 7, 2, 1, "barrel"],
        ],
        lights=[[2, 4, 4, "red"], [10, 3, 7], [19, 4, 5, "cold"]],
    ),
}
KAJA, RUI, DOV, BOARDER, CAPTAIN = (f"f{n}" for n in range(1, 6))
RIFLE, PISTOL, CUTLASS, SABRE, SNUB = "f1-1", "f2-1", "f3-1", "f4-1", "f5-1"
ROUND_1 = (
    step("start", (5, 6), (2, 3), (3, 4), (2, 4), (5, 3)),
    step("aim", actor=KAJA, target=BOARDER),
    # a spray at Medium range; the dodge is worth 2 behind the crates, which is not enough
    step(
        "attack",
        *("dodge", (4, 4), (4, 3, 5)),
        actor=KAJA,
        target=BOARDER,
        weapon=RIFLE,
        rounds=4,
        burst="spray",
    ),
    step("next_turn"),
    step("attack", "dodge", (6, 5), (5, 4), actor=CAPTAIN, target=KAJA, weapon=SNUB),
    step("next_turn"),
    step("move", actor=DOV, to="16.5,3", actions=3),  # the significant action is traded
    step("next_turn"),
    step("attack", "none", (6, 5), (3, 4), actor=RUI, target=CAPTAIN, weapon=PISTOL),
    step("next_turn"),
    step("attack", "parry", (5, 3), actor=BOARDER, target=DOV, weapon=SABRE),
    step("next_turn"),
)
ROUND_2 = (
    # a grouped burst: four dice instead of three
    step(
        "attack",
        *("none", (5, 4), (5, 4, 3, 4)),
        actor=KAJA,
        target=CAPTAIN,
        weapon=RIFLE,
        rounds=4,
        burst="grouped",
    ),
    step("next_turn"),
    step("attack", "none", (6, 6), (6, 5), "end=1,str=2", actor=CAPTAIN, target=KAJA, weapon=SNUB),
    step("next_turn"),
    step("attack", "parry", (6, 5), (4, 5, 3), "str", actor=BOARDER, target=DOV, weapon=SABRE),
    step("next_turn"),
    # the parry has cost Dov two points of Initiative: now Rui is first
    step("aim", actor=RUI, target=CAPTAIN),
    step("attack", "none", (3, 2), actor=RUI, target=CAPTAIN, weapon=PISTOL),
    step("next_turn"),
    step("attack", "none", (5, 5), (5, 5, 4), actor=DOV, target=BOARDER, weapon=CUTLASS),
    step("next_turn"),
)
ROUND_3 = (
    step("stance", actor=KAJA, stance="crouched"),
    step("attack", "none", (5, 4), (6, 4, 3), actor=KAJA, target=CAPTAIN, weapon=RIFLE),
    step("end_fight", reason="The captain is down, the others give up: the berth is held"),
)
SCRIPT = (*ROUND_1, *ROUND_2, *ROUND_3)
ROAD = {
    "name": "Coast road",
    "zones": [
        zone("road", "Road", 0, y=0, width=600, depth=12, floor="concrete"),
        zone("verge", "Verge", 0, y=12, width=600, depth=10, terrain=["difficult"], floor="grass"),
    ],
}
CAR, SARN, PELL, BLACK_CAR, DRIVER, GUNMAN = (f"f{n}" for n in range(1, 7))
COURIER_RIFLE, ENEMY_RIFLE = "f3-1", "f6-1"
SPEED, EAST = 30, 90
ROAD_SCRIPT = (
    step("start", (5, 4), (3, 4), (2, 3), (4, 6)),
    # three points past armor 6 are one hit: the drive
    step("attack", (4, 4), (3, 2, 1), (2, 2), actor=GUNMAN, target=CAR, weapon=ENEMY_RIFLE),
    step("next_turn"),
    step("evade", (4, 3), actor=SARN),
    step("next_turn"),
    step(
        "attack",
        *((5, 5), (5, 4, 3, 2), (2, 2), (5, 5), (2, 2)),
        actor=PELL,
        target=BLACK_CAR,
        weapon=COURIER_RIFLE,
        rounds=4,
        burst="grouped",
    ),
    step("next_turn"),
    step("next_turn"),  # the black car stands without a drive
    step("attack", (2, 3), actor=GUNMAN, target=CAR, weapon=ENEMY_RIFLE),
    step("next_turn"),
    step("drive", actor=SARN),
    step("next_turn"),
    step("end_fight", reason="The black car stands; the couriers are away"),
    # out of sight: minutes of work, for hours of use
    step("rig", (3,), (5, 4), (4,), target=CAR, by=SARN, part="drive"),
)


def make_sheet(name: str, profile: str, skills: dict[str, int], *weapons: str, **more: Any) -> dict[str, Any]:
    """The sheet of a person with six characteristics, given as one digit each."""
    scores = dict(zip(SCORES, (int(digit, 16) for digit in profile), strict=True))
    return {"name": name, "attributes": scores, "skills": skills, "weapons": list(weapons), **more}


CREW = (
    make_sheet("Kaja", "898777", {"slug_rifle": 2, "athletics": 1}, "assault_rifle", armor=["cloth"]),
    make_sheet(
        "Rui",
        "687A96",
        {"slug_pistol": 1, "medicine": 2},
        "auto_pistol",
        armor=["mesh"],
        gear=["medical_kit"],
    ),
    make_sheet("Dov", "A87866", {"slashing_weapons": 2, "mechanics": 1}, "cutlass", armor=["mesh"]),
)
SETUP = (
    step("set_scene", scene=SCENE),
    *(step("join", sheet=sheet, side="crew", zone="lock", pc=True) for sheet in CREW),
    step("join", block="pirate", name="Boarder", side="pirates", zone="crates"),
    step("join", block="pirate_captain", name="Captain", side="pirates", zone="crates"),
)


def make_demo() -> Demo:
    """The demo fight: its setup and its whole script."""
    return Demo(
        name="Berth 7: pirates at the docking ring",
        setup=SETUP,
        script=SCRIPT,
    )


# ---------------------------------------------------------------- on the road


COURIERS = (
    make_sheet(
        "Sarn",
        "78A887",
        {"wheeled_vehicle": 2, "mechanics": 2, "slug_pistol": 2},
        "auto_pistol",
        armor=["cloth"],
    ),
    make_sheet("Pell", "798877", {"slug_rifle": 2}, "assault_rifle", armor=["cloth"]),
)
ROAD_SETUP = (
    step("set_option", key="moving_vehicle_cap", value="3"),  # so that shots at cars that move can hit
    step("set_scene", scene=ROAD),
    step("join", block="core_ground_car", name="Courier car", side="couriers", zone="road"),
    *(step("join", sheet=sheet, side="couriers", zone="road", pc=True) for sheet in COURIERS),
    step("join", block="core_ground_car", name="Black car", side="raiders", zone="road"),
    step("join", block="vehicle_driver", name="Driver", side="raiders", zone="road"),
    step("join", block="infantry_soldier", name="Gunman", side="raiders", zone="road"),
    step("place", target=CAR, x=60, y=6),
    step("place", target=BLACK_CAR, x=48, y=6),
    step("seat", target=SARN, vehicle=CAR, station="driver"),
    step("seat", target=PELL, vehicle=CAR, station="passenger"),
    step("seat", target=DRIVER, vehicle=BLACK_CAR, station="driver"),
    step("seat", target=GUNMAN, vehicle=BLACK_CAR, station="passenger"),
    step("set_motion", target=CAR, speed=SPEED, facing=EAST),
    step("set_motion", target=BLACK_CAR, speed=SPEED, facing=EAST),
)


def make_road_demo() -> Demo:
    """The demo fight: its setup and its whole script."""
    return Demo(
        name="Coast road: a chase in two cars",
        setup=ROAD_SETUP,
        script=ROAD_SCRIPT,
    )
