"""How the plane is drawn: squares or hexes, walls, fog, names, tokens that overlap."""
