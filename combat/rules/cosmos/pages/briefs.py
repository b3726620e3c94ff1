"""The result of each action of a turn in a few words, for its tile among the usual actions."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.declaration.actions import Brief, name_loaded, name_weapon
from combat.rules.core.state.state import Combatant, State

from ..people.sheet import find_speed


def _walk(times: int, how: str = "") -> Callable[[State, Combatant], str]:
    return lambda state, combatant: f"Up to {times * find_speed(state, combatant)} m{how}"


BRIEFS: dict[str, Brief] = {
    "attack": name_weapon("Shoot or strike"),
    "blast": "Everyone within its radius",
    "grapple": "Seize someone within 1 m",
    "squeeze": "Hurt, pin or throw them",
    "break_free": "A contest of Might",
    "disarm": "At −2, without damage",
    "trip": "Puts someone on the ground",
    "coup_de_grace": "Maximum damage, no roll",
    "first_aid": "Stops bleeding, heals 1d6",
    "field_medicine": "With a kit, heals 2d6",
    "rally": "Ends an ally's fear",
    "skill": "Against the GM's number",
    "complex_device": "Takes all your attention",
    "overwatch": "One shot, held ready",
    "extinguish": "Puts out the fire on you",
    "navigate": "Detect, avoid or escape it",
    "move": _walk(1),
    "full_move": _walk(2),
    "sprint": _walk(3, " straight"),
    "stand": "Back on your feet",
    "draw": "A weapon",
    "reload": name_loaded("A full magazine"),
    "pick_up": "Something within 1 m",
    "reactive_defense": "Half Combat to Defense",
    "climb": "Over or onto an obstacle",
    "press": "Holds back bleeding",
    "door": "One next to you",
    "drug": "Lasts ten minutes",
    "apply": "Within 1 m, no roll",
    "catch_hold": "Ends your drift",
    "hurl": "You drift the other way",
    "charge": "Run and strike, +2 damage",
    "retreat": "Attack, then half Speed",
    "total_defense": "+4 Defense, half Speed",
    "quick_aim": "+1 on your next shot",
    "fall_prone": "+2 Defense against shots",
    "drop": "Something you hold",
    "simple_device": "A switch or a button",
    "look": "The GM says what you notice",
    "speak": "To those who hear you",
    "brace": "No drift after your attacks",
    "suit": "Or a mask",
    "say": "To all, or to your side",
    "concentrate": "It costs nothing",
    "let_go": "Everyone you hold",
    "delay": "Act later this round",
    "step_in": "Your turn comes next",
    "interrupt": "Awareness against 17",
}
