"""Dice, the requests of a running command, and the answers to them."""
