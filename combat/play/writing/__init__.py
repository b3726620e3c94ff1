"""The only way to write to an encounter: locked, within limits, each step kept once."""
