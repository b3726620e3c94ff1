"""The pages of campaigns and of their handouts."""
