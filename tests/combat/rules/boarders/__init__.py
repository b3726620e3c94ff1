"""Boarders: a second game of the tests, by sides, rolled under a score, with areas and reactions."""

from tests.combat.rules.boarders.system import SYSTEM

__all__ = ["SYSTEM"]
