"""Encounters: the rules, the stored fights and their pages."""
