"""What the help pages show."""
