"""Before a fight: the roster, the sides, the options of a table."""
