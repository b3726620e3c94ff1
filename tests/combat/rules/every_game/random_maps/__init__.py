"""Fights on random maps that the app plays alone.

python -m tests.combat.rules.every_game.random_maps [GAME…] [--maps 300] [--seed NUMBER]
"""
