"""Scenes: drawing, import, pictures."""
