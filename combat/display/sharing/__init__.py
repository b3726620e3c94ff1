"""The data of a table for other programs."""
