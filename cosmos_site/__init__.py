"""The site: settings, root urls and the servers' entry points."""
