"""PostgreSQL as Django uses it, without waits that have no end."""
