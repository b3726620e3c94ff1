"""Gear: the catalogue, loadouts and a table's own items."""
