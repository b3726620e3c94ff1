"""The page of a fight's report."""
