"""The natural attacks, hide and speed of an animal, as the form of its sheet asks for them."""

from __future__ import annotations

import re
from typing import Any

from combat.rules.core.sheets.sheets import Choices, Draft, Option, Selection, Stat

ANIMAL = "animal"
NONE, OTHER = "", "other"
WEAPONS = {
    "teeth": "Teeth",
    "claws": "Claws",
    "horns": "Horns",
    "hooves": "Hooves",
    "stinger": "Stinger",
    "thrasher": "Thrasher",
    OTHER: "Something else",
}
COUNT = 2  # attacks in the form; further ones stay as they are
MAX_DICE, USUAL_DICE = 20, 1
GROWN = {"natural_armor": 0, "move_m": 6}  # fields of the sheet and their defaults
PLAIN = re.compile(r"(\d+)d6")
SOURCE = "Animals"

ONLY: Choices = {"kind": (ANIMAL,)}


def _number(key: str, label: str, most: int, usual: int, low: int = 0, text: str = "") -> Stat:
    return Stat(
        key=key,
        label=label,
        low=low,
        high=most,
        first_low=low,
        first_high=most,
        usual=usual,
        text=text,
        source=SOURCE,
        only=ONLY,
    )


def _attack(n: int) -> Selection:
    return Selection(
        key=f"attack_{n}",
        label="Natural attack" if n == 1 else "Second natural attack",
        options=tuple(Option(key=key, label=label) for key, label in WEAPONS.items()),
        required=False,
        text="Close quarters, by Natural Weapons.",
        rule="CE-RANGE-10",
        only=ONLY,
    )


STATS = (
    _number("natural_armor", "Natural armor", 99, GROWN["natural_armor"]),
    _number("move_m", "Movement action, m", 999, GROWN["move_m"]),
    *(
        _number(f"dice_{n}", f"{label} natural attack, D6", MAX_DICE, USUAL_DICE, low=1)
        for n, label in ((1, "First"), (2, "Second"))
    ),
)
SELECTIONS = tuple(_attack(n) for n in range(1, COUNT + 1))


def read_animal(sheet: dict[str, Any]) -> Draft:
    """The decisions in an animal's sheet that only animals have."""
    scores = {key: sheet.get(key, usual) for key, usual in GROWN.items()}
    chosen = {}
    attacks = sheet.get("natural_attacks", ())
    for n in range(COUNT):
        chosen[f"attack_{n + 1}"], scores[f"dice_{n + 1}"] = (
            _read(attacks[n]) if n < len(attacks) else (NONE, USUAL_DICE)
        )
    return Draft(attributes=scores, chosen=chosen)


def _read(attack: dict[str, Any]) -> tuple[str, int]:
    """The kind of an attack, and its dice."""
    found = PLAIN.fullmatch(attack["damage"])
    name = attack["name"].casefold()
    return (name if name in WEAPONS else OTHER), int(found[1]) if found else USUAL_DICE


def write_animal(sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """The fields of an animal's sheet; an unchanged attack stays as it is, with its name."""
    known, made = list(sheet.get("natural_attacks", ())), []
    for n in range(1, COUNT + 1):
        kind, dice = draft.chosen.get(f"attack_{n}", NONE), draft.attributes[f"dice_{n}"]
        before = known[n - 1] if n <= len(known) else None
        if before is not None and _read(before) == (kind, dice):
            made.append(before)
        elif kind != NONE:
            named = before["name"] if kind == OTHER and before is not None else WEAPONS[kind]
            made.append({"name": named, "damage": f"{dice}d6"})
    return {**{key: draft.attributes[key] for key in GROWN}, "natural_attacks": [*made, *known[COUNT:]]}
