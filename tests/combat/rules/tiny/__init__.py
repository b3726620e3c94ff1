"""Tiny Duel."""

# The template of a new game, copied by `manage.py new_game`; a game like others in tests.  # not in a copy
from tests.combat.rules.tiny.system import SYSTEM

__all__ = ["SYSTEM"]
