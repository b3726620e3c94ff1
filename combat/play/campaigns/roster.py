"""Characters in fights: a snapshot joins; what the fight changed may go back to the sheet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Q

from characters.access import can_edit, is_tracking
from characters.guests import Guest
from characters.models import Character, CharacterChange
from characters.services import character_service
from characters.services.character_service import CHANGE
from combat.audience.rights import Grant, check_gm, find_viewer, grant_of
from combat.models import Encounter, Seat
from combat.rules import find_system
from combat.rules.core.aftermath import Aftermath, Change, Received, make_aftermath
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_LENGTH
from combat.rules.core.state.state import Combatant, State, find_waiting, present

from ..notes.glossary import ALLIES, ENEMIES, FOE_WORDS, NEUTRAL, OWN_WORDS
from ..writing.encounter_service import Submission, read_state
from ..writing.locking import locked
from .late_joins import join_or_wait

PREFIX, NPC_PREFIX = "character:", "npc:"  # before the sheet's number in the mark of its combatant
SHEET = re.compile(rf"({PREFIX}|{NPC_PREFIX})([0-9]{{1,15}})")
Visitor = User | AnonymousUser


@dataclass(frozen=True)
class Return:
    """A combatant whose sheet can be updated: its changes, and which of them the reader may write."""

    combatant: Combatant
    character: Character
    aftermath: Aftermath
    rows: tuple[tuple[Change, bool], ...]
    is_own: bool

    @property
    def can_write(self) -> bool:
        """Whether the reader may write any of the changes."""
        return any(may for _, may in self.rows)

    @property
    def usual(self) -> list[Change]:
        """The changes that are selected at first."""
        return [change for change, may in self.rows if may and change.is_usual]


def find_ready(user: Visitor, state: State) -> list[Character]:
    """Someone's characters of this game that are not in the encounter yet."""
    if not isinstance(user, User | Guest) or (isinstance(user, Guest) and not user.sheets):
        return []
    here = {str(f.marks.get("source", "")) for f in (*present(state), *find_waiting(state))}
    mine = character_service.find_mine(user).filter(system=state.system, archived=False)
    return [character for character in mine if f"{PREFIX}{character.pk}" not in here]


def bring(
    encounter: Encounter,
    user: Visitor,
    character_id: str,
    *,
    side: str,
    zone: str,
    by: str,
    grant: Grant | None = None,
) -> list[Combatant]:
    """Add the GM's own character, anywhere: nobody, if it waits for the open command.

    Refused if it is not theirs or is already here.
    """
    with locked(encounter.pk) as fresh:
        check_gm(find_viewer(fresh, grant))
        return _join(fresh, user, character_id, side=side, zone=zone, by=by)


def _join(
    encounter: Encounter,
    user: Visitor,
    character_id: str,
    *,
    side: str,
    zone: str = "",
    by: str,
    seat: Seat | None = None,
) -> list[Combatant]:
    """Add someone's own character as its sheet is now; in a lock, so that it joins only once."""
    state = read_state(encounter)
    ready = {str(character.pk): character for character in find_ready(user, state)}
    character = ready.get(character_id)
    if character is None:
        raise Refused("unknown", "Choose one of your own characters that is not here yet.")
    if encounter.late_joins.filter(character=character).exists():
        raise Refused("stale", f"{character.name} joins as soon as the open action is done.")
    wanted = submission_to_join(character, side=side or find_side(state), zone=zone, by=by)
    return join_or_wait(encounter.pk, [wanted], character, seat)


def find_character_id(combatant: Combatant) -> int | None:
    """The number of the character that a combatant came from."""
    found = SHEET.fullmatch(str(combatant.marks.get("source", "")))
    return int(found[2]) if found and found[1] == PREFIX else None


def find_sheet_id(combatant: Combatant) -> int | None:
    """The number of the sheet, of a character or an NPC, that a combatant came from."""
    found = SHEET.fullmatch(str(combatant.marks.get("source", "")))
    return int(found[2]) if found else None


def find_kept(encounter: Encounter, combatants: Iterable[Combatant]) -> dict[str, Character]:
    """The number and portrait of the sheets that combatants came from, by combatant.

    Only those that the people who run the encounter can open: its owner's, or brought by their owners.
    """
    numbers = {f.id: pk for f in combatants if (pk := find_sheet_id(f))}
    if not numbers:
        return {}
    theirs = Q(owner=encounter.owner_id) | Q(participations__encounter=encounter)
    there = Character.objects.filter(theirs, pk__in=numbers.values(), deleted_at=None)
    known = {sheet.pk: sheet for sheet in there.only("portrait", "face", "owner")}
    return {who: known[pk] for who, pk in numbers.items() if pk in known}


def submission_to_join(character: Character, *, side: str, by: str, zone: str = "") -> Submission:
    """The submission that adds a character as its sheet is now."""
    fields = {
        "sheet": character.sheet,
        "name": character.name,
        "side": side,
        "zone": zone,
        "pc": True,
        "source": f"{PREFIX}{character.pk}",
    }
    return Submission("join", fields, by=by)


def find_side(state: State) -> str:
    """The side of the player characters: that of the first.

    Before there is one, it is their usual side; without that the first of several that is not the usual one
    of enemies.
    """
    sides = dict.fromkeys(one.side for one in present(state))
    others = [side for side in sides if side not in (*FOE_WORDS, NEUTRAL)] if len(sides) > 1 else []
    usual = next((side for side in sides if side in OWN_WORDS), next(iter(others), ALLIES))
    return next((combatant.side for combatant in present(state) if combatant.pc), usual)


