"""The demo fight on foot: pirates at the docking ring of a highport, and the crew that lies there."""

from __future__ import annotations

from typing import Any

from combat.rules.core.system import Demo, DemoStep

SCORES = ("str", "dex", "end", "int", "edu", "soc")
SCENE = {
    "name": "Docking ring, berth 7",
    "zones": [
        {"id": "lock", "name": "Airlock", "x": 0, "y": 0, "width": 4, "depth": 8, "cover": "half"},
        {"id": "deck", "name": "Open deck", "x": 4, "y": 0, "width": 12, "depth": 8},
        {
            "id": "crates",
            "name": "Crates",
            "x": 16,
            "y": 0,
            "width": 6,
            "depth": 8,
            "cover": "half",
            "terrain": ["difficult"],
        },
    ],
}


def make_sheet(name: str, profile: str, skills: dict[str, int], *weapons: str, **more: Any) -> dict[str, Any]:
    """The sheet of a person with six characteristics of one figure each."""
    scores = dict(zip(SCORES, (int(digit, 16) for digit in profile), strict=True))
    return {"name": name, "attributes": scores, "skills": skills, "weapons": list(weapons), **more}


def step(name: str, /, *answers: tuple[int, ...] | str, **command: Any) -> DemoStep:
    """One step of a script: the command and the answers it will get, in order."""
    return DemoStep(name, command, answers)


KAJA = make_sheet("Kaja", "898777", {"slug_rifle": 2, "athletics": 1}, "assault_rifle", armor=["cloth"])
RUI = make_sheet(
    "Rui", "687A96", {"slug_pistol": 1, "medicine": 2}, "auto_pistol", armor=["mesh"], gear=["medical_kit"]
)
SETUP = (
    step("set_scene", scene=SCENE),
    step("join", sheet=KAJA, side="crew", zone="lock", pc=True),
    step("join", sheet=RUI, side="crew", zone="lock", pc=True),
    step("join", block="pirate", name="Boarder", side="pirates", zone="crates"),
    step("join", block="pirate_captain", name="Captain", side="pirates", zone="crates"),
)
SCRIPT = (step("start", (4, 3), (2, 3), (5, 5), (3, 3)),)


def make_demo() -> Demo:
    """The demo fight: its setup and its script to the end."""
    return Demo(
        name="Berth 7: pirates at the docking ring",
        intro="Kaja and Rui hold the airlock of their ship against two pirates behind crates.",
        setup=SETUP,
        script=SCRIPT,
    )
