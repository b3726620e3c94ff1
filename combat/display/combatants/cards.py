"""Someone who can be added to a fight, as a card: face, numbers, best attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import structs

from characters.display.attacks import AttackView, view_attacks
from characters.games import check_sheet, find_problems, make_state
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.characters import Health
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME

from .tokens import Look, find_look

NPC = "npc:"  # before the number of an NPC, in the choice of stat blocks
BOOK = "book"
TOLD = ("Armor", "Defense", "Resistance", "Toughness")  # numbers of a card, as far as a game has them
MAX_TOLD = 2


@dataclass(frozen=True)
class Danger:
    """How often the party wins, in percent, against as many of them as it has people, in so many fights.

    `segments` of four are filled. Without fights so far there is no `level`.
    """

    percent: int
    fights: int
    people: int
    running: bool
    level: str = ""
    tone: str = ""
    segments: int = 0


@dataclass(frozen=True)
class Card:
    """Someone who can be added: what they are, how much they bear, their best attack, how dangerous.

    `source` is what the filter asks for: own ones, the book, or a pack by its number; `pack` is its name.
    """

    key: str
    name: str
    kind: str
    summary: str
    is_own: bool
    look: Look
    health: Health
    numbers: tuple[tuple[str, str], ...]
    attacks: tuple[AttackView, ...]
    danger: Danger | None = None
    pack: str = ""
    source: str = BOOK

    @property
    def number(self) -> str:
        """The number of an own NPC's sheet."""
        return self.key.removeprefix(NPC)

    @property
    def attack(self) -> AttackView | None:
        """The attack that a card shows."""
        return self.attacks[0] if self.attacks else None


def make_card(
    system: System, key: str, name: str, about: tuple[str, str], *, sheet: Any, face: str = ""
) -> Card | None:
    """The card of a sheet, with its kind and summary; None for one that is no longer valid."""
    plain, is_own = dict(sheet), key.startswith(NPC)
    if is_own:
        if find_problems(system, plain):
            return None
        plain = check_sheet(system, plain)
    state = make_state(system, name, plain)
    made = state[ME]
    told = {one.label: one.value for one in system.characters.facts_of(state, made) if one.label in TOLD}
    look = find_look(system, made, "is-foe", active=False, down=False)
    return Card(
        key,
        name,
        *about,
        is_own=is_own,
        look=structs.replace(look, face=face or look.face),
        health=system.characters.health(made),
        numbers=tuple((label, str(told[label])) for label in TOLD if label in told)[:MAX_TOLD],
        attacks=list_attacks(system, state, made),
    )


def list_attacks(system: System, state: Any, made: Any) -> tuple[AttackView, ...]:
    """The attacks of a card; none where the game cannot tell them of a sheet alone, as of a vehicle."""
    try:
        return view_attacks(system, state, made, {})
    except (Refused, KeyError):
        return ()
