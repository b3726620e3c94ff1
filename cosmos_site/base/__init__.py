"""What every part of the site leans on: refusals, files, pictures, the cache, the data directory."""
