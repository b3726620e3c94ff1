"""The pages of copies of all data, for the host."""
