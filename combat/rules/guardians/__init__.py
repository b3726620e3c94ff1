"""Cosmic Guardians: the rules of its combat page, and house figures where that page has none."""
