"""A load run: many tables at once on a hosted site, with everything cut off once in the middle of it."""
