"""Ways to attack: the basic attack, blind and panic fire, suppression, volleys, coup de grace."""
