"""Scripts and styles in few files: small sources in the tree, a bundle for each kind of page."""
