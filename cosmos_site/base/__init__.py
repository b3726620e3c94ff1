"""The modules that every part of the site uses: refusals, files, pictures, the cache, the data directory."""
