"""The notes of a GM as people who join."""
