"""What each answer to a question leads to: "45% to be hit", "7.3 lost on average"."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from combat.rules.core.basics.dice.requests import Choice, ChoiceRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import GiveUp
from combat.rules.core.odds.odds import Prospect, find_prospects
from combat.rules.core.state.events import Checked
from combat.rules.core.wording import pen_of
from combat.sharing.viewer_context import ViewerContext

from ..shapes.odds_shapes import SumView
from ..shapes.result_shapes import AnswerView, Threat
from ..shapes.table_shapes import CombatantView
from .odds_panel import Counter, percents, view_distribution

MAX_CACHED = 200  # questions
SURE, HIT, LOST = "it hits", "to be hit", "lost on average"  # the first in place of 100%

COUNTER = Counter(seconds=0.5)  # of processor, for all answers of a question

_cached: OrderedDict[Any, dict[str, Prospect]] = OrderedDict()
_lock = threading.Lock()


def view_answers(
    context: ViewerContext, request: ChoiceRequest, options: Iterable[Choice]
) -> tuple[AnswerView, ...]:
    """The options of a question with what each leads to, if that can be counted in time."""
    found = find_again(context, request)
    most = max((one.chance for one in found.values()), default=0.0)
    is_chance = len({one.chance for one in found.values()}) > 1
    return tuple(
        _view_answer(context, option, found.get(option.value), most=most, is_chance=is_chance)
        for option in options
    )


def _view_answer(
    context: ViewerContext, option: Choice, found: Prospect | None, most: float, is_chance: bool
) -> AnswerView:
    """An option with its chance if the answers change that, else with its average loss."""
    answer = AnswerView(option.value, option.label, option.detail, refused=option.refused)
    if found is None:
        return answer
    if found.losses:
        losses = view_distribution(context.system, context.obscured_state, found.losses)
        answer = replace(answer, losses=losses)
    if not is_chance:
        return replace(answer, figure=f"{found.lost:.1f}", told=LOST)
    if found.chance == 1:
        return replace(answer, told=SURE)
    was = f"{percents((most,))[0]}%" if found.chance < most else ""
    return replace(answer, figure=f"{percents((found.chance,))[0]}%", told=HIT, was=was)


def view_threat(
    context: ViewerContext, who: str, combatants: Mapping[str, CombatantView], is_counted: bool
) -> Threat | None:
    """Who acts on the one who is asked, and how; None if it is themselves, or unknown to the viewer."""
    waiting = context.pending
    if waiting is None:
        return None
    command, actor = waiting.command, str(waiting.command.get("actor", ""))
    if actor == who or actor not in combatants or not (is_counted or command.get("target") == who):
        return None
    action = find_action(context.system, waiting.name)
    items = context.known_state.combatants[actor].items
    item = next((one.name for one in items if one.id == command.get("weapon")), "")
    by = combatants[actor]
    return Threat(by.full_name, replace(by.look, active=False), action.label, item=item)


def view_opposed(context: ViewerContext, request: ChoiceRequest) -> SumView | None:
    """What the one who acts on somebody adds up, before any dice have fallen; None once they have."""
    waiting, state = context.pending, context.obscured_state
    if waiting is None or any(isinstance(fact.event, Checked) for fact in waiting.facts):
        return None
    action = find_action(context.system, waiting.name)
    if action.preview is None or waiting.command.get("actor") == request.who:
        return None
    try:
        command = read_command(action, waiting.command, state)
        return SumView(pen_of(context.system, state).preview(action.preview(state, command)))
    except Refused:
        return None


def find_again(context: ViewerContext, request: ChoiceRequest) -> dict[str, Prospect]:
    """The prospects from the cache for the same viewer and moment, or counted now.

    Empty while other requests use up the budget.
    """
    key = (context.encounter.pk, context.stamp, context.viewer, request)
    with _lock:
        if key in _cached:
            return _cached[key]
    try:
        with COUNTER.count(f"question {context.asker}") as count:
            found = _find(context, request, count.give_up)
            if count.replaced:
                return {}
    except Refused:
        return {}
    with _lock:
        _cached[key] = found
        while len(_cached) > MAX_CACHED:
            _cached.popitem(last=False)
    return found


def _find(context: ViewerContext, request: ChoiceRequest, give_up: GiveUp) -> dict[str, Prospect]:
    waiting, system = context.pending, context.system
    if waiting is None or not waiting.command.get("actor"):
        return {}
    action = find_action(system, waiting.name)
    if not system.actions.has_odds(action):
        return {}
    _, command = system.read(action.name, waiting.command)
    state = context.obscured_state
    return find_prospects(
        system, state, action, command=command, answers=waiting.answers, request=request, give_up=give_up
    )
