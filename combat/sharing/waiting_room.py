"""The waiting room before a fight: who is there, and who is ready.

It is stored with their seats, so no fight's log knows of it and nothing of it is undone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User
from django.http import QueryDict

from characters.creation import creation_view as ready
from characters.faces import check_face, choose_fitting
from characters.guests import Guest
from characters.models import Character
from characters.services import character_service
from combat.audience.changes import FOR_SEATS, count_change
from combat.audience.rights import find_viewer
from combat.models import Encounter, LateJoin, Participation, Seat
from combat.play.campaigns.roster import Visitor, bring_to_seat, find_side, join_or_wait
from combat.play.writing.encounter_service import Submission, read_state
from combat.play.writing.locking import locked
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import OPEN_BLOCKS, StatBlock
from combat.rules.core.sheets.sheets import Archetype
from combat.rules.core.state.state import State

from .guests import keep_sheets
from .links import find_characters, tell_people
from .viewer_context import ViewerContext

WORDS = {"1": True, "0": False}
# Precede the number of a character, the id of an archetype or of a stat block, in place of a combatant
OWN, READY, BLOCK = "own:", "ready:", "block:"
UNKNOWN = "There is no such ready character: choose one of those shown."
NOT_YOURS = "Choose one of your own characters that is not here yet."
NO_BLOCK = "The GM offers no such stat block: choose one of those shown."


def say_ready(context: ViewerContext, posted: QueryDict) -> None:
    """Note that a player is ready for the fight, or no longer. Refused once the fight has started."""
    seat, ready = _find_seat(context), WORDS.get(posted.get("ready", ""))
    if ready is None:
        raise Refused("bad_value", "Say whether you are ready: reload the page and press the button.")
    with locked(context.encounter.pk) as fresh:
        find_viewer(fresh, context.grant)  # the seat may have ended
        if fresh.phase != "prep":
            raise Refused("not_allowed", "The fight has started: there is nothing to be ready for.")
        if Seat.objects.filter(pk=seat.pk, ready=not ready).update(ready=ready):
            count_change(fresh, FOR_SEATS)
            fresh.save(update_fields=["version", "public", "seated", "changed"])


def change_face(context: ViewerContext, posted: QueryDict) -> None:
    """Give a player another face, or none."""
    seat, face = _find_seat(context), posted.get("face", "")
    check_face(face)
    with locked(context.encounter.pk) as fresh:
        find_viewer(fresh, context.grant)
        before = Seat.objects.get(pk=seat.pk)
        if before.face != face:
            Seat.objects.filter(pk=seat.pk).update(face=face)
            tell_people(fresh, [before, Seat.objects.get(pk=seat.pk)])


def _find_seat(context: ViewerContext) -> Seat:
    if context.seat is None or not context.viewer.is_seated:
        raise Refused("not_allowed", "Only players do that: the GM starts when they like.")
    return context.seat


CHANGES = {"say_ready": say_ready, "change_face": change_face}

# Whom a player who joins brings at once: a character of their own, a ready one, or a stat block.


Bring = Callable[[Seat], object]  # brings someone to a seat that was just taken


@dataclass(frozen=True)
class Offer:
    """A ready character that a link offers, with the name it would get."""

    ready: ready.Ready
    name: str

    @property
    def short(self) -> str:
        """The first part of the name."""
        return self.name.split()[0]

    @property
    def face(self) -> str:
        """The key of their drawn face."""
        return choose_fitting(self.ready.archetype.looks, self.name)


def find_offers(encounter: Encounter, taken: frozenset[str]) -> tuple[Offer, ...]:
    """The ready characters of an encounter's game, under names that nobody there has."""
    system = find_system(encounter.system)
    if system.book.sheets is None:
        return ()
    return tuple(Offer(one, ready.choose_name(one.archetype, taken)) for one in ready.find_ready(system))


