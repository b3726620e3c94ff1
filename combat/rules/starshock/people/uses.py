"""Limited uses: in a combat, on a day or in a session."""

from __future__ import annotations

from combat.rules.core.declaration.people import DAY, FIGHT, SESSION, Use

from ..book import tables


def find_uses() -> tuple[Use, ...]:
    """Luck, features that work once, and one consumable a day.  RULING R37, RULING R47"""
    once = (feature for feature in tables.features().values() if feature.again or feature.adds)
    return (
        Use("luck", "Luck", SESSION, "SS-ACT-02", track=True),
        Use("dosed", "Consumable", DAY, "SS-OTHER-24"),
        *(Use(f"used {f.id}", f.name, FIGHT if f.each_fight else SESSION, "SS-ATK-03") for f in once),
    )
