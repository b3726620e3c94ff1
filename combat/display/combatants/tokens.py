"""How a combatant is drawn: circle or diamond, bust or portrait, the same in rows, cards and on the map."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from characters.faces import KEYS
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import FACE
from combat.rules.core.state.state import Combatant

# Busts by kind; the name picks one, so the same name always has the same bust
PLAYED, OTHERS = ("visor", "braid", "headset", "crop"), ("mask", "hood", "cap")
BUSTS = {
    "alien": ("crest", "tall"),
    "robot": ("robot",),
    "drone": ("drone",),
    "vehicle": ("vehicle",),
    "animal": ("beast",),
}


FACELESS = ("animal", "drone", "vehicle")


@dataclass(frozen=True)
class Look:
    """What a token shows: side, bust, face or portrait, the number among namesakes, active, down.

    `portrait` is the address of a picture and comes first, then `face`, the key of a drawn one.

    templates/combat/map/tokens/token_body.html draws it in a square of 48.
    """

    tone: str
    bust: str
    badge: str = ""
    portrait: str = ""
    face: str = ""
    active: bool = False
    down: bool = False

    @property
    def wide(self) -> bool:
        """Whether its number has two digits or more."""
        return len(self.badge) > 1


def find_look(
    system: System, combatant: Combatant, tone: str, *, active: bool, down: bool, number: str = ""
) -> Look:
    """How a combatant is drawn for a viewer who may see them; `number` tells namesakes apart."""
    name, badge = split_name(combatant.name)
    busts = BUSTS.get(system.look.likeness(combatant)) or (PLAYED if combatant.pc else OTHERS)
    bust = busts[crc32(name.encode()) % len(busts)]
    face = str(combatant.marks.get(FACE, ""))
    face = face if face in KEYS and has_face(system, combatant) else ""
    return Look(tone, bust, badge or number, face=face, active=active, down=down)


def has_face(system: System, combatant: Combatant) -> bool:
    """Whether a drawn face fits: no beast and no vehicle has one."""
    return system.look.likeness(combatant) not in FACELESS


def split_name(name: str) -> tuple[str, str]:
    """A name and the number after it: "Pirate 3" is Pirate and 3."""
    words, _, last = name.rpartition(" ")
    return (words, last) if words and last.isdecimal() and len(last) < 4 else (name, "")
