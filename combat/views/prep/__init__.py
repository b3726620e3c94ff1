"""The pages before a fight: home, the list, preparation, the roster, import."""
