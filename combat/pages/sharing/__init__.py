"""The pages of links and seats, and the table as JSON."""
