"""The seating order: the ring of players around the GM, and the order it gives a round."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import joined, say
from combat.rules.core.commands.commands import Command, Field, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import is_anchor

from ..book.options import find_option
from ..book.tables import INITIATIVE_DIFFICULTY
from ..world.acting import gm

Seats = tuple[str, ...]
CLOCKWISE, COUNTER = "clockwise", "counter-clockwise"  # as stored
WAYS = {CLOCKWISE: "way.clockwise", COUNTER: "way.counterclockwise"}


class Seat(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put one player clockwise after another; next to the GM if `after` is empty."""

    target: str
    after: str = ""


class Follow(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An allied opponent acts straight after this player."""

    target: str
    player: str


def find_seats(state: State) -> list[str]:
    """The players clockwise from the GM.  [SS-INIT-04]  RULING R4

    A player without a seat sits at the end. Without any player character, the side that joined first sits at
    the table.
    """
    return list(_seat(state).seats)


class Table(msgspec.Struct, frozen=True):
    """Who sits where: the `seats` clockwise from the GM, those who follow each, and the GM's `side`."""

    seats: Seats
    followers: dict[str, tuple[str, ...]]
    side: tuple[str, ...]

    def walk(self, seats: Seats) -> list[str]:
        """Players in this order, each followed by the allies who act straight after.  RULING R5"""
        return [who for seat in seats for who in (seat, *self.followers[seat])]


def _seat(state: State) -> Table:
    here = _find_seated(state)
    said = str(state.marks.get("seats", "")).split(",")
    names = {combatant.id for combatant in here}
    seats = (*(who for who in said if who in names), *(f.id for f in here if f.id not in said))
    sides = {state.combatants[seat].side: seat for seat in reversed(seats)}  # the first seat of each
    others = [f for f in present(state) if f.id not in seats]
    players = {f.id: _find_player(f, seats, sides) for f in others}
    followers = {seat: tuple(who for who in players if players[who] == seat) for seat in seats}
    return Table(seats, followers, tuple(who for who in players if not players[who]))


def is_seated(state: State, combatant: Combatant) -> bool:
    """Whether a combatant has its own seat at the table."""
    return combatant.id in find_seats(state)


def _find_seated(state: State) -> list[Combatant]:
    everybody = present(state)
    players = [combatant for combatant in everybody if combatant.pc]
    return players or [combatant for combatant in everybody if combatant.side == everybody[0].side]


def find_followers(state: State, player: str) -> list[str]:
    """The allies who act straight after a player.  RULING R5"""
    return list(_seat(state).followers.get(player, ()))


def _find_player(combatant: Combatant, seats: tuple[str, ...], sides: dict[str, str]) -> str:
    """The player whom someone without a seat follows; empty for the GM's side."""
    said = str(combatant.marks.get("with", ""))
    return said if said in seats else sides.get(combatant.side, "")


def find_gm_side(state: State) -> tuple[str, ...]:
    """Everyone who acts in the GM's turn: enemies and neutrals.  [SS-INIT-05]  RULING R5"""
    return _seat(state).side


def find_direction(state: State, round_number: int) -> str:
    """The direction around the table in a round. [SS-INIT-10]  RULING R4"""
    if find_option(state, "direction_flip") == "never" or round_number < 2:
        return CLOCKWISE
    even = round_number % 2 == 0
    head_start = find_option(state, "table_order") == "head_start"
    return COUNTER if even != head_start else CLOCKWISE


def find_way(state: State) -> str:
    """The direction around the table in this round, in words. [SS-INIT-10]"""
    return str(state.marks.get("direction", "")).replace("-", "") if state.round else ""


def find_round_order(state: State, round_number: int) -> tuple[str, ...]:
    """The order of a round; the GM's side together.

    [SS-INIT-04] [SS-INIT-05] [SS-INIT-06] [SS-INIT-07] [SS-INIT-10]  RULING R4
    """
    table = _seat(state)
    before, after = _share(state, table.seats, round_number)
    order = (*table.walk(before), *table.side, *table.walk(after))
    ghosts = (who for who in state.order if state.combatants[who].gone and is_anchor(state, who))
    return (*order, *ghosts)


def find_early(state: State, round_number: int) -> list[str]:
    """The players who act before the GM in a round, and the allies who act straight after them."""
    table = _seat(state)
    return table.walk(_share(state, table.seats, round_number)[0])


def _share(state: State, seats: Seats, round_number: int) -> tuple[Seats, Seats]:
    """The players who act before the GM in a round, and those who act after. [SS-INIT-03]"""
    if not has_rolls(state, round_number):
        return seats if find_direction(state, round_number) == CLOCKWISE else seats[::-1], ()
    if find_direction(state, round_number) == COUNTER:
        seats = seats[::-1]
    scores = {who: state.combatants[who].initiative for who in seats}
    early = tuple(who for who, n in scores.items() if n is not None and n >= INITIATIVE_DIFFICULTY)
    late = tuple(who for who in seats if who not in early)
    begins = round_number <= 1 and find_option(state, "table_order") == "head_start"
    return early, () if begins else late


def has_rolls(state: State, round_number: int) -> bool:
    """Whether the players roll at the start of a round: of the first, or by house rule of each.  RULING R6"""
    return round_number <= 1 or find_option(state, "initiative_each") == "round"


# ---------------------------------------------------------------- rearranging


def move_seat(context: RuleContext, command: Seat) -> None:
    """Give one player another seat. [SS-INIT-04]"""
    seats = find_seats(context.state)
    rest = [who for who in seats if who != command.target]
    if command.target not in seats or (command.after and command.after not in rest):
        raise Refused("bad_target", "Choose two players in the seating order.")
    spot = rest.index(command.after) + 1 if command.after else 0
    if seats.index(command.target) == spot:
        raise Refused("not_allowed", f"{context.state[command.target].name} already has that seat.")
    _emit_seats(context, [*rest[:spot], command.target, *rest[spot:]])


def _emit_seats(context: RuleContext, seats: list[str]) -> None:
    context.emit(e.Marked("", "seats", ",".join(seats)), "SS-INIT-04", e.GM_ONLY)
    listed = joined(say("words.person", who=who) for who in seats)
    key = "log.seats_later" if context.state.phase == "fight" else "log.seats"
    context.emit(e.Said(key, args={"listed": listed}), "SS-INIT-04")


def follow_player(context: RuleContext, command: Follow) -> None:
    """RULING R5: Set the player whom an ally follows."""
    ally = context.state[command.target]
    if command.player not in find_seats(context.state) or is_seated(context.state, ally):
        raise Refused("bad_target", "Choose an ally without a seat, and a player.")
    context.emit(e.Marked(ally.id, "with", command.player), "SS-INIT-05", e.GM_ONLY)


def seat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The player to move, and the new seat."""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    after = (Choice("", "next to the GM"), *(Choice(c.value, f"after {c.label}") for c in seats))
    return (
        Field("target", "Player", "choice", options=seats, value=first_open(seats), rule="SS-INIT-04"),
        Field("after", "Sits", "choice", options=after, value="", rule="SS-INIT-04", required=False),
    )


def follow_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The ally, and the player they act after."""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    allies = tuple(
        Choice(f.id, f.name)
        for f in present(state)
        if not is_seated(state, f) and f.id not in find_gm_side(state)
    )
    current = next(
        (c.value for c in seats if allies and allies[0].value in find_followers(state, c.value)), ""
    )
    return (
        Field("target", "Ally", "choice", options=allies, value=first_open(allies)),
        Field("player", "Acts after", "choice", options=seats, value=current or first_open(seats)),
    )


ACTIONS = (gm("seat", move_seat, fields=seat_fields), gm("follow", follow_player, fields=follow_fields))
