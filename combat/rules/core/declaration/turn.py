"""A game's turns: budgets, rounds, and the moments when the core calls the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ..commands.context import RuleContext, Then
from ..state.state import Combatant, State


class Pool(msgspec.Struct, frozen=True):
    """A part of the turn's budget: a number of actions of a kind; `main`: few end a turn with one unspent.

    `find_most` finds the most where house rules change it.
    """

    key: str
    label: str
    most: int
    rule: str = ""
    main: bool = False
    find_most: Callable[[State], int] | None = None

    def count_most(self, state: State) -> int:
        """The most of it in a turn, by the table's house rules."""
        return self.find_most(state) if self.find_most else self.most


class Seating(msgspec.Struct, frozen=True):
    """A seating order, in games whose turns go round the table.

    `find` returns the combatants with a seat, in order. The GM's action `move` seats its `target` after the
    seat `after`, or first. `find_way` is the direction of the current round, "" before the first.
    """

    label: str
    move: str
    find: Callable[[State], list[str]]
    find_way: Callable[[State], str]
    rule: str = ""


class Interlude(msgspec.Struct, frozen=True):
    """Time between two fights: its words, and the GM's action with its fields that lets it pass."""

    key: str
    label: str
    action: str
    fields: dict[str, Any] = {}


class Passing(msgspec.Struct, frozen=True, kw_only=True):
    """What time that passes outside of turns begins and ends (core/turn/turns.py)."""

    # Applies what so many unplayed rounds end and begin, besides durations in turns.
    after_time: Callable[[RuleContext, int], None] | None = None
    # The next moment of the clock, later than now, when something ends or begins that has consequences of
    # its own; None if there is none. Time that passes stops there for `after_time`.
    find_due: Callable[[State], int | None] | None = None
    # The rests between two fights that the forecast of an evening offers, the shortest first.
    interludes: tuple[Interlude, ...] = ()


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A game's turns: the budget of a turn, and what happens at the moments of a fight."""

    # The budget of a turn.
    pools: tuple[Pool, ...]
    # The length of a round in seconds.
    round_seconds: int
    # Adds a combatant, by id, to a running fight.
    enter: Callable[[RuleContext, str], None]
    # Adds what follows from a change of a combatant; the argument is the combatant before the change.
    after_change: Callable[[RuleContext, Combatant], None]
    # Ends what no longer reaches, such as holds, after a command that changed places or doors; the argument
    # is the state before it.
    after_moves: Callable[[RuleContext, State], None] | None = None
    # Applies all effects of one count together, if several combatants act at once (core/turn/turns.py).
    resolve_count: Callable[[RuleContext, tuple[str, ...]], Then | None] | None = None
    # Ends what ends with a fight.
    end_fight: Callable[[RuleContext], None] | None = None
    # Reacts when the GM sets a score in a fight, with the reason: the game decides if the order follows.
    reseat: Callable[[RuleContext, str, str], None] = lambda context, who, why: None
    # Reacts when the GM puts a combatant somewhere in a fight.
    arrive: Callable[[RuleContext, str], None] = lambda context, who: None
    # What time outside of turns begins and ends.
    passing: Passing = Passing()
    # The conditions of combatants who act later in the round.
    keeps_turn: tuple[str, ...] = ()
    # The seating order, in games whose turns go round the table.
    seating: Seating | None = None
