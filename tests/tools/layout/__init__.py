"""Looks at every page for overlaps, weak contrast, small text and targets, and overflow."""
