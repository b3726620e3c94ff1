"""What characters ask of encounters (`characters/ports.py`), who must not know them."""

from combat.play.people.campaigns import find_folder

from .access import find_fight, find_gms_of, find_hosts
from .guests import bring_made, find_guest, find_tables
from .invitations import find_places

__all__ = [
    "bring_made",  # lets a character made for a table join it
    "find_fight",  # the running fight that a character is in
    "find_folder",  # the campaign that a character is made for
    "find_gms_of",  # the GMs whose shared items someone may take
    "find_guest",  # the guest behind a browser without an account
    "find_hosts",  # the GMs who may read a character
    "find_places",  # where others open an address of this site
    "find_tables",  # the tables that someone may bring a character to
]
