"""Characters in fights: a snapshot joins; what the fight changed may go back to the sheet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal, receiver
from django.utils import timezone

from characters.access import can_edit, is_tracking
from characters.guests import Guest
from characters.models import Character, CharacterChange
from characters.services import character_service
from characters.services.character_service import CHANGE
from characters.story import MAX_EXPERIENCE, MAX_LINE, clean_line
from combat.audience.rights import Grant, check_gm, check_word, find_viewer, grant_of
from combat.models import Encounter, LateJoin, Participation, Seat
from combat.rules import SYSTEMS, find_system
from combat.rules.core.aftermath import Aftermath, Received, make_aftermath
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.book import AT_ONCE, BY_PLAYERS, SHEETS_AFTER
from combat.rules.core.engine.engine import LiveDriver, find_action, run
from combat.rules.core.gm.decisions import MAX_LENGTH
from combat.rules.core.gm.figures import CORRECTED
from combat.rules.core.sheets.changes import Change
from combat.rules.core.state.events import CombatantJoined
from combat.rules.core.state.state import Combatant, State, find_waiting, is_played, present

from ..notes.glossary import ALLIES, ENEMIES, NEUTRAL
from ..notes.words import FOE, OWN, SIDES
from ..writing.encounter_service import (
    Submission,
    SubmissionResult,
    command_closed,
    create_encounter,
    fight_ended,
    read_state,
    settle_players,
    submit,
    submit_all,
)
from ..writing.locking import locked
from .members import join_campaign

PREFIX, NPC_PREFIX = "character:", "npc:"  # before the sheet's number in the mark of its combatant
SHEET = re.compile(rf"({PREFIX}|{NPC_PREFIX})([0-9]{{1,15}})")
Visitor = User | AnonymousUser

MAX_SHOWN = 10
MAX_TOGETHER = 20
JOINS_LATE = "An action is open: they join as soon as it is done."


@dataclass(frozen=True)
class Return:
    """A combatant whose sheet can be updated: its changes, and which of them the reader may write.

    The GM `gives` experience where they may write what a fight usually leaves.
    """

    combatant: Combatant
    character: Character
    aftermath: Aftermath
    rows: tuple[tuple[Change, bool], ...]
    is_own: bool
    gives: bool = False

    @property
    def can_write(self) -> bool:
        """Whether the reader may write any of the changes."""
        return any(may for _, may in self.rows)

    @property
    def usual(self) -> list[Change]:
        """The changes that are selected at first."""
        return [change for change, may in self.rows if may and change.is_usual]


@dataclass(frozen=True)
class Gift:
    """Who can still get experience for a fight, and how many points they got last; 0 if nobody knows."""

    names: tuple[str, ...]
    usual: int


def find_ready(user: Visitor, state: State) -> list[Character]:
    """Someone's characters of this game that are not in the encounter yet."""
    if not isinstance(user, User | Guest) or (isinstance(user, Guest) and not user.sheets):
        return []
    here = {str(f.marks.get("source", "")) for f in (*present(state), *find_waiting(state))}
    mine = character_service.find_mine(user).filter(system=state.system, archived=False)
    return [character for character in mine if f"{PREFIX}{character.pk}" not in here]


def has_characters(user: Visitor, state: State) -> bool:
    """Whether someone has a character of this game, here or not."""
    if not isinstance(user, User | Guest) or (isinstance(user, Guest) and not user.sheets):
        return False
    return character_service.find_mine(user).filter(system=state.system, archived=False).exists()


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


def find_npc_id(combatant: Combatant) -> int | None:
    """The number of the GM's own NPC that a combatant came from."""
    found = SHEET.fullmatch(str(combatant.marks.get("source", "")))
    return int(found[2]) if found and found[1] == NPC_PREFIX else None


def find_sheet_id(combatant: Combatant) -> int | None:
    """The number of the sheet, of a character or an NPC, that a combatant came from."""
    found = SHEET.fullmatch(str(combatant.marks.get("source", "")))
    return int(found[2]) if found else None


