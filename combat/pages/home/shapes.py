"""What comes next for one person: the table to go back to, the next ones, and who is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from combat.audience.changes import find_open_seats
from combat.audience.doors import is_closed
from combat.audience.things import NAME
from combat.display.combatants.tokens import Look
from combat.display.shapes.table_shapes import CombatantView
from combat.models import Seat, ShareLink
from combat.rules.core.basics.words import possessive
from combat.rules.core.declaration.system import System
from combat.rules.core.sides import find_able
from combat.sharing.links import is_here
from combat.sharing.viewer_context import ViewerContext

from ..table.rows import find_people
from .pictures import draw_known, draw_picture

MAX_PEOPLE = 6
ROLES = {ShareLink.WATCH: "spectator", ShareLink.CO_GM: "co-GM", ShareLink.PLAY: "no character yet"}


@dataclass(frozen=True)
class Guest:
    """Someone with a seat at a table: their name and what they play. `is_here` is None if not told."""

    name: str
    note: str
    look: Look | None
    face: str
    is_here: bool | None


@dataclass(frozen=True)
class TableCard:
    """A table that someone can go to: where it stands, and its picture.

    `turn` says whose turn it is; `seated_as` is empty for the GM, else what the viewer is there, and `mine`
    whom they play. `planned` is the day on which the GM means to play it.
    """

    name: str
    game: System
    address: str
    phase: str
    state: str
    detail: str
    seated_as: str
    picture: SafeString
    turn: str = ""
    is_yours: bool = False
    people: tuple[Guest, ...] = ()
    others: int = 0
    planned: date | None = None
    mine: CombatantView | None = None

    @property
    def button(self) -> str:
        """The words of the button that leads there."""
        if self.is_yours:
            return "Take your turn"
        return "Prepare the fight" if self.phase == "prep" and not self.seated_as else "Back to table"


def view_card(context: ViewerContext) -> TableCard:
    """A table in the list of next ones."""
    encounter = context.encounter
    if is_closed(encounter, context.viewer):
        return _view_closed(context)
    page = "prep" if _is_prepared(context) and context.seat is None else "table"
    return TableCard(
        encounter.name,
        context.system,
        reverse(page, args=[encounter.pk]),
        phase=encounter.phase,
        state=_say_state(context),
        detail=_say_detail(context),
        seated_as=_say_role(context.seat),
        picture=draw_known(context),
    )


def _view_closed(context: ViewerContext) -> TableCard:
    """A table that its GM still prepares, for players."""
    encounter = context.encounter
    return TableCard(
        encounter.name,
        context.system,
        reverse("table", args=[encounter.pk]),
        phase=encounter.phase,
        state="Not open yet",
        detail=context.system.name,
        seated_as=_say_role(context.seat),
        picture=mark_safe(""),
        planned=encounter.planned,
    )


def view_large_card(context: ViewerContext) -> TableCard:
    """The table to go back to: with whose turn it is, and who is there as far as the viewer may know."""
    if is_closed(context.encounter, context.viewer):
        return _view_closed(context)
    known = context.known_state
    combatants = find_people(context)
    acting = (known.active, *known.sharing) if known.phase == "fight" else ()
    turns = [combatants[who] for who in acting if who in combatants]
    is_yours = context.viewer.is_seated and any(context.viewer.plays(one.id) for one in turns)
    people = _view_people(context, combatants)
    return replace(
        view_card(context),
        detail=count_sides(context),
        picture=draw_picture(context.system, known, combatants, context.encounter.pk),
        turn="Your turn" if is_yours else _say_turns(turns),
        is_yours=is_yours,
        people=tuple(people[:MAX_PEOPLE]),
        others=len(people[MAX_PEOPLE:]),
        planned=context.encounter.planned if _is_prepared(context) else None,
        mine=_find_mine(context, combatants),
    )


def _find_mine(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> CombatantView | None:
    """Whom someone at a seat plays: the first of them; None for the GM and for spectators."""
    seats = context.viewer.seats if context.viewer.is_seated else ()
    return next((one for who, one in combatants.items() if who in seats), None)


def _say_turns(turns: list[CombatantView]) -> str:
    """Whose turn it is; several may act at the same time."""
    if len(turns) > 1:
        return f"{len(turns)} act together"
    return f"{possessive(turns[0].name)} turn" if turns else ""


def _is_prepared(context: ViewerContext) -> bool:
    return context.encounter.phase == "prep" and not context.encounter.downtime


def _say_state(context: ViewerContext) -> str:
    """Where a table stands, in two words."""
    encounter = context.encounter
    if encounter.phase == "fight":
        return f"Round {context.known_state.round}"
    if encounter.phase == "over":
        return "Ended"
    return "Downtime" if encounter.downtime else "In preparation"


def _say_detail(context: ViewerContext) -> str:
    """The campaign of the GM's own table and who is in it; to others only the game."""
    if not context.may_name(NAME):
        return context.system.name
    count = context.encounter.combatants
    people = f"{count} combatant{'' if count == 1 else 's'}" if count else "nobody yet"
    campaign = context.encounter.campaign
    return f"{campaign.name} · {people}" if campaign else f"{context.system.name} · {people}"


def _say_role(seat: Seat | None) -> str:
    if seat is None:
        return ""
    role = ROLES[seat.kind] if seat.kind != ShareLink.PLAY else ""
    return f"as {seat.name}, {role}" if role else f"as {seat.name}"


def count_sides(context: ViewerContext) -> str:
    """How many of each side can still fight, as far as the viewer knows: "4 against 6"."""
    sides = Counter(one.side for one in find_able(context.system, context.known_state))
    return " against ".join(map(str, sides.values())) if len(sides) > 1 else ""


def _view_people(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> list[Guest]:
    """Those with a seat: all of them for a GM, the players for a player, nobody for a spectator."""
    if context.viewer.is_spectator:
        return []
    seats = find_open_seats().filter(encounter=context.encounter.pk).order_by("created")
    if not context.viewer.is_gm:
        seats = seats.filter(kind=ShareLink.PLAY)
    now = timezone.now()
    people = [_view_guest(seat, context, combatants, now) for seat in seats]
    return sorted(people, key=lambda person: person.is_here is False)


def _view_guest(
    seat: Seat, context: ViewerContext, combatants: Mapping[str, CombatantView], now: datetime
) -> Guest:
    """Who plays one of the GM's combatants, and who is away, is told to the GM alone."""
    is_gm = context.viewer.is_gm
    known = (combatants[who] for who in seat.combatants if who in combatants)
    played = next((one for one in known if one.pc or is_gm), None)
    note = played.name if played else ROLES[seat.kind]
    return Guest(
        seat.name,
        note,
        played.look if played else None,
        face=seat.face,
        is_here=is_here(seat.seen, now) if is_gm else None,
    )
