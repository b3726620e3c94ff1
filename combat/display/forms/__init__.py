"""Forms of actions: fields, odds, points to divide."""
