"""What programs at the table read and do, and the page with their tokens."""
