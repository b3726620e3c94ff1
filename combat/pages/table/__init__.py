"""The table, its actions, its live stream."""
