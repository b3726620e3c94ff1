"""People at the table and their characters."""
