"""A few words for each action of a turn, shown on its tile among the usual actions."""

from __future__ import annotations

from combat.rules.core.declaration.actions import Brief, name_loaded, name_weapon
from combat.rules.core.state.state import Combatant, State

from ..people.machinery import DRIVER
from ..world.motion import allowed_meters


def _move(state: State, combatant: Combatant) -> str:
    return f"Up to {allowed_meters(combatant):g} m"


def find_pressing(state: State, combatant: Combatant) -> tuple[str, ...]:
    """Driving comes first for whoever is at the controls: what nobody drives goes straight on. [CE-VEH-05]"""
    return ("drive",) if combatant.station == DRIVER else ()


BRIEFS: dict[str, Brief] = {
    "attack": name_weapon("One weapon, one target"),
    "lob": "Everyone near is caught",
    "aim": "+1 on your next attack",
    "aim_to_kill": "+2 damage on it",
    "suppress": "Costs them Initiative",
    "panic_fire": "Every round left, at −2",
    "blind_fire": "At someone unseen",
    "blind_lob": "At a place unseen",
    "grapple": "An opposed check",
    "coup_de_grace": "Someone helpless beside you",
    "drive": "Control for this round",
    "maneuver": "Round obstacles, no check",
    "evade": "Harder to hit",
    "ram": "Drive into something",
    "stunt": "Nearly any feat",
    "weave": "Between obstacles",
    "break_off": "Lets the quarry go",
    "ready": "Into your hand",
    "reload": name_loaded("Fresh rounds"),
    "put_away": "Frees a hand",
    "drop": "Something in your hand",
    "pick_up": "What lies within reach",
    "set_charge": "A Demolitions check",
    "set_off": "From any distance",
    "first_aid": "Soon after the wound",
    "take_drug": "One dose",
    "move": _move,
    "stance": "Stand, crouch or lie prone",
    "scan": "Find what is hidden",
    "use_link": "By signals or gear",
    "exchange": "For the significant one",
    "delay": "Act later in the round",
    "interrupt": "Your turn comes at once",
    "step_in": "Your turn comes next",
    "hasten": "Initiative +2, DM −1",
    "hasten_next": "Counts from next round",
    "tactics": "Once, as combat starts",
    "leadership": "To someone's Initiative",
    "check": "Anything else you do",
    "door": "One within reach",
    "abandon": "Frees you for other things",
    "free": "A shout, a button, a glance",
    "get_in": "A vehicle next to you",
    "get_out": "Onto the ground beside it",
    "change_place": "Another seat",
    "strap_in": "Softens collisions",
    "rig_now": "One hit better for hours",
    "steer": "It acts on its next turn",
}
