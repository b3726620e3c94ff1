"""Branches and forecasts of a fight."""
