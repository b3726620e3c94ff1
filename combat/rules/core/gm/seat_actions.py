"""The extra actions of combatants in every game: set standing choices at any time."""

from ..commands.table import Run
from .actions import TABLE
from .dice_words import give_word
from .loot.handing import ask_for
from .standing_orders import set_standing

_ORDERS: dict[str, Run] = {"set_standing": set_standing, "give_word": give_word, "ask_for": ask_for}
SEAT_ACTIONS = {name: TABLE.act(name, run, on_turn=False, in_fight=False) for name, run in _ORDERS.items()}
