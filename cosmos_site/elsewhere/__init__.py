"""Players elsewhere: a table on the GM's own machine, opened through a tunnel or proxy with https."""
