"""What each answer to a question leads to, beside its button: "45% to be hit", "loses 7.3 on average"."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from combat.rules.core.basics.dice.requests import Choice, ChoiceRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import GiveUp
from combat.rules.core.odds.odds import Prospect, find_prospects
from combat.sharing.viewer_context import ViewerContext

from ..shapes.result_shapes import AnswerView, Threat
from ..shapes.table_shapes import CombatantView
from .odds_panel import Counter, percents

MAX_CACHED = 200  # questions
SURE = "it hits"  # in place of 100%

COUNTER = Counter(seconds=0.5)  # of processor, for all answers of a question

_cached: OrderedDict[Any, dict[str, Prospect]] = OrderedDict()
_lock = threading.Lock()


def view_answers(
    context: ViewerContext, request: ChoiceRequest, options: Iterable[Choice]
) -> tuple[tuple[AnswerView, ...], str]:
    """The options of a question with what each leads to, and the chance of a hit without a reaction.

    Nothing of that where it cannot be counted in time.
    """
    found = find_again(context, request)
    words, most = say_prospects(found), max((one.chance for one in found.values()), default=0.0)
    helps = {value for value, one in found.items() if one.chance < most}
    chance = f"{percents((most,))[0]}%" if helps else ""
    answers = []
    for option in options:
        detail = " · ".join(filter(None, (words.get(option.value), option.detail)))
        was = chance if option.value in helps else ""
        answers.append(AnswerView(option.value, option.label, detail, refused=option.refused, was=was))
    return tuple(answers), chance


def view_threat(
    context: ViewerContext, who: str, combatants: Mapping[str, CombatantView], chance: str
) -> Threat | None:
    """Who acts on the one who is asked, and how; None if it is themselves, or unknown to the viewer."""
    waiting = context.pending
    if waiting is None:
        return None
    command, actor = waiting.command, str(waiting.command.get("actor", ""))
    if actor == who or actor not in combatants or not (chance or command.get("target") == who):
        return None
    action = find_action(context.system, waiting.name)
    items = context.known_state.combatants[actor].items
    item = next((one.name for one in items if one.id == command.get("weapon")), "")
    by = combatants[actor]
    look, is_sure = replace(by.look, active=False), chance == "100%"
    return Threat(by.full_name, look, action.label, item=item, chance=chance, is_sure=is_sure)


def say_prospects(found: dict[str, Prospect]) -> dict[str, str]:
    """The chance to be hit if the answers change it, else the average loss."""
    chances = {prospect.chance for prospect in found.values()}
    if len(chances) > 1:
        return {value: _say_chance(prospect.chance) for value, prospect in found.items()}
    return {value: f"loses {prospect.lost:.1f} on average" for value, prospect in found.items()}


def _say_chance(chance: float) -> str:
    return SURE if chance == 1 else f"{percents((chance,))[0]}% to be hit"


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
