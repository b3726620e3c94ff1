"""The drawn faces that people choose from: `static/img/faces.svg` has a symbol for each key."""

from __future__ import annotations

from typing import NamedTuple

from combat.rules.core.basics.errors import Refused


class Face(NamedTuple):
    """A drawn face: its symbol, and its name for people."""

    key: str
    name: str


FACES = (
    Face("scout", "Scout"),
    Face("pilot", "Pilot"),
    Face("marine", "Marine"),
    Face("medic", "Medic"),
    Face("engineer", "Engineer"),
    Face("envoy", "Envoy"),
    Face("robot", "Robot"),
    Face("broker", "Broker"),
    Face("spacer", "Spacer"),
    Face("scientist", "Scientist"),
    Face("guard", "Guard"),
    Face("trooper", "Trooper"),
    Face("cyborg", "Cyborg"),
    Face("stranger", "Stranger"),
    Face("captain", "Captain"),
    Face("enforcer", "Enforcer"),
    Face("raider", "Raider"),
    Face("horned", "Horned one"),
    Face("veteran", "Veteran"),
    Face("courier", "Courier"),
    Face("mystic", "Mystic"),
    Face("elder", "Elder"),
)
KEYS = frozenset(face.key for face in FACES)


def check_face(face: str) -> str:
    """The key of a drawn face, or empty for none; Refused if there is no such face."""
    if face and face not in KEYS:
        raise Refused("bad_value", "There is no such face: choose one of those shown.")
    return face
