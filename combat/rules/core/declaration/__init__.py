"""A game's declaration to the core: a System of eight parts, each in a module of its name."""
