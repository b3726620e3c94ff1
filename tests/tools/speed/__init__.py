"""The cost of "Next turn" beside the least that a change can cost: `python -m tests.tools.speed`."""
