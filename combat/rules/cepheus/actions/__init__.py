"""The actions of the game, a module for each room, and their forms."""
