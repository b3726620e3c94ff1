"""The frozen shapes that templates get."""
