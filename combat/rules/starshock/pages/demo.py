"""The demo fight: a freighter's crew surprises three criminals at the cargo of bay 3.

Three zones in a line: the dock, a hold slippery with coolant, a catwalk above it. The script
plays it with given dice to the last criminal standing.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.system import Demo, DemoStep

VEGA, OSLO, IMANI, ENFORCER, THUG, SMUGGLER = (f"f{n}" for n in range(1, 7))

SCENE = {
    "name": "Cargo bay 3",
    "zones": [
        {"id": "dock", "name": "Dock", "x": 0, "y": 0, "width": 5, "depth": 5},
        {
            "id": "hold",
            "name": "Hold",
            "x": 5,
            "y": 0,
            "width": 5,
            "depth": 5,
            "terrain": ["slippery"],
            "notes": "coolant on the floor",
        },
        {
            "id": "catwalk",
            "name": "Catwalk",
            "x": 10,
            "y": 0,
            "width": 5,
            "depth": 5,
            "height": 4,
            "terrain": ["elevated"],
        },
    ],
}


def _sheet(name: str, attributes: str, skills: str, *weapons: str, **more: Any) -> dict[str, Any]:
    points = [int(number) for number in attributes.split()]
    return {
        "name": name,
        "attributes": dict(zip(("str", "dex", "int", "prs"), points, strict=True)),
        "skills": skills.split(", "),
        "weapons": list(weapons),
        **more,
    }


def _step(step: str, /, *answers: tuple[int, ...] | str, **command: Any) -> DemoStep:
    return DemoStep(step, command, answers)


def _crew(sheet: dict[str, Any], zone: str = "dock") -> DemoStep:
    return _step("join", sheet=sheet, side="crew", zone=zone, pc=True)


SETUP = (
    _step("set_scene", scene=SCENE),
    _crew(_sheet("Vega", "1 3 2 1", "Firearms, Move", "electron_revolver", "dagger", xp=6)),
    _crew(_sheet("Oslo", "3 2 1 1", "Melee, Martial Arts", "venusian_machete", "shock_shield", xp=8)),
    _crew(
        _sheet(
            "Imani",
            "1 2 3 1",
            "Energy Weapons, Medicate, Biology",
            "ray_gun",
            gear=["medical_kit", "spray_on_skin"],
            xp=7,
        )
    ),
    _step("join", block="enforcer", side="criminals", zone="hold"),
    _step("join", block="petty_criminal", name="Thug", side="criminals", zone="hold"),
    _step("join", block="smuggler", side="criminals", zone="catwalk"),
)
REVOLVER, MACHETE, RAY_GUN, HAMMER, DAGGER, PISTOL = "f1-1", "f2-1", "f3-1", "f4-1", "f5-1", "f6-1"
SKIN = "f3-4"

ROUND_1 = (
    _step("start", (5, 3), (3, 2), (5, 4)),  # Vega 11, Oslo 7, Imani 11
    _step("declare", actor=VEGA, actions=1),
    # a hit, a footing, the bonus attack of the maneuver, another footing: the enforcer slips
    _step(
        "attack", (5, 4), "0", (3, 4), ENFORCER, (4, 3), (2, 2), actor=VEGA, target=ENFORCER, weapon=REVOLVER
    ),
    _step("next_turn"),
    _step("declare", actor=IMANI, actions=2),
    _step("attack", (5, 4), "0", (4, 4), actor=IMANI, target=THUG, weapon=RAY_GUN),  # blinded
    _step("concentrate", actor=IMANI),
    _step("next_turn"),
    # the GM's turn: three criminals, to and fro
    _step("declare", actor=ENFORCER, actions=3),
    _step("stand_up", actor=ENFORCER),
    _step("move", actor=ENFORCER, to="zone:dock"),
    _step("attack", (4, 4), "0", (3, 3), actor=ENFORCER, target=OSLO, weapon=HAMMER),  # pushed into the hold
    _step("declare", actor=THUG, actions=1),
    _step("attack", (5, 5), (4, 3), (2, 4), actor=THUG, target=OSLO, weapon=DAGGER),  # 9 damage, still awake
    _step("declare", actor=SMUGGLER, actions=2),
    _step("attack", (6, 3), (3, 3), actor=SMUGGLER, target=OSLO, weapon=PISTOL),  # 12 damage: out
    _step("block", actor=SMUGGLER),
    _step("next_turn", whole=True),  # Oslo is passed over, the direction changes
)
ROUND_2 = (
    _step("declare", actor=IMANI, actions=3),
    # breaking away fails; the enforcer hits, but she gets to Oslo
    _step("move", (4, 5), f"{ENFORCER}/{HAMMER}", (3, 4), actor=IMANI, to="zone:hold"),
    _step("use_consumable", (4,), (2, 2), actor=IMANI, item=SKIN, target=OSLO),  # he comes round
    _step("emergency_medicate", (5, 5), actor=IMANI, target=OSLO),
    _step("next_turn"),
    _step("declare", actor=OSLO, actions=3),
    _step("stand_up", actor=OSLO),
    _step("pick_up", actor=OSLO, item=MACHETE),
    _step("attack", (5, 4), (4, 4), (2, 3), actor=OSLO, target=THUG, weapon=MACHETE),
    _step("next_turn"),
    _step("declare", actor=VEGA, actions=1),
    _step(
        "attack",
        *((5, 5), "0", (3, 4), ENFORCER),
        *((4, 4), "0", (2, 2), THUG),
        *((3, 3), (3, 3)),
        actor=VEGA,
        target=ENFORCER,
        weapon=REVOLVER,
    ),
    _step("next_turn"),
    _step("declare", actor=SMUGGLER, actions=2),
    _step("attack", (5, 4), actor=SMUGGLER, target=VEGA, weapon=PISTOL),
    _step("dodge", actor=SMUGGLER),
    _step("next_turn"),
)
ROUND_3 = (
    _step("declare", actor=VEGA, actions=1),
    _step("move", actor=VEGA, to="zone:hold"),
    _step("next_turn"),
    _step("declare", actor=OSLO, actions=3),
    _step("move", actor=OSLO, to="zone:catwalk", how="climbs up"),
    _step("attack", (5, 4), actor=OSLO, target=SMUGGLER, weapon=MACHETE),
    _step("block", actor=OSLO),
    _step("next_turn"),
    _step("declare", actor=IMANI, actions=1),
    _step("attack", (5, 3), "0", (3, 3), actor=IMANI, target=SMUGGLER, weapon=RAY_GUN),
    _step("end_fight", reason="The criminals are down; the crew has its cargo back"),
)
SCRIPT = (*ROUND_1, *ROUND_2, *ROUND_3)


def make_demo() -> Demo:
    """The demo fight: its setup and its script to the end."""
    return Demo(
        name="Cargo bay 3: criminals against a crew",
        intro="Vega, Oslo and Imani find an enforcer, a thug and a smuggler at their cargo.",
        setup=SETUP,
        script=SCRIPT,
    )
