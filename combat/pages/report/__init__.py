"""A past fight: its replay and its report."""
