"""Turns and their budgets, durations, and limited uses per fight, day or session."""
