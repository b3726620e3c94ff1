"""What every page of a table asks the database: an encounter, and a visitor's seat; what it notes there.

Each is fixed SQL, since to write it from a queryset takes longer than to run it. It runs at every request, so
a deleted table, an ended seat or a revoked link is seen at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import BigIntegerField

from combat.models import Encounter, OpenCommand, Seat, ShareLink
from cosmos_site.base.database.queries import change, fetch, now_stored
from cosmos_site.base.database.rows import Rows

ENCOUNTERS = Rows(Encounter, "start")  # the starting scene may be large
COMMANDS, SEATS = Rows(OpenCommand), Rows(Seat)
WHOLE_ENCOUNTERS = Rows(Encounter)
OPEN_COMMAND = f"SELECT {COMMANDS.name_columns('o')} FROM combat_opencommand o WHERE id = %s"  # noqa: S608 - our own columns
# Those that were not given up and whose links have neither expired nor been revoked: as `find_open_seats`
OPEN = """
    FROM combat_seat s LEFT JOIN combat_sharelink l ON l.id = s.link_id
    WHERE s.ended IS NULL
    AND (l.id IS NULL OR (l.revoked IS NULL AND (l.expires IS NULL OR l.expires > %s)))
"""
OPEN_SEATS = f"SELECT {SEATS.name_columns('s')} {OPEN}"
OF_TABLE = f"{OPEN_SEATS} AND s.encounter_id = %s"
IS_HELD = "AND (s.digest = %s OR s.user_id = %s) ORDER BY s.created DESC LIMIT 1"
HELD = f"{OF_TABLE} {IS_HELD}"
WITH_FACE = "encounter_id = %s AND ended IS NULL AND face <> ''"
# With the number of the open command, whether a player chose a face, and the seat that a visitor holds there
ENCOUNTER = f"""
    SELECT {ENCOUNTERS.name_columns("e")}, o.id,
    EXISTS (SELECT 1 FROM combat_seat WHERE {WITH_FACE.replace("%s", "e.id")}), {SEATS.name_columns("held")}
    FROM combat_encounter e LEFT JOIN combat_opencommand o ON o.encounter_id = e.id
    LEFT JOIN combat_seat held ON held.id = (SELECT s.id {OPEN} AND s.encounter_id = e.id {IS_HELD})
    WHERE e.id = %s
"""  # noqa: S608 - the names of our own columns
# With the columns of the open command
WHOLE = f"""
    SELECT {WHOLE_ENCOUNTERS.name_columns("e")}, {COMMANDS.name_columns("o")}
    FROM combat_encounter e LEFT JOIN combat_opencommand o ON o.encounter_id = e.id
    WHERE e.id = %s
"""  # noqa: S608 - the names of our own columns
NUMBERED = f"{OF_TABLE} AND s.id = %s"
LARGEST = BigIntegerField.MAX_BIGINT  # what a number of an address may be: beyond it databases refuse
OF_PLAYERS = f"s.kind = '{ShareLink.PLAY}'"
PLAYERS = f"{OF_TABLE} AND {OF_PLAYERS} ORDER BY s.created"
PLAYED = f"{OPEN_SEATS} AND {OF_PLAYERS} AND s.digest IN ({{}}) ORDER BY s.created DESC"  # a place for each
SHEETS = "SELECT character_id FROM combat_guestsheet WHERE seat_id IN ({})"
SEEN = "UPDATE combat_seat SET seen = %s WHERE id = %s"
OWNER = "SELECT u.username FROM combat_encounter e JOIN auth_user u ON u.id = e.owner_id WHERE e.id = %s"


def find_encounter(pk: int, digest: str | None, user: int | None) -> tuple[Encounter, Seat | None] | None:
    """The encounter with its open command, without its starting scene; None if there is none.

    It says whether a player has a face.
    With it comes the newest open seat there that is held by a secret with this digest, or by an account.
    """
    rows = ENCOUNTERS.read(ENCOUNTER, [now_stored(), digest, user, min(pk, LARGEST)])
    if not rows:
        return None
    found, (waiting, has_faces, *held) = rows[0]
    found.has_faces = bool(has_faces)
    # The same as `select_related` leaves behind: None without an open command
    found._state.fields_cache["open_command"] = _find_command(waiting) if waiting else None
    return found, SEATS.make(held)


def find_whole(pk: int) -> Encounter | None:
    """The encounter with its open command and its starting scene; None if there is none."""
    rows = WHOLE_ENCOUNTERS.read(WHOLE, [min(pk, LARGEST)])
    if not rows:
        return None
    found, waiting = rows[0]
    found._state.fields_cache["open_command"] = COMMANDS.make(waiting)
    return found


def _find_command(pk: int) -> OpenCommand | None:
    return next(iter(COMMANDS.find(OPEN_COMMAND, [pk])), None)


def find_held_seat(encounter: int, digest: str | None, user: int | None) -> Seat | None:
    """The newest open seat that is held by a secret with this digest, or by an account."""
    return next(iter(SEATS.find(HELD, [now_stored(), encounter, digest, user])), None)


def find_open_seat(encounter: int, pk: int) -> Seat | None:
    """The open seat of this number."""
    return next(iter(SEATS.find(NUMBERED, [now_stored(), encounter, pk])), None)


def note_seen(seat: int) -> None:
    """Note that someone is at a seat now."""
    change(SEEN, [now_stored(), seat])


def find_players(encounter: int) -> list[Seat]:
    """The open seats of players, the oldest first."""
    return SEATS.find(PLAYERS, [now_stored(), encounter])


def find_played_seats(digests: Sequence[str]) -> list[Seat]:
    """The open seats of players, at any table, held by secrets with these digests: the newest first."""
    return SEATS.find(PLAYED.format(_list_places(digests)), [now_stored(), *digests])


def find_guest_sheets(seats: Sequence[int]) -> frozenset[int]:
    """The numbers of the characters that guests keep with these seats."""
    return frozenset(number for (number,) in fetch(SHEETS.format(_list_places(seats)), seats))


def find_owner_name(encounter: int) -> str:
    """The name of the person who owns an encounter; empty without one."""
    return next((str(name) for (name,) in fetch(OWNER, [encounter])), "")


def _list_places(values: Sequence[Any]) -> str:
    return ", ".join("%s" for _ in values)
