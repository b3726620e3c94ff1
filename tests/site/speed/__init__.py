"""What a turn passed costs beside a page that only writes a row: `python -m tests.site.speed`."""
