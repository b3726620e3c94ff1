"""Scenes as they are laid out: drawn, imported, with pictures."""