def find_kept(encounter: Encounter, combatants: Iterable[Combatant]) -> dict[str, Character]:
    """The number, portrait and usual actions of the sheets that combatants came from, by combatant.

    Only those that the people who run the encounter can open: its owner's, or brought by their owners.
    """
    numbers = {f.id: pk for f in combatants if (pk := find_sheet_id(f))}
    if not numbers:
        return {}
    theirs = Q(owner=encounter.owner_id) | Q(participations__encounter=encounter)
    there = Character.objects.filter(theirs, pk__in=numbers.values(), deleted_at=None)
    known = {sheet.pk: sheet for sheet in there.only("portrait", "face", "owner", "bar")}
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
    """The side of the players: that of the first hero, else the usual one or the first whom people play.

    Before there is one, it is the usual side; without that the first of several that is not the usual one
    of enemies.
    """
    sides = dict.fromkeys(one.side for one in present(state))
    others = [side for side in sides if side not in (*SIDES[FOE], NEUTRAL)] if len(sides) > 1 else []
    usual = next((side for side in sides if side in SIDES[OWN]), next(iter(others), ALLIES))
    people = [one for one in present(state) if is_played(state, one)]
    played = [one.side for one in people if one.pc] or [one.side for one in people] or [usual]
    return usual if usual in played and not any(one.pc for one in people) else played[0]


def list_sides(state: State) -> tuple[str, ...]:
    """The sides to choose from: the enemies of the players first, then their own, then others."""
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
    With these are their own NPCs whose figures were corrected in the fight, for those figures alone.
    Of the others they may write what a fight usually leaves, unless the house rule `sheets_after` has each
    player asked; then, if `gm_keeps_tracks`, only health, ammunition and conditions.
    """
    system = find_system(encounter.system)
    combatants = {find_character_id(f): f for f in present(state)}
    theirs = Q(pk__in=character_service.find_mine(user) if isinstance(user, User | Guest) else ())
    if runs and user.is_authenticated:
        theirs |= Q(participations__encounter=encounter)
    characters = Character.objects.filter(theirs, pk__in=[pk for pk in combatants if pk], deleted_at=None)
    keeps = runs and bool(system.option(state, "gm_keeps_tracks"))
    updates = runs and system.option(state, SHEETS_AFTER) != BY_PLAYERS
    found, there = [], list(characters.select_related("owner").distinct())
    received = find_received(encounter, there)
    for one in there:
        got = received[one.pk]
        aftermath = make_aftermath(
            system, combatants[one.pk], one.sheet, ground=state.ground, state=state, received=got
        )
        is_own = can_edit(user, one)
        rows = tuple(
            (c, is_own or (updates and c.is_usual) or (keeps and _is_tracking(aftermath, c)))
            for c in aftermath.changes
        )
        gives = runs and (is_own or updates) and not one.npc
        found.append(Return(combatants[one.pk], one, aftermath, rows=rows, is_own=is_own, gives=gives))
    if runs and isinstance(user, User):
        found += _find_blocks(encounter, state, user)
    return sorted(found, key=lambda one: not one.is_own)


def _find_blocks(encounter: Encounter, state: State, user: User) -> list[Return]:
    """The GM's own NPCs with the figures that were corrected in the fight: those of the first such copy."""
    system, came = find_system(encounter.system), dict[int, list[Combatant]]()
    for one in state.combatants.values():
        if (pk := find_npc_id(one)) and any(mark.startswith(CORRECTED) for mark in one.marks):
            came.setdefault(pk, []).append(one)
    npcs = list(character_service.find_npcs(user).filter(pk__in=came, system=encounter.system))
    received, found = find_received(encounter, npcs) if npcs else {}, []
    for npc in npcs:
        for one in came[npc.pk]:
            kept = make_aftermath(system, one, npc.sheet, received=received[npc.pk]).figures
            if kept.changes:
                rows = tuple((change, True) for change in kept.changes)
                found.append(Return(one, npc, kept, rows=rows, is_own=True))
                break
    return found


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
    may = {change.token for change, is_allowed in found.rows if is_allowed}
    what, by = f"after {encounter.name}", user.get_username()
    return character_service.change(
        character.pk,
        what,
        by=by,
        version=character.version,
        author=user if found.is_own or not may.issuperset(chosen) else None,
        source=name_source(encounter),
        sheet=sheet,
    )


