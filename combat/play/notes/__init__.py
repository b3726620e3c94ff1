"""Notes of a GM, read as people who join: names, numbers, items, sides and zones."""