def find_own(visitor: Visitor, system: str) -> list[tuple[Character, Participation | None]]:
    """Someone's characters of a game with where, the last played first, then the newest."""
    if not isinstance(visitor, User | Guest):
        return []
    mine = character_service.find_mine(visitor).filter(system=system, archived=False)
    played = Participation.objects.filter(character__in=mine).select_related("encounter")
    played = played.defer("encounter__start", "encounter__state")
    last = {one.character_id: one for one in played.order_by("encounter__created", "pk")}
    days = {one: found.encounter.created.timestamp() for one, found in last.items()}
    found = sorted(mine, key=lambda one: (days.get(one.pk, 0), one.created_at, one.pk), reverse=True)
    return [(one, last.get(one.pk)) for one in found]


def find_blocks(encounter: Encounter, state: State) -> tuple[StatBlock, ...]:
    """The stat blocks that someone who joins may play: none before the GM opens them."""
    system = find_system(encounter.system)
    if not system.option(state, OPEN_BLOCKS):
        return ()
    blocks = system.book.find_blocks().values()
    return tuple(one for one in blocks if not one.option or system.option(state, one.option))


def find_wanted(encounter: Encounter, visitor: Visitor, word: str) -> Bring | None:
    """How the one whom a form asks for comes to a seat; None if the form asks for someone who is there.

    Refused if there is no such one, so that nobody takes a seat for nothing.
    """
    kind, _, key = word.rpartition(":")
    find = {OWN: _find_own, READY: _find_archetype, BLOCK: _find_block}.get(f"{kind}:")
    bring = find(encounter, visitor, key) if find else None
    return partial(_bring_once, bring) if bring else None


def _bring_once(bring: Bring, seat: Seat) -> None:
    """Bring nobody to a seat that plays someone, or soon will: then the form was sent twice, also at once."""
    with locked(seat.encounter_id):
        seat.refresh_from_db()
        if not seat.combatants and not LateJoin.objects.filter(seat=seat).exists():
            bring(seat)


def _find_own(encounter: Encounter, visitor: Visitor, key: str) -> Bring:
    """Their own character as its sheet is now; what the fight changes goes back to it."""
    if key not in {str(one.pk) for one, _ in find_own(visitor, encounter.system)}:
        raise Refused("unknown", NOT_YOURS)
    return lambda seat: bring_to_seat(seat.encounter, seat, visitor, key)


def _find_archetype(encounter: Encounter, visitor: Visitor, key: str) -> Bring:
    """A ready character, made for them; it is theirs to keep."""
    system = find_system(encounter.system)
    found = ready.find_one(system, key) if system.book.sheets else None
    if found is None:
        raise Refused("unknown", UNKNOWN)
    return partial(_play_ready, visitor if isinstance(visitor, User) else None, found)


def _find_block(encounter: Encounter, visitor: Visitor, key: str) -> Bring:
    """A stat block on the players' side, for this fight only."""
    state = read_state(encounter)
    if key not in {one.id for one in find_blocks(encounter, state)}:
        raise Refused("unknown", NO_BLOCK)
    fields = {"block": key, "name": "", "count": 1, "side": find_side(state)}
    return lambda seat: join_or_wait(encounter.pk, [Submission("join", fields, by=seat.name)], None, seat)


def _play_ready(user: User | None, archetype: Archetype, seat: Seat) -> None:
    """Make a ready character and give it to a seat; Refused if there is no room."""
    system = find_system(seat.encounter.system)
    name = ready.choose_name(archetype, _find_names(seat.encounter))
    keeper = user or Guest(seat.name, frozenset(), partial(keep_sheets, seat))
    sheet = ready.make_ready_sheet(system, archetype)
    face = seat.face or choose_fitting(archetype.looks, name)
    made = character_service.create(keeper, system.slug, name, sheet, face=face)
    owner = user or Guest(seat.name, frozenset({made.pk}), partial(keep_sheets, seat))
    bring_to_seat(seat.encounter, seat, owner, str(made.pk))


def _find_names(encounter: Encounter) -> set[str]:
    """The names of the players' characters: those that everyone at the table knows."""
    free, taken = find_characters(encounter, read_state(encounter))
    return {one.name for one in (*free, *taken)}
