"""A made-up game, as small as one can be: it shows what the core asks of a game, and nothing more."""

from tests.combat.rules.tiny.system import SYSTEM

__all__ = ["SYSTEM"]
