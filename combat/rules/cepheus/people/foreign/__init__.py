"""Readers of people, animals, robots and vehicles from other programs."""

from .actors import READER
from .items import ITEMS
from .listed import LISTED_JSON
from .pasted import LINES, LISTED, TABLED

ITEM_READERS = (ITEMS,)
READERS = (READER, TABLED, LISTED, LINES, LISTED_JSON)
