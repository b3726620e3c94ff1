"""Readers of people, animals, robots and vehicles from other programs."""

from .actors import READER
from .items import ITEMS
from .listed import LISTED_JSON
from .mongoose import MONGOOSE
from .pasted import LINES, LISTED, TABLED

ITEM_READERS = (ITEMS,)
READERS = (READER, MONGOOSE, TABLED, LISTED, LINES, LISTED_JSON)
