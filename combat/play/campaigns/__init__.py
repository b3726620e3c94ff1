"""Campaigns with their people, and how characters and NPCs enter and leave fights."""
