"""Straight lines up to the first wall: sight, light, blasts and hands."""
