"""Turns by sides for any game: all of one side act at the same time, then all of the next."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..basics.errors import Refused
from ..commands.commands import Next
from ..commands.context import RuleContext, Then
from ..state import events as e
from ..state.state import Combatant, State, present
from .turns import begin_fight, count_down_at, find_ending, find_next, open_round, skip_departed


class SideTurns(msgspec.Struct, frozen=True, kw_only=True):
    """Turns of whole sides: those of one side act in any order, and each ends their own turn, or all at once.

    The methods are procedures: `start` and `next_turn` of the actions with these names, `enter` of the part
    `turn`; `form_of_next(rule)` is the form of `next_turn`.
    """

    # The budget of a turn, by pool.
    budget: dict[str, int]
    # Whether a combatant gets a turn: not one who is out.
    can_act: Callable[[Combatant], bool]
    # The rules of the order and of the turn.
    order_rule: str
    turn_rule: str
    # Rolls for a side, by its first combatant: the highest side first. Without it, in the order of joining.
    roll: Callable[[RuleContext, str], int] | None = None
    # What happens to a combatant as their turn begins, such as bleeding; it may leave them unable to act.
    begins: Callable[[RuleContext, str], None] = lambda context, who: None

    def start(self, context: RuleContext, command: Next) -> Then:
        """Begin the fight: roll for each side, set the order, begin the turns of the first side."""
        if context.state.phase == "fight":
            raise Refused("not_allowed", "The fight is under way.")
        if not present(context.state):
            raise Refused("not_allowed", "No combatants yet: add some first.")
        begin_fight(context)
        return Then(self._roll_next, tuple(dict.fromkeys(one.side for one in present(context.state))))

    def _roll_next(self, context: RuleContext, left: tuple[str, ...]) -> Then | None:
        """Roll for the first of the sides left; then set the order."""
        if left:
            people = [one.id for one in present(context.state) if one.side == left[0]]
            if self.roll is not None:
                self._score(context, people, self.roll(context, people[0]))
            return Then(self._roll_next, left[1:])
        order = find_side_order(context.state)
        context.emit(e.OrderSet(order, "why.order"), self.order_rule)
        open_round(context)
        return Then(self.open_next, 0)

    def _score(self, context: RuleContext, people: list[str], score: int) -> None:
        for who in people:
            context.emit(e.InitiativeSet(who, score), self.order_rule)

    def enter(self, context: RuleContext, who: str) -> None:
        """Add a latecomer to their side, with its score: they act with it, from its next turn on."""
        state = context.state
        own = [one for one in present(state) if one.side == state[who].side and one.id != who]
        ranked = [one for one in own if one.initiative is not None]
        if ranked:
            self._score(context, [who], ranked[0].initiative or 0)
        elif self.roll is not None:
            self._score(context, [who], self.roll(context, who))
        context.emit(e.OrderSet((*context.state.order, who), "why.joins"), self.order_rule)
        if any(one.acted or one.id in (state.active, *state.sharing) for one in own):
            context.emit(e.TurnEnded(who), to=e.GM_ONLY)

    def next_turn(self, context: RuleContext, command: Next) -> Then | None:
        """End the turn of one, or of all who act; then begin the turns of the next side."""
        for who in find_ending(context.state, command, "No fight is running: start one first."):
            context.emit(e.TurnEnded(who))
            count_down_at(context, who, "end")
        return None if context.state.active else Then(self.open_next, 0)

    def open_next(self, context: RuleContext, passed: int) -> Then | None:
        """Begin the turns of the next side that someone can use."""
        state = context.state
        if passed > 2 * len(state.order) + 1:
            context.emit(e.Said("log.nobody_able"))
            return None
        who = find_next(state)
        if who is None:
            open_round(context)
            return Then(self.open_next, passed + 1)
        side = state.combatants[who].side
        together = (state.combatants[other] for other in state.order)
        return Then(
            self._begin, tuple(one.id for one in together if one.side == side and not one.acted), passed
        )

    def _begin(self, context: RuleContext, left: tuple[str, ...], passed: int) -> Then | None:
        """Begin the turns of these, one after another; pass over those who left or cannot act."""
        if not left:
            return None if context.state.active else Then(self.open_next, passed + 1)
        who, combatant = left[0], context.state.combatants[left[0]]
        if combatant.gone or not self.can_act(combatant):
            skip_departed(context, who)
            return Then(self._begin, left[1:], passed + 1)
        kind = e.TurnShared if context.state.active else e.TurnStarted
        context.emit(kind(who, self.budget), self.turn_rule)
        count_down_at(context, who, "start")
        self.begins(context, who)
        if not self.can_act(context.state.combatants[who]):
            context.emit(e.TurnEnded(who))
            count_down_at(context, who, "end")
        return Then(self._begin, left[1:], passed)


def find_side_order(state: State) -> tuple[str, ...]:
    """Those who are there, the side with the highest score first, then in the order of joining."""
    people = present(state)
    sides = list(dict.fromkeys(one.side for one in people))
    rank = {one.side: (-(one.initiative or 0), sides.index(one.side)) for one in reversed(people)}
    return tuple(one.id for one in sorted(people, key=lambda one: rank[one.side]))
