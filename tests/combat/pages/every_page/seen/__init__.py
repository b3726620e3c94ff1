"""What people see and press on a table's pages: tips, names, words in buttons, focus."""
