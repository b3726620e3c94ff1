"""Before a fight: the front page, the roster, the sides, the options of a table."""
