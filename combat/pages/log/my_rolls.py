"""A player's own last rolls: the dice, what they were for, and whether that can be done again now.

They come from the log as its reader has it. The figure is of the dice alone, which lie open to all, so it
tells nothing of a number that someone keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from django.urls import reverse

from characters.display.shapes import Shape
from combat.display.log_view import names_of, tell_step
from combat.display.shapes.result_shapes import Rolled
from combat.play.writing.step_cache import find_rows
from combat.play.writing.verification import read_step
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.report.fallen_dice import FallenDice, measure_dice
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import is_acting
from combat.rules.core.wording import Pen
from combat.sharing.viewer_context import ViewerContext

from ..table.result_view import view_roll
from ..table.shapes import find_steps

MOST, MAX_STEPS = 20, 400  # rolls that are shown, and steps in which they are searched
AGAIN = ("target", "weapon")  # the fields of the form that opens again, where they can be chosen now


class MyRoll(Shape, frozen=True):
    """A roll of one's own, and the address of the form for it `again`; empty if it cannot be now."""

    rolled: Rolled
    again: str = ""


class MyRolls(Shape, frozen=True):
    """The last rolls, the newest first, and how their dice fell; None if there are none to add up."""

    rolls: tuple[MyRoll, ...]
    fell: FallenDice | None = None


def view_my_rolls(context: ViewerContext) -> MyRolls | None:
    """The last rolls of the combatants that a player plays; None for all others."""
    if not context.viewer.is_seated or not context.viewer.seats:
        return None
    found = list(_find_rolls(context))
    return MyRolls(tuple(shown for shown, _ in found), measure_dice(roll for _, roll in found))


def _find_rolls(context: ViewerContext) -> Iterator[tuple[MyRoll, Roll]]:
    """The newest rolls, each as it is shown and as it fell."""
    viewer, system = context.viewer, context.system
    names = tuple(names_of(context.known_state).items())
    pen, left = Pen(system, dict(names)), MOST
    steps = find_steps(context).filter(kind=COMMAND, dice=True, struck=False).order_by("-number")
    for row in find_rows(steps[:MAX_STEPS]):
        step = read_step(row)
        for fact in reversed(tell_step(step, system.slug, viewer, names).facts):
            event = fact.event
            if isinstance(event, e.Checked) and event.who in viewer.seats and event.roll.faces and left:
                if rolled := view_roll(pen, event):
                    left -= 1
                    is_own = event.who == step.command.get("actor")
                    yield MyRoll(rolled, _find_again(context, step) if is_own else ""), event.roll
        if not left:
            return


def _find_again(context: ViewerContext, step: Step) -> str:
    """Where the form of a step's action opens for the same target, if it can be done now."""
    who, state = str(step.command.get("actor", "")), context.obscured_state
    action = context.system.actions.by_name.get(step.name)
    if action is None or action.who == "gm" or not context.viewer.plays(who) or who not in state.combatants:
        return ""
    waits = context.encounter.open_command or state.is_paused
    if waits or (action.on_turn and not is_acting(state, who)):
        return ""
    if find_refusal(action, state, who):
        return ""
    query = {"combatant": who, "do": step.name}
    for field in action.find_fields(state, who):
        value = step.command.get(field.name)
        if field.name in AGAIN and value:
            if not any(one.value == value and not one.refused for one in field.options):
                return ""
            query[field.name] = str(value)
    return f"{reverse('table', args=[context.encounter.pk])}?{urlencode(query)}"
