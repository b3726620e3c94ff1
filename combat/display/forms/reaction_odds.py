"""What each answer to a question leads to, shown beside its button: "hit 45%", "loses 7.3 on average"."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import msgspec

from combat.rules.core.basics.dice.requests import Choice, ChoiceRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import GiveUp
from combat.rules.core.odds.reactions import Prospect, find_prospects
from combat.sharing.viewer_context import ViewerContext

from .odds_budget import Counter
from .odds_panel import percents

MAX_KEPT = 200  # questions

COUNTER = Counter(seconds=0.5)  # of processor, for all answers of a question

_kept: OrderedDict[Any, dict[str, Prospect]] = OrderedDict()
_lock = threading.Lock()


def add_prospects(
    context: ViewerContext, request: ChoiceRequest, options: Iterable[Choice]
) -> tuple[Choice, ...]:
    """The options of a question with what each leads to, if that can be counted in time."""
    options = tuple(options)
    found = _find_again(context, request)
    if not found:
        return options
    words = say_prospects(found)
    return tuple(
        msgspec.structs.replace(
            option, detail=" · ".join(filter(None, (words.get(option.value), option.detail)))
        )
        for option in options
    )


def say_prospects(found: dict[str, Prospect]) -> dict[str, str]:
    """The chance to be hit if the answers change it, else the average loss."""
    chances = {prospect.chance for prospect in found.values()}
    if len(chances) > 1:
        return {value: f"hit {percents((prospect.chance,))[0]}%" for value, prospect in found.items()}
    return {value: f"loses {prospect.lost:.1f} on average" for value, prospect in found.items()}


def _find_again(context: ViewerContext, request: ChoiceRequest) -> dict[str, Prospect]:
    """The prospects from the cache for the same viewer and moment, or counted now.

    Empty while other requests use up the budget.
    """
    key = (context.encounter.pk, context.stamp, context.viewer, request)
    with _lock:
        if key in _kept:
            return _kept[key]
    try:
        with COUNTER.count(f"question {context.asker}") as count:
            found = _find(context, request, count.give_up)
            if count.replaced:
                return {}
    except Refused:
        return {}
    with _lock:
        _kept[key] = found
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)
    return found


def _find(context: ViewerContext, request: ChoiceRequest, give_up: GiveUp) -> dict[str, Prospect]:
    waiting, system = context.pending, context.system
    if waiting is None or not waiting.command.get("actor"):
        return {}
    action = find_action(system, context.encounter.open_command.name)
    if not system.actions.has_odds(action):
        return {}
    _, command = system.read(action.name, waiting.command)
    state = context.obscured_state
    return find_prospects(system, state, action, command, waiting.answers, request, give_up)
