"""The drawn faces that people choose from: `static/img/faces.svg` has a symbol for each key."""

from __future__ import annotations

from typing import NamedTuple

from combat.rules.core.basics.errors import Refused

from .given_names import find_sex


class Face(NamedTuple):
    """A drawn face: its symbol, its name for people, and whether it is a woman's or a man's."""

    key: str
    name: str
    sex: str = ""


FACES = (
    Face("scout", "Scout"),
    Face("pilot", "Pilot", "woman"),
    Face("marine", "Marine", "man"),
    Face("medic", "Medic", "man"),
    Face("engineer", "Engineer", "man"),
    Face("envoy", "Envoy"),
    Face("robot", "Robot"),
    Face("broker", "Broker", "woman"),
    Face("spacer", "Spacer"),
    Face("scientist", "Scientist", "woman"),
    Face("guard", "Guard"),
    Face("trooper", "Trooper"),
    Face("cyborg", "Cyborg"),
    Face("stranger", "Stranger"),
    Face("captain", "Captain", "man"),
    Face("enforcer", "Enforcer", "man"),
    Face("raider", "Raider"),
    Face("horned", "Horned one"),
    Face("veteran", "Veteran", "man"),
    Face("courier", "Courier", "woman"),
    Face("mystic", "Mystic"),
    Face("elder", "Elder", "woman"),
)
KEYS = frozenset(face.key for face in FACES)
SEXES = {face.key: face.sex for face in FACES}


def fits(face: str, name: str) -> bool:
    """Whether nothing in a name speaks against a face: no bearded Marit."""
    return not SEXES[face] or find_sex(name) in ("", SEXES[face])


def check_face(face: str) -> str:
    """The key of a drawn face, or empty for none; Refused if there is no such face."""
    if face and face not in KEYS:
        raise Refused("bad_value", "There is no such face: choose one of those shown.")
    return face
