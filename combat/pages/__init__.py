"""The pages of encounters: a folder for each, with its views, shapes and forms."""
