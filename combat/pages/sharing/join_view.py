"""What the page of a player's link offers: the characters that are free, and those that are taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from django.urls import reverse

from characters.creation.ready import say_strengths
from characters.models import Character
from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.display.combatants.namesakes import name_fully
from combat.display.combatants.tokens import Look, assign_faces, find_all_combatants, find_look
from combat.models import Encounter
from combat.play.campaigns.roster import find_kept
from combat.play.writing.encounter_service import read_state
from combat.rules import find_system
from combat.rules.core.state.state import Combatant, State, present
from combat.sharing.links import find_characters

from ..table.rows import find_given

SHOWN_FIRST, TAKEN_NAMED = 5, 3


@dataclass(frozen=True)
class Pick:
    """A free character: its token, and one line about it."""

    id: str
    name: str
    short: str
    line: str
    look: Look


@dataclass(frozen=True)
class Picks:
    """The free characters, the first that are `taken`, how many `others` are, and the `names` of all."""

    free: tuple[Pick, ...]
    taken: tuple[str, ...]
    others: int = 0
    names: frozenset[str] = frozenset()

    @property
    def first(self) -> tuple[Pick, ...]:
        """Those in sight at once; a single one more is not worth a fold."""
        return self.free[: SHOWN_FIRST + 1] if len(self.free) == SHOWN_FIRST + 1 else self.free[:SHOWN_FIRST]

    @property
    def rest(self) -> tuple[Pick, ...]:
        """Those in the fold."""
        return self.free[len(self.first) :]


def view_picks(encounter: Encounter, token: str) -> Picks:
    """The player characters of an encounter as someone with a player's link may know them."""
    state = read_state(encounter)
    free, taken = find_characters(encounter, state)
    known = _reduce(state, [*free, *taken])
    kept, faces = find_kept(encounter, free), _find_faces(encounter, state)
    picks = tuple(
        _view_pick(encounter, known, one, sheet=kept.get(one.id), token=token, faces=faces) for one in free
    )
    names = tuple(name_fully(known, one) for one in taken)
    known_names = frozenset(one.name for one in (*free, *taken))
    return Picks(picks, names[:TAKEN_NAMED], len(names[TAKEN_NAMED:]), known_names)


def _reduce(state: State, known: list[Combatant]) -> State:
    """The state with these combatants alone: a namesake that is hidden must not show in a name."""
    return msgspec.structs.replace(state, combatants={one.id: one for one in known})


def _find_faces(encounter: Encounter, state: State) -> dict[str, str]:
    """The faces of all whom a spectator knows: those that the table shows."""
    system, public = find_system(encounter.system), redact(state, Viewer())
    given = find_given(encounter, system, public, find_kept(encounter, present(public)))
    return assign_faces(system, public, given)


def _view_pick(
    encounter: Encounter,
    known: State,
    one: Combatant,
    sheet: Character | None,
    token: str,
    faces: Mapping[str, str],
) -> Pick:
    system = find_system(encounter.system)
    number, face = find_all_combatants(system, known).numbers.get(one.id, ""), faces.get(one.id, "")
    look = find_look(system, one, "is-ally", active=False, down=False, number=number)
    if face and look.face:
        look = msgspec.structs.replace(look, face=face)
    if sheet and sheet.portrait:
        look = msgspec.structs.replace(look, portrait=reverse("join_portrait", args=[token, sheet.portrait]))
    name = name_fully(known, one)
    return Pick(one.id, name, name.split()[0], line=say_strengths(system, one), look=look)
