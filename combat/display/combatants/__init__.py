"""How pages tell combatants apart: names, tokens, sides, the figure of a body."""
