"""The pages of the rulebooks."""
