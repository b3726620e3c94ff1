"""The faces that players chose, by the version of their encounter: each page shows them, and few change.

Whatever gives or takes a face, or the combatant that shows it, also counts a change: `sharing/links.py`.
"""

from __future__ import annotations

from functools import lru_cache

from combat.models import Encounter, Seat
from combat.play.writing.kept_steps import Version, version_of
from cosmos_site.base.database.rows import Rows

MAX_KEPT = 1000  # versions
FACED = Rows(Seat, only=("id", "combatants", "face"))
SEATS_WITH_FACES = f"""
    SELECT {FACED.name_columns("s")} FROM combat_seat s
    WHERE encounter_id = %s AND ended IS NULL AND face <> '' ORDER BY created
"""  # noqa: S608 - the names of our own columns
Faces = tuple[tuple[tuple[str, ...], str], ...]


def find_chosen_faces(encounter: Encounter) -> Faces:
    """The combatants of each seat with a face, and the face; the oldest seat first."""
    return _find(version_of(encounter))


@lru_cache(MAX_KEPT)
def _find(version: Version) -> Faces:
    found = FACED.find(SEATS_WITH_FACES, version[:1])
    return tuple((tuple(seat.combatants), seat.face) for seat in found)
