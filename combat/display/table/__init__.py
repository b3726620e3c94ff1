"""The table: rows, turn, results, waiting, and the parts that a page is sent."""