def find_gift(encounter: Encounter, returns: Iterable[Return]) -> Gift | None:
    """The experience that the GM can still give for a fight; None if nobody can get any."""
    known = CharacterChange.objects.filter(source=_name_gift(encounter), kind=CHANGE, struck=False)
    done = set(known.values_list("character_id", flat=True))
    people = [one.character for one in returns if one.gives and one.character.pk not in done]
    lines = [line for one in people for line in one.story.get("bought", []) if line.get("points", 0) > 0]
    last = max(lines, key=lambda line: str(line.get("on", "")), default={"points": 0})
    return Gift(tuple(one.name for one in people), int(last["points"])) if people else None


def _name_gift(encounter: Encounter) -> str:
    """The name of a fight's experience in the history of sheets."""
    return f"experience:{encounter.pk}"


def give_experience(encounter: Encounter, state: State, user: User, word: str) -> list[Character]:
    """Give points to everyone who was brought to a fight, once: those who have theirs already get no more.

    Refused for what is no number, and if nobody can get any.
    """
    points = read_whole(word)
    if points is None or not 1 <= points <= MAX_EXPERIENCE:
        raise Refused("bad_value", f"Experience must be 1 to {MAX_EXPERIENCE:,}: type digits, such as 3.")
    people = [one.character for one in find_returns(encounter, state, user, runs=True) if one.gives]
    if not people:
        raise Refused("not_allowed", "Nobody here has a sheet that you may write experience on.")
    line = clean_line(encounter.name[:MAX_LINE], str(timezone.localdate()), points)
    source = _name_gift(encounter)
    with transaction.atomic():
        by = user.get_username()
        done = [character_service.earn(one.pk, line, by=by, source=source) for one in people]
    if not any(done):
        text = "They have experience from this fight already: change it on their sheets."
        raise Refused("not_allowed", text)
    return [one for one in done if one]


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


@receiver(fight_ended, dispatch_uid="combat.update_sheets")
def update_at_once(encounter_id: int, **_: Any) -> None:
    """Write what a fight usually leaves to the sheets of all, if the house rule says so, as its fight ends.

    A sheet that refuses it stays as it is: it is then still on the list of those to update.
    """
    with locked(encounter_id) as encounter:
        state = read_state(encounter)
        if find_system(encounter.system).option(state, SHEETS_AFTER) != AT_ONCE:
            return
        for one in find_returns(encounter, state, encounter.owner, runs=True):
            chosen = [change.token for change in one.usual]
            if chosen:
                with suppress(Refused), transaction.atomic():
                    bring_back(encounter, state, encounter.owner, str(one.character.pk), chosen, runs=True)


# Days between fights: an encounter without a fight, in which characters rest and are treated. Rules, dice,
# undo, the log and the way back to the sheets are those of a fight.


def find_parties(owner: User) -> list[tuple[str, list[Character]]]:
    """Someone's active characters, by the name of their game."""
    mine = list(character_service.find_mine(owner).filter(archived=False))
    games = ((find_system(slug).name, [c for c in mine if c.system == slug]) for slug in SYSTEMS)
    return [(name, people) for name, people in games if people]


def find_downtimes(owner: User) -> list[Encounter]:
    """Someone's downtimes under way, newest first."""
    mine = Encounter.objects.filter(owner=owner, downtime=True, archived=False)
    return list(mine.defer("start", "state")[:MAX_SHOWN])


