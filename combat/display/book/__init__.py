"""Rulebooks as pages show them, links to rules, and the version that a fight follows."""
