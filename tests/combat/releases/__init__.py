"""A small data directory of each release, and the test that this release opens them all."""
