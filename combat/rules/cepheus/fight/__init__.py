"""Attacks from aiming to damage: sums and checks, reactions, grapples, weapons."""
