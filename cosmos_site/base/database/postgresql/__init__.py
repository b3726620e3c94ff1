"""PostgreSQL as the site uses it: Django's own backend, with a check of connections that asks no query."""
