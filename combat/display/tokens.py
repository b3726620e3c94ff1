"""How a combatant is drawn: circle or diamond, bust or portrait, the same in rows, cards and on the map."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from combat.rules.core.state.state import Combatant
from combat.rules.core.system import System

# Busts by what a combatant looks like; whoever is called the same looks the same
PLAYED, OTHERS = ("visor", "braid", "headset", "crop"), ("mask", "hood", "cap")
BUSTS = {
    "alien": ("crest", "tall"),
    "robot": ("robot",),
    "drone": ("drone",),
    "vehicle": ("vehicle",),
    "animal": ("beast",),
}


@dataclass(frozen=True)
class Look:
    """What a token is drawn of: side, bust or portrait, the number of one of many, and how they are.

    templates/combat/parts/token_body.html draws it in a square of 48.
    """

    tone: str
    bust: str
    badge: str = ""
    portrait: str = ""
    active: bool = False
    down: bool = False

    @property
    def wide(self) -> bool:
        """Whether its number has two digits or more."""
        return len(self.badge) > 1


def find_look(
    system: System, fighter: Combatant, tone: str, *, active: bool, down: bool, number: str = ""
) -> Look:
    """How a combatant is drawn for a viewer who may see them; `number` tells namesakes apart."""
    name, badge = split_name(fighter.name)
    busts = BUSTS.get(system.likeness(fighter)) or (PLAYED if fighter.pc else OTHERS)
    bust = busts[crc32(name.encode()) % len(busts)]
    return Look(tone, bust, badge or number, active=active, down=down)


def split_name(name: str) -> tuple[str, str]:
    """A name and the number behind it: "Pirate 3" is Pirate and 3."""
    words, _, last = name.rpartition(" ")
    return (words, last) if words and last.isdecimal() and len(last) < 4 else (name, "")
