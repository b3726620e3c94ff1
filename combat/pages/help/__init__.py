"""Help: the pages that explain the app, and reports of faults."""
