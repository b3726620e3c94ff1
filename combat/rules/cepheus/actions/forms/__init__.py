"""Forms of actions, filled with what can be done now."""
