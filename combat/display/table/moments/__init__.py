"""The moments of a fight that a projector shows large, and its end."""
