"""The home page: what comes next, and the pictures of scenes."""
