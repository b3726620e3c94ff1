"""Packs: things of a GM's own as one file, which other tables read and switch on for a campaign."""
