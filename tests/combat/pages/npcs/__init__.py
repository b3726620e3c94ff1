"""Own NPCs as forms."""
