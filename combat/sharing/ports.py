"""What characters ask of encounters (`characters/ports.py`), who must not know them."""

from combat.play.campaigns.campaigns import find_folder
from combat.play.campaigns.chest import find_passing

from .access import find_fight, find_gms_of, find_hosts, give_item, list_open_people
from .endings import end_access, end_streams
from .guests import bring_made, find_guest, find_tables
from .invitations import find_places
from .programs import end_token, find_tokens_of
from .waiting_room import find_own

__all__ = [
    "bring_made",  # lets a character made for a table join it
    "end_access",  # ends all that lets someone in
    "end_streams",  # closes the pages of sessions that end
    "end_token",  # ends one of someone's programs
    "find_fight",  # the running fight that a character is in
    "find_folder",  # the campaign that a character is made for
    "find_gms_of",  # the GMs whose shared items someone may take
    "find_guest",  # the guest behind a browser without an account
    "find_hosts",  # the GMs who may read a character
    "find_own",  # someone's characters of a game, the last played first
    "find_passing",  # what passes between a sheet and those of its party
    "find_places",  # where others open an address of this site
    "find_tables",  # the tables that someone may bring a character to
    "find_tokens_of",  # someone's programs at all tables
    "give_item",  # gives an item to someone of an open encounter
    "list_open_people",  # those whom someone may give an item to
]
