"""A load run: many tables at once on a hosted site, with every connection cut once in the middle."""
