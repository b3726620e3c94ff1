"""Tests of the rules. In tests the made-up game is a game like others: each suite takes it."""

from combat.rules import SYSTEMS

MADE_UP = "tiny"
SYSTEMS.setdefault(MADE_UP, "tests.combat.rules.tiny")
