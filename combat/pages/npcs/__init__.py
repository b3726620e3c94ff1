"""An NPC of the GM's own as one form, with the card that it makes."""
