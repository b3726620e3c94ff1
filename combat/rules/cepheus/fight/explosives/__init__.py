"""Grenades, rockets and charges: where they land, and whom they catch."""
