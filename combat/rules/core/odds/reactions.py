"""The result of each answer to an open question: the odds of a dodge, a parry, or no reaction."""

from __future__ import annotations

import msgspec

from ..basics.dice.requests import Answer, ChoiceRequest, answer_choice, key_of
from ..basics.errors import Drift, Refused
from ..commands.commands import Action, Command
from ..declaration.system import System
from ..state.state import State
from .enumeration import GiveUp, TooMany, never
from .odds import Odds, find_first, find_odds


class Prospect(msgspec.Struct, frozen=True):
    """The result of an answer: the chance that the attack counts, and its victim's average loss."""

    chance: float
    lost: float


def find_prospects(
    system: System,
    state: State,
    action: Action,
    command: Command,
    answers: tuple[Answer, ...],
    request: ChoiceRequest,
    give_up: GiveUp = never,
) -> dict[str, Prospect]:
    """The prospect of each option for a combatant whom another acts on; `state` is the one before.

    Empty if the question is of another kind, makes no difference, or cannot be counted.
    """
    if not _is_asked_once(answers, request) or request.who == command.actor:
        return {}
    if not {request.who, command.actor} <= state.combatants.keys():
        return {}
    found: dict[str, Prospect] = {}
    try:
        for option in (option for option in request.options if not option.refused):
            given = (*answers, answer_choice(request, option.value, "seat"))
            odds = find_odds(system, state, action, command=command, give_up=give_up, given=given)
            if odds.headline:
                found[option.value] = _make_prospect(system, odds, request.who)
    except (Refused, TooMany, Drift):  # the rules may have changed since the action began
        return {}
    return found if len(set(found.values())) > 1 else {}


def _is_asked_once(answers: tuple[Answer, ...], request: ChoiceRequest) -> bool:
    """Whether an answer is for one question only: if asked again, it would answer both."""
    known = [key_of(answer)[:3] for answer in answers]
    return bool(request.options) and len({*known, key_of(request)[:3]}) == len(known) + 1


def _make_prospect(system: System, odds: Odds, who: str) -> Prospect:
    assert odds.headline is not None
    first = find_first(system)
    lost = sum(each.mean for each in odds.distributions if each.who == who and each.track == first)
    return Prospect(odds.headline.chance if odds.after is None else odds.after, lost)
