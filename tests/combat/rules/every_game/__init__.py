"""Tests for every game, and the wild fights and tables they use."""
