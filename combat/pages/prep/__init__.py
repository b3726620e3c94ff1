"""The pages before a fight: the list, preparation, the roster, import."""
