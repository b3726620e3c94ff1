"""What every game's fighters can do besides its own actions: say what holds from now on, at any time."""

from collections.abc import Callable
from typing import Any

from ..commands.commands import Action, Command
from ..commands.context import RuleContext
from .dice_words import GiveWord, give_word
from .standing_orders import SetStanding, set_standing


def _make_order(
    name: str, label: str, kind: type[Command], run: Callable[[RuleContext, Any], None], text: str
) -> Action:
    return Action(
        name=name, label=label, group="Orders", type=kind, run=run, text=text, on_turn=False, in_fight=False
    )


_ORDERS = (
    _make_order(
        "set_standing",
        "Standing order",
        SetStanding,
        set_standing,
        "Always answers a question this way, without being asked.",
    ),
    _make_order(
        "give_word",
        "Word for the dice",
        GiveWord,
        give_word,
        "Goes into every roll of the app from now on, so that nobody can know the dice before.",
    ),
)
SEAT_ACTIONS = {action.name: action for action in _ORDERS}
