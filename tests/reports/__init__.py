"""Reported fights, played again by the gate; `make_reports` writes those of the demo fights."""