def begin_downtime(owner: User, picked: Iterable[str]) -> Encounter:
    """A new downtime of the chosen characters. Refused unless they are of one game."""
    wanted = {int(word) for word in picked if word.isascii() and word.isdigit() and len(word) < 10}
    people = list(character_service.find_mine(owner).filter(pk__in=wanted, archived=False))
    if not people or len(people) < len(wanted):
        raise Refused("unknown", "Choose one or more of your own characters.")
    if len({character.system for character in people}) > 1:
        raise Refused("not_allowed", "Choose characters of the same game: each game has its own downtime.")
    if len(people) > MAX_TOGETHER:
        raise Refused("not_allowed", f"Choose at most {MAX_TOGETHER} characters.")
    with transaction.atomic():
        made = create_encounter(owner, people[0].system, _name(people), downtime=True)
        by = owner.get_username()
        submit_all(made.pk, [submission_to_join(character, side=ALLIES, by=by) for character in people])
    return made


def _name(people: list[Character]) -> str:
    names = [character.name for character in people]
    several = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"Downtime: {several if len(several) <= 80 else f'{len(names)} characters'}"


# People who come while an action waits for dice or a choice: they join as soon as it is done.


characters_joined = Signal()  # with `encounter_id` and the ids `who` of those that a character came as


def join_or_wait(
    encounter_id: int,
    submissions: Iterable[Submission],
    character: Character | None = None,
    seat: Seat | None = None,
) -> list[Combatant]:
    """Add combatants: all of them, or none if one is refused. Nobody, if they wait for the open command.

    `character` is the sheet they come from, `seat` the one that gets them. They wait only if they could
    join now, as far as can be known.
    """
    with locked(encounter_id) as encounter:
        if not encounter.open_command:
            done = [submit(encounter_id, submission) for submission in submissions]
            return [one for result in done for one in _settle(encounter, result, character, seat)]
        state = read_state(encounter)
        for one in submissions:
            check_word(find_viewer(encounter, one.grant), one.grant, one.name)
            _try(encounter, state, one.fields)
            encounter.late_joins.create(fields=one.fields, by=one.by, character=character, seat=seat)
        return []


def _try(encounter: Encounter, state: State, fields: dict[str, Any]) -> None:
    """Refused for a join that the game would refuse now."""
    system = find_system(encounter.system)
    action = find_action(system, "join")
    run(system, state, action, command=read_command(action, fields), driver=LiveDriver())


def _settle(
    encounter: Encounter, done: SubmissionResult, character: Character | None, seat: Seat | None
) -> list[Combatant]:
    """Note whose sheet the new combatants come from, and give them to the seat; returns them.

    The character then belongs to the campaign of the encounter.
    """
    joined = [fact.event.combatant for fact in done.facts if isinstance(fact.event, CombatantJoined)]
    if character:
        Participation.objects.bulk_create(
            [Participation(encounter=encounter, combatant=one.id, character=character) for one in joined],
            update_conflicts=True,
            unique_fields=["encounter", "combatant"],
            update_fields=["character"],
        )
        join_campaign(encounter)
        characters_joined.send(Encounter, encounter_id=encounter.pk, who={one.id for one in joined})
    if seat and joined:
        seat.refresh_from_db()
        seat.combatants = [*seat.combatants, *(one.id for one in joined)]
        seat.save(update_fields=["combatants"])
        with locked(encounter.pk) as fresh:
            settle_players(fresh)
    return joined


@receiver(command_closed, dispatch_uid="combat.join_late")
def join_late(encounter_id: int, **_: Any) -> None:
    """Let those join who have waited for the open command; whose seat has ended meanwhile stays away."""
    waiting = LateJoin.objects.filter(encounter=encounter_id)
    for late in waiting.select_related("encounter", "character", "seat"):
        late.delete()
        if late.seat and late.seat.ended:
            continue
        wanted = Submission("join", late.fields, by=late.by)
        with suppress(Refused):  # the encounter is full now: others were faster
            _settle(late.encounter, submit(encounter_id, wanted), late.character, late.seat)
