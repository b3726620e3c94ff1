"""The right by which someone acts: checked again inside the lock, against the state the act changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied

from combat.audience.viewer import GM, Viewer
from combat.models import Encounter, Seat, ShareLink
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.state.state import State

from .changes import find_open_seat
from .map_fog import aim_at_known, find_known_map, find_unknown, names_zone
from .secrecy import find_free, forget_unknown

WORD_ACTION = "give_word"
NOT_YOURS = "You don't control that combatant."
PAUSE = "The GM has paused the fight: wait until it goes on."
ENDED = "That seat has been given up: ask the GM for a new link."
MAX_LENGTH = 130  # of a name, so that sentences with it also fit
OPEN_CODES = frozenset({"stale", "busy", "bad_dice", "bad_value"})  # reveal nothing of the fight


@dataclass(frozen=True)
class Grant:
    """Who acts: the owner of a table by their number, or a seat as it was held at the request.

    It is a claim, checked where something is done.
    """

    owner: int = 0
    seat: int = 0
    digest: str = ""
    user: int | None = None


def grant_of(encounter: Encounter, seat: Seat | None) -> Grant:
    """The claim of a visitor at an encounter; without a seat, the owner's."""
    if seat is None:
        return Grant(owner=encounter.owner_id)
    return Grant(seat=seat.pk, digest=seat.digest, user=seat.user_id)


def viewer_of(seat: Seat) -> Viewer:
    """The viewer at a seat."""
    if seat.kind == ShareLink.CO_GM:
        return GM
    if seat.kind == ShareLink.PLAY:
        return Viewer("seat", frozenset(seat.combatants))
    return Viewer()


def find_viewer(encounter: Encounter, grant: Grant | None) -> Viewer:
    """What someone may see and do now; without a grant the app itself acts, as the GM would.

    Refused("stale") if their seat has ended, or moved to another browser.
    """
    if grant is None or (grant.owner and grant.owner == encounter.owner_id):
        return GM
    seat = find_open_seat(encounter.pk, grant.seat)
    if seat is None or not _holds(grant, seat):
        raise Refused("stale", ENDED)
    return viewer_of(seat)


def _holds(grant: Grant, seat: Seat) -> bool:
    """Whether the seat still belongs to that browser or that account."""
    return seat.digest == grant.digest or (grant.user is not None and seat.user_id == grant.user)


def author_label(name: str, viewer: Viewer, grant: Grant | None) -> str:
    """The name of an author as the log shows it, with a mark for those who run the table."""
    return f"{name[:MAX_LENGTH]} (GM)" if grant and viewer.is_gm else name[:MAX_LENGTH]


def check_gm(viewer: Viewer) -> None:
    """Raise PermissionDenied for all but those who run the table."""
    if not viewer.is_gm:
        raise PermissionDenied("Only the GM can do that.")


def check_takes_part(viewer: Viewer) -> None:
    """Raise PermissionDenied for spectators."""
    if viewer.is_spectator:
        raise PermissionDenied("Spectators can't act.")


def check_right(
    viewer: Viewer, system: System, state: State, action: Action, fields: Mapping[str, Any]
) -> None:
    """Raise unless the viewer may give a command: players act for their own and end their own turns.

    `fields` are those of the command, as a form or a record has them. Raises PermissionDenied or Refused.
    """
    check_takes_part(viewer)
    if viewer.is_gm or (action.who != "gm" and fields.get("actor") in viewer.seats):
        return
    if action.name == system.actions.advance and _find_ending(state, fields) <= viewer.seats:
        return
    if action.who == "gm":
        raise PermissionDenied("Only the GM can do that.")
    raise Refused("not_allowed", NOT_YOURS)


def check_pause(viewer: Viewer, state: State) -> None:
    """Refuse what anyone but the GM does while the fight is paused."""
    if state.is_paused and not viewer.is_gm:
        raise Refused("not_allowed", PAUSE)


def check_word(viewer: Viewer, grant: Grant | None, name: str) -> None:
    """Refuse a word for the dice from the GM, who knows the secret and could try words until one suits."""
    if grant and viewer.is_gm and name == WORD_ACTION:
        raise Refused("not_allowed", "Only a player gives a word for the dice: from their own seat.")


def _find_ending(state: State, fields: Mapping[str, Any]) -> set[str]:
    """The combatants whose turns an end of turn would end."""
    if fields.get("whole"):
        return {state.active, *state.sharing}
    return {str(fields.get("target") or state.active)}


def limit_to_known(
    viewer: Viewer,
    system: System,
    state: State,
    action: Action,
    fields: dict[str, Any],
    find_known: Callable[[], State],
) -> dict[str, Any]:
    """The fields of a command, limited to what its author knows; raises if they may not give it.

    Raises what `check_right` raises. While someone is hidden, the command is tried first on what its author's
    pages show: what the rules refuse there is refused in their words, since neither a success nor a vaguer
    refusal may tell of the hidden. In fog a zone is the part of it that its author has seen, for what they do
    as for what they read.
    """
    check_right(viewer, system, state, action=action, fields=fields)
    fields = forget_unknown(fields, find_free(action), state, viewer)
    is_in_part = names_zone(fields) and find_known_map(state, viewer) is not None
    if not is_in_part and not find_unknown(state, viewer):
        return fields
    known = find_known()
    run(system, known, action, command=read_command(action, fields, known), driver=TryDriver())
    return aim_at_known(fields, known) if is_in_part else fields


@contextmanager
def hide_secret_refusals(viewer: Viewer, state: State) -> Iterator[None]:
    """Hide a refusal whose reason its reader may not know."""
    try:
        yield
    except Refused as refused:
        if refused.code in OPEN_CODES or not find_unknown(state, viewer):
            raise
        raise Refused("not_allowed", "That isn't possible now: ask the GM.") from None