def list_sides(state: State) -> tuple[str, ...]:
    """The sides to choose from: the enemies of the player characters first, then their own, then others."""
    own, there = find_side(state), [one.side for one in present(state)]
    enemies = [side for side in there if side not in (own, NEUTRAL)] or [ENEMIES]
    return tuple(dict.fromkeys((*enemies, own, *there)))


def read_side(said: Mapping[str, str]) -> str:
    """The side that a form names: a new one, or one of those to choose from."""
    return " ".join((said.get("new_side") or said.get("side") or "").split())[:MAX_LENGTH]


def bring_to_seat(encounter: Encounter, seat: Seat, user: Visitor, character_id: str) -> list[Combatant]:
    """Add a player's own character and give it to their seat. Refused if the seat has ended.

    Nobody is added yet if it waits for the open command.
    """
    with locked(encounter.pk) as fresh:  # the GM may end the seat meanwhile
        find_viewer(fresh, grant_of(fresh, seat))
        return _join(fresh, user, character_id, side="", by=seat.name, seat=seat)


def find_returns(encounter: Encounter, state: State, user: Visitor, runs: bool = False) -> list[Return]:
    """The combatants whose sheets someone may read, with the changes from the fight.

    These are their own; those who run the table (`runs`) read the sheets of everyone who was brought there.
    """
    system = find_system(encounter.system)
    combatants = {find_character_id(f): f for f in present(state)}
    theirs = Q(pk__in=character_service.find_mine(user) if isinstance(user, User | Guest) else ())
    if runs and user.is_authenticated:
        theirs |= Q(participations__encounter=encounter)
    characters = Character.objects.filter(theirs, pk__in=[pk for pk in combatants if pk], deleted_at=None)
    keeps = runs and bool(system.option(state, "gm_keeps_tracks"))
    found, there = [], list(characters.select_related("owner").distinct())
    received = find_received(encounter, there)
    for one in there:
        got = received[one.pk]
        aftermath = make_aftermath(
            system, combatants[one.pk], one.sheet, ground=state.ground, state=state, received=got
        )
        is_own = can_edit(user, one)
        rows = tuple((c, is_own or (keeps and _is_tracking(aftermath, c))) for c in aftermath.changes)
        found.append(Return(combatants[one.pk], one, aftermath, rows=rows, is_own=is_own))
    return sorted(found, key=lambda one: not one.is_own)


def find_lost(state: State, mine: Collection[str] | None) -> list[tuple[str, Character | None]]:
    """The combatants whose sheets were deleted since they joined, by name; a sheet that can be restored.

    `mine` are those whom someone plays; None for those who run the table.
    """
    came = {pk: one for one in present(state) if (pk := find_character_id(one))}
    sheets = Character.objects.in_bulk(came)
    lost = [pk for pk in came if pk not in sheets or sheets[pk].deleted_at]
    return [(came[pk].name, sheets.get(pk)) for pk in lost if mine is None or came[pk].id in mine]


def find_received(encounter: Encounter, characters: Iterable[Character]) -> dict[int, Received]:
    """What sheets got from a fight already, by their history; what was undone there is not in it."""
    plan, origin = find_system(encounter.system).book.sheets, f"e{encounter.pk}"
    money = plan.money if plan else None
    found = {one.pk: Received(origin) for one in characters}
    steps = CharacterChange.objects.filter(source=name_source(encounter), kind=CHANGE, struck=False)
    for step in steps.filter(character__in=found).order_by("number"):
        before, after = step.before["sheet"], step.after["sheet"]
        had, has = ({thing["id"] for thing in sheet["items"]} for sheet in (before, after))
        gained = after.get(money.key, 0) - before.get(money.key, 0) if money else 0
        old = found[step.character_id]
        items, lost = (old.items - (had - has)) | (has - had), (old.lost - has) | (had - has)
        found[step.character_id] = Received(origin, items, old.money + gained, lost=lost, sheet=after)
    return found


def name_source(encounter: Encounter) -> str:
    """The name of a fight in the history of sheets."""
    return f"encounter:{encounter.pk}"


def _is_tracking(aftermath: Aftermath, change: Change) -> bool:
    return is_tracking(aftermath.today, aftermath.write([change.token]))


def bring_back(
    encounter: Encounter,
    state: State,
    user: Visitor,
    character_id: str,
    chosen: Sequence[str],
    runs: bool = False,
) -> Character:
    """Write the chosen changes to the sheet: one entry in its history, which can be undone."""
    found = {str(one.character.pk): one for one in find_returns(encounter, state, user, runs)}.get(
        character_id
    )
    if found is None:
        raise Refused("unknown", "That character is not yours, or not in this encounter.")
    if not chosen:
        raise Refused("bad_value", "Nothing is selected: select changes first.")
    if not {change.token for change in found.aftermath.changes}.issuperset(chosen):
        raise Refused("stale", "The fight or the sheet changed: check, then try again.")
    character, sheet = found.character, found.aftermath.write(chosen)
    what, by = f"after {encounter.name}", user.get_username()
    return character_service.change(
        character.pk,
        what,
        by=by,
        version=character.version,
        author=user,
        source=name_source(encounter),
        sheet=sheet,
    )


def bring_all_back(
    encounter: Encounter,
    state: State,
    user: Visitor,
    chosen: Mapping[str, Sequence[str]],
    runs: bool = False,
) -> list[Character]:
    """Write changes to the sheets of characters, by their ids: all of it or, if one is refused, nothing."""
    if not chosen:
        raise Refused("bad_value", "No sheet is selected: select one first.")
    with transaction.atomic():
        return [
            bring_back(encounter, state, user, character_id=who, chosen=changes, runs=runs)
            for who, changes in sorted(chosen.items())  # each request locks them in one order
        ]
