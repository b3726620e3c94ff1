"""Who is at a table and who still needs a character, for the page that lets people in."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256

from combat.audience.viewer import Viewer
from combat.display.combatants.tokens import Look
from combat.models import Encounter, Seat, ShareLink
from combat.play.campaigns.roster import find_kept
from combat.rules import find_system
from combat.rules.core.state.state import State, present
from combat.sharing.links import is_here
from combat.sharing.waiting_room import find_blocks

from ..table.rows import add_faces, view_combatants

NEW = timedelta(minutes=2)  # since they joined
LONG = timedelta(hours=1)
MAX_OTHERS = 8  # combatants without a player, offered where no character is free
MAX_GIVING = 4  # people who are offered characters on the spot; the others by the list below


@dataclass(frozen=True)
class Played:
    """A combatant as a name and a token."""

    id: str
    name: str
    look: Look


@dataclass(frozen=True)
class Person:
    """Someone at the table. `away` says how long they have been gone; empty if they are here.

    `is_asked`: a question waits for them.
    """

    seat: int
    name: str
    kind: str
    is_guest: bool
    is_new: bool
    away: str
    plays: tuple[Played, ...]
    is_given: bool = False  # offered the free characters on the spot
    is_asked: bool = False

    @property
    def waits(self) -> bool:
        """Whether they still need a character."""
        return self.kind == ShareLink.PLAY and not self.plays

    @property
    def may_remind(self) -> bool:
        """Whether their pages can be called: one is open, and the table waits for them."""
        return not self.away and (self.waits or self.is_asked)


@dataclass(frozen=True)
class Gathering:
    """Everyone who has joined, those who wait for a character first, and the characters still free.

    `others` are combatants without a player, who can be handed over where no character is free. `blocks` is
    how many stat blocks the GM opened to those who join.
    """

    people: tuple[Person, ...]
    free: tuple[Played, ...]
    others: tuple[Played, ...] = ()
    blocks: int = 0

    @property
    def offered(self) -> tuple[Played, ...]:
        """Whom the GM can give to a player with one tap."""
        return self.free or self.others

    @property
    def further(self) -> tuple[Played, ...]:
        """Whom someone who plays can play as well, such as the hero of who is away."""
        return (*self.free, *self.others)[:MAX_OTHERS]

    @property
    def players(self) -> int:
        """The number of players."""
        return sum(person.kind == ShareLink.PLAY for person in self.people)

    @property
    def with_character(self) -> int:
        """The number of players with a character."""
        return sum(person.kind == ShareLink.PLAY and not person.waits for person in self.people)

    @property
    def newest(self) -> str:
        """Who joined just now; empty if nobody did."""
        return ", ".join(person.name for person in self.people if person.is_new)


def view_gathering(
    encounter: Encounter,
    known: State,
    viewer: Viewer,
    seats: Iterable[Seat],
    held: Set[str],
    now: datetime,
    asked: Set[str] = frozenset(),
) -> Gathering:
    """The people at these seats, with the combatants that the viewer knows of; nobody is free who is held.

    `asked` are the combatants whom a question waits for, as far as the viewer may know.
    """
    system, kept = find_system(encounter.system), find_kept(encounter, present(known))
    combatants = add_faces(encounter, system, known, rows=view_combatants(system, known, viewer), kept=kept)
    drawn = {who: Played(who, f.full_name, f.look) for who, f in combatants.items()}
    people = sorted((_view_person(seat, drawn, now, asked) for seat in seats), key=_rank)
    given = {person.seat for person in people[:MAX_GIVING] if person.waits}
    people = [replace(person, is_given=person.seat in given) for person in people]
    loose = [one for who, one in combatants.items() if not one.hidden and who not in held]
    free = [drawn[one.id] for one in loose if one.pc]
    others = [drawn[one.id] for one in loose if not one.pc][:MAX_OTHERS]
    return Gathering(tuple(people), tuple(free), tuple(others), len(find_blocks(encounter, known)))


def _view_person(seat: Seat, drawn: dict[str, Played], now: datetime, asked: Set[str]) -> Person:
    plays = tuple(drawn[who] for who in seat.combatants if who in drawn)
    is_new = now - seat.created < NEW
    return Person(
        seat.pk,
        seat.name,
        seat.kind,
        is_guest=seat.user_id is None,
        is_new=is_new,
        away=_say_away(seat, now),
        plays=plays,
        is_asked=not asked.isdisjoint(seat.combatants),
    )


def _say_away(seat: Seat, now: datetime) -> str:
    """How long someone has been gone, in words; empty if they are here."""
    if is_here(seat.seen, now):
        return ""
    gone = now - seat.seen
    return f"away {gone // timedelta(minutes=1)} min" if gone < LONG else "away"


def _rank(person: Person) -> tuple[bool, bool]:
    return not person.waits, person.kind == ShareLink.WATCH


def make_tag(*shown: object) -> str:
    """A short digest of what a live part shows: the page sends it, and gets nothing while it is the same."""
    return sha256(repr(shown).encode()).hexdigest()[:16]
