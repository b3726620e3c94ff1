"""The people who use the site and their characters."""
