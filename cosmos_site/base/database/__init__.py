"""How the site asks the database where Django itself takes longer than the query."""
