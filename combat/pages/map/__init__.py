"""The requests of the map, and the page that draws a scene."""
