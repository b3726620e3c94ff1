"""The drawn faces that people choose from: `static/img/faces.svg` has a symbol for each key."""

from __future__ import annotations

from typing import NamedTuple


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
)
KEYS = frozenset(face.key for face in FACES)
