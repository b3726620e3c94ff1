"""The scene and its map for one viewer: cover, doors, lines of sight, places in reach, and the editor."""
