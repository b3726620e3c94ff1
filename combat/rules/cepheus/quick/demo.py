"""The demo fight of the quick rules: two starport guards stop two pirates at the cargo office."""

from __future__ import annotations

from combat.rules.core.declaration.book import Demo, drawn, step, zone

from ..demo import make_sheet

SCENE = {
    "name": "Cargo office",
    "zones": [
        zone("desk", "Behind the desk", 0, y=0, width=3, depth=6, cover="half", floor="tile", kind="room"),
        zone("hall", "Hall", 3, y=0, width=9, depth=6, floor="tile", kind="room"),
        zone("door", "Doorway", 12, y=0, width=3, depth=6, cover="quarter", floor="deck", kind="room"),
    ],
    "map": drawn(
        walls=[[[0, 0], [15, 0], [15, 6], [0, 6], [0, 0]]],
        doors=[["Cargo door", 15, 1, 15, 5, "open"], ["Back office", 0, 2, 0, 3]],
        windows=[[5, 0, 10, 0]],
        flat=True,
        things=[
            ["Desk", 2, 1, 1, 4, "table"],
            ["Files", 0, 5, 2, 1, "crate"],
            ["Bench", 5, 5, 4, 1, "seat"],
            ["Plant", 10, 0, 1, 1, "bush"],
        ],
        lights=[[2, 3, 4], [8, 3, 5], [13, 3, 3, "cold"]],
    ),
}
GUARDS = (
    make_sheet("Nia", "797777", {"slug_pistol": 1, "recon": 0}, "auto_pistol", armor=["mesh"]),
    make_sheet("Otis", "9A8775", {"slug_rifle": 1}, "submachinegun", armor=["cloth"]),
)
SETUP = (
    step("set_scene", scene=SCENE),
    *(step("join", sheet=sheet, side="guards", zone="desk", pc=True) for sheet in GUARDS),
    step("join", block="pirate", name="Smuggler", side="pirates", zone="door"),
    step("join", block="gang_enforcer", name="Enforcer", side="pirates", zone="door"),
)
NIA, OTIS, SMUGGLER, ENFORCER = (f"f{n}" for n in range(1, 5))
PISTOL, SMG, SNUB, AUTO = "f1-1", "f2-1", "f3-2", "f4-1"
SCRIPT = (
    step("start", (5, 4), (3, 4), (2, 3), (4, 4)),
    step("aim", actor=NIA, target=ENFORCER),
    step("attack", "dodge", (4, 5), (4, 4), actor=NIA, target=ENFORCER, weapon=PISTOL),
    step("next_turn"),
    # a second dodge: two more points, which leaves four
    step(
        "attack",
        *("dodge", (4, 4), (4, 4, 3)),
        actor=OTIS,
        target=ENFORCER,
        weapon=SMG,
        rounds=4,
        burst="grouped",
    ),
    step("next_turn"),
    step("attack", "dodge", (3, 4), actor=SMUGGLER, target=OTIS, weapon=SNUB),
    step("next_turn"),
    step("attack", "none", (6, 6), (3, 4), actor=ENFORCER, target=NIA, weapon=AUTO),
    step("next_turn"),
    step("attack", "none", (5, 4), (4, 3), actor=NIA, target=ENFORCER, weapon=PISTOL),
    step("end_fight", reason="The enforcer gives up, badly hurt; the smuggler runs"),
)


def make_quick_demo() -> Demo:
    """The demo fight: its setup and its whole script."""
    return Demo(
        name="Cargo office: guards against pirates",
        setup=SETUP,
        script=SCRIPT,
    )
