"""What a turn passed costs beside the least that a change can cost: `python -m tests.site.speed`."""
