"""Finding anything: one search over a table, a person's own things, the rules and the pages."""
