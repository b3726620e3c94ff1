"""The demo fight with vehicles: two ground cars on a coast road, a chase, a hit and a repair."""

from __future__ import annotations

from combat.rules.core.declaration.demo import Demo, step, zone

from .demo import make_sheet

SCENE = {
    "name": "Coast road",
    "zones": [
        zone("road", "Road", 0, 0, 600, 12, floor="concrete"),
        zone("verge", "Verge", 0, 12, 600, 10, terrain=["difficult"], floor="grass"),
    ],
}
CREW = (
    make_sheet("Sarn", "78A887", {"wheeled_vehicle": 2, "mechanics": 2}, "auto_pistol", armor=["cloth"]),
    make_sheet("Pell", "798877", {"slug_rifle": 2}, "assault_rifle", armor=["cloth"]),
)
CAR, SARN, PELL, BLACK_CAR, DRIVER, GUNMAN = (f"f{n}" for n in range(1, 7))
RIFLE, ENEMY_RIFLE = "f3-1", "f6-1"
SPEED, EAST = 60, 90
SETUP = (
    step("set_scene", scene=SCENE),
    step("join", block="core_ground_car", name="Courier car", side="couriers", zone="road"),
    *(step("join", sheet=sheet, side="couriers", zone="road", pc=True) for sheet in CREW),
    step("join", block="core_ground_car", name="Black car", side="raiders", zone="road"),
    step("join", block="vehicle_driver", name="Driver", side="raiders", zone="road"),
    step("join", block="infantry_soldier", name="Gunman", side="raiders", zone="road"),
    step("place", target=CAR, x=60, y=6),
    step("place", target=BLACK_CAR, x=30, y=6),
    step("seat", target=SARN, vehicle=CAR, station="driver"),
    step("seat", target=PELL, vehicle=CAR, station="passenger"),
    step("seat", target=DRIVER, vehicle=BLACK_CAR, station="driver"),
    step("seat", target=GUNMAN, vehicle=BLACK_CAR, station="passenger"),
    step("set_motion", target=CAR, speed=SPEED, facing=EAST),
    step("set_motion", target=BLACK_CAR, speed=SPEED, facing=EAST),
)
SCRIPT = (
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
        weapon=RIFLE,
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


def make_road_demo() -> Demo:
    """The demo fight: its setup and its whole script."""
    return Demo(
        name="Coast road: a chase in two cars",
        intro="Sarn drives, Pell shoots back, and a black car with a gunman is 30 m behind them.",
        setup=SETUP,
        script=SCRIPT,
    )
