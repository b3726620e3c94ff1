"""In the place of a package that no table has. The checks of the code bring it; structlog would load it."""

raise ImportError("No module named 'rich'", name="rich")
