"""Tests of what a projector shows large."""
