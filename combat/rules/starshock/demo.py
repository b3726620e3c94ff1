"""The demo fight: a freighter's crew surprises three criminals at the cargo of bay 3.

Three zones in a line: the dock, a hold slippery with coolant, a catwalk above it. The script plays it with
fixed dice until the last criminal is down.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.book import Demo, DemoStep, drawn, step, zone

VEGA, OSLO, IMANI, ENFORCER, THUG, SMUGGLER = (f"f{n}" for n in range(1, 7))

SCENE = {
    "name": "Cargo bay 3",
    "zones": [
        zone("dock", "Dock", 0, y=0, width=5, depth=5, floor="deck", kind="room"),
        zone(
            *("hold", "Hold", 5, 0, 5, 5),
            terrain=["slippery"],
            notes="coolant on the floor",
            floor="deck",
            kind="room",
        ),
        zone(
            *("catwalk", "Catwalk", 10, 0, 5, 5), height=4, terrain=["elevated"], floor="grating", kind="room"
        ),
    ],
    "map": drawn(
        walls=[[[0, 0], [15, 0], [15, 5], [0, 5], [0, 0]]],
        doors=[["Dock gate", 0, 1, 0, 4]],
        flat=True,
        things=[
            ["Crates", 1, 0, 2, 1, "crate"],
            ["Cargo", 6, 4, 2, 1, "crate"],
            ["Coolant tank", 8, 0, 1, 1, "barrel"],
            ["Winch", 13, 0, 2, 1, "machine"],
        ],
        lights=[[2.5, 2.5, 4], [7.5, 2.5, 4, "cold"], [12.5, 2.5, 4]],
    ),
}
REVOLVER, MACHETE, RAY_GUN, HAMMER, DAGGER, PISTOL = "f1-1", "f2-1", "f3-1", "f4-1", "f5-1", "f6-1"
SKIN = "f3-4"
ROUND_1 = (
    step("start", (5, 3), (3, 2), (5, 4)),  # Vega 11, Oslo 7, Imani 11
    step("declare", actor=VEGA, actions=1),
    # a hit, a footing check, the bonus attack of the maneuver, another footing check: the enforcer slips
    step(
        "attack", (5, 4), "0", (3, 4), ENFORCER, (4, 3), (2, 2), actor=VEGA, target=ENFORCER, weapon=REVOLVER
    ),
    step("next_turn"),
    step("declare", actor=IMANI, actions=2),
    step("attack", (5, 4), "0", (4, 4), actor=IMANI, target=THUG, weapon=RAY_GUN),  # blinded
    step("concentrate", actor=IMANI),
    step("next_turn"),
    # the GM's turn: three criminals, back and forth
    step("declare", actor=ENFORCER, actions=3),
    step("stand_up", actor=ENFORCER),
    step("move", actor=ENFORCER, to="zone:dock"),
    step("attack", (4, 4), "0", (3, 3), actor=ENFORCER, target=OSLO, weapon=HAMMER),  # pushed into the hold
    step("declare", actor=THUG, actions=1),
    step("attack", (5, 5), (4, 3), (2, 4), actor=THUG, target=OSLO, weapon=DAGGER),  # 9 damage, still awake
    step("declare", actor=SMUGGLER, actions=2),
    step("attack", (6, 3), (3, 3), actor=SMUGGLER, target=OSLO, weapon=PISTOL),  # 12 damage: out
    step("block", actor=SMUGGLER),
    step("next_turn", whole=True),  # Oslo is skipped, the direction changes
)
ROUND_2 = (
    step("declare", actor=IMANI, actions=3),
    # breaking away fails; the enforcer hits, but she gets to Oslo
    step("move", (4, 5), f"{ENFORCER}/{HAMMER}", (3, 4), actor=IMANI, to="zone:hold"),
    step("use_consumable", (4,), (2, 2), actor=IMANI, item=SKIN, target=OSLO),  # he comes round
    step("emergency_medicate", (5, 5), actor=IMANI, target=OSLO),
    step("next_turn"),
    step("declare", actor=OSLO, actions=3),
    step("stand_up", actor=OSLO),
    step("pick_up", actor=OSLO, item=MACHETE),
    step("attack", (5, 4), (4, 4), (2, 3), actor=OSLO, target=THUG, weapon=MACHETE),
    step("next_turn"),
    step("declare", actor=VEGA, actions=1),
    step(
        "attack",
        *((5, 5), "0", (3, 4), ENFORCER),
        *((4, 4), "0", (2, 2), THUG),
        *((3, 3), (3, 3)),
        actor=VEGA,
        target=ENFORCER,
        weapon=REVOLVER,
    ),
    step("next_turn"),
    step("declare", actor=SMUGGLER, actions=2),
    step("attack", (5, 4), actor=SMUGGLER, target=VEGA, weapon=PISTOL),
    step("dodge", actor=SMUGGLER),
    step("next_turn"),
)
ROUND_3 = (
    step("declare", actor=VEGA, actions=1),
    step("move", actor=VEGA, to="zone:hold"),
    step("next_turn"),
    step("declare", actor=OSLO, actions=3),
    step("move", actor=OSLO, to="zone:catwalk", how="climbs up"),
    step("attack", (5, 4), actor=OSLO, target=SMUGGLER, weapon=MACHETE),
    step("block", actor=OSLO),
    step("next_turn"),
    step("declare", actor=IMANI, actions=1),
    step("attack", (5, 3), "0", (3, 3), actor=IMANI, target=SMUGGLER, weapon=RAY_GUN),
    step("end_fight", reason="The criminals are down; the crew has its cargo back"),
)
SCRIPT = (*ROUND_1, *ROUND_2, *ROUND_3)


def _sheet(name: str, attributes: str, skills: str, *weapons: str, **more: Any) -> dict[str, Any]:
    points = [int(number) for number in attributes.split()]
    return {
        "name": name,
        "attributes": dict(zip(("str", "dex", "int", "prs"), points, strict=True)),
        "skills": skills.split(", "),
        "weapons": list(weapons),
        **more,
    }


def _crew(sheet: dict[str, Any]) -> DemoStep:
    return step("join", sheet=sheet, side="crew", zone="dock", pc=True)


SETUP = (
    step("set_scene", scene=SCENE),
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
    step("join", block="enforcer", side="criminals", zone="hold"),
    step("join", block="petty_criminal", name="Thug", side="criminals", zone="hold"),
    step("join", block="smuggler", side="criminals", zone="catwalk"),
)


def make_demo() -> Demo:
    """The demo fight: its setup and its script to the end."""
    return Demo(
        name="Cargo bay 3: criminals against a crew",
        setup=SETUP,
        script=SCRIPT,
    )
