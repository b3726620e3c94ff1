"""The pages of the log and of the dice."""
