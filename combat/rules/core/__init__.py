"""The neutral core: dice, table, events, state, space, odds. It knows no game by name."""
