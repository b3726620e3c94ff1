"""Simple turns for any game: each combatant acts alone, in the order of a score rolled at the start."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext, Then
from ..state import events as e
from ..state.state import Combatant, State, present
from .turns import begin_fight, count_down_at, find_next, open_round, remove_conditions, skip_departed


class SimpleTurns(msgspec.Struct, frozen=True, kw_only=True):
    """Turns of a game without surprises: the highest score first, the tied in the order of joining.

    The methods are procedures: `start` and `next_turn` of the actions with these names, `enter` of the
    part `turn`.
    """

    # The budget of a turn, by pool.
    budget: dict[str, int]
    # Rolls the score of a combatant and emits `InitiativeSet`.
    roll: Callable[[RuleContext, str], None]
    # Whether a combatant gets a turn: not one who is out.
    can_act: Callable[[Combatant], bool]
    # The rules of the order and of the turn.
    order_rule: str
    turn_rule: str
    # The condition of those who act later in the round, where the game has one: it ends with `why.acts_now`.
    waiting: str = ""
    wait_rule: str = ""

    def start(self, context: RuleContext, command: Command) -> Then:
        """Begin the fight: roll for all, set the order, begin the first turn."""
        if context.state.phase == "fight":
            raise Refused("not_allowed", "The fight is under way.")
        if not present(context.state):
            raise Refused("not_allowed", "No combatants yet: add some first.")
        begin_fight(context)
        for combatant in present(context.state):
            self.roll(context, combatant.id)
        order = sorted(present(context.state), key=lambda combatant: -(combatant.initiative or 0))
        context.emit(e.OrderSet(tuple(each.id for each in order), "why.order"), self.order_rule)
        open_round(context)
        return Then(self.open_next, 0)

    def enter(self, context: RuleContext, who: str) -> None:
        """Add a latecomer, who acts last this round."""
        self.roll(context, who)
        context.emit(e.OrderSet((*context.state.order, who), "why.joins"), self.order_rule)

    def next_turn(self, context: RuleContext, command: Command) -> Then:
        """End the turn under way and begin the next one."""
        if context.state.phase != "fight":
            raise Refused("not_allowed", "No fight is running: start one first.")
        if who := context.state.active:
            context.emit(e.TurnEnded(who))
            count_down_at(context, who, "end")
        return Then(self.open_next, 0)

    def open_next(self, context: RuleContext, passed: int) -> Then | None:
        """Begin the next turn; pass over those who left or cannot act."""
        if passed > 2 * len(context.state.order) + 1:
            context.emit(e.Said("log.nobody_able"))
            return None
        who = find_next(context.state)
        if who is None:
            open_round(context)
            return Then(self.open_next, passed + 1)
        combatant = context.state.combatants[who]
        if combatant.gone or not self.can_act(combatant):
            skip_departed(context, who)
            return Then(self.open_next, passed + 1)
        if self.waiting and remove_conditions(context, who, self.waiting, why="why.acts_now"):
            context.emit(e.TurnStarted(who, combatant.budget), self.wait_rule)
            return None
        context.emit(e.TurnStarted(who, self.budget), self.turn_rule)
        count_down_at(context, who, "start")
        return None

    def find_later(self, state: State, who: str) -> list[str]:
        """The others who still have a turn this round."""
        waiting = (state.combatants[each] for each in state.order if each != who)
        return [each.id for each in waiting if not (each.acted or each.gone) and self.can_act(each)]
