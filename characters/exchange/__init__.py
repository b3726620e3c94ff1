"""Characters in files: JSON documents, rosters, text blocks, and what other programs write."""
