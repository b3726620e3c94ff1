"""What every game's fighters can do besides its own actions."""

from .dice_words import GIVE_WORD
from .standing_orders import SET_STANDING

SEAT_ACTIONS = {action.name: action for action in (SET_STANDING, GIVE_WORD)}
