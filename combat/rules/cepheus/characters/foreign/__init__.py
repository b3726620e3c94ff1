"""Readers of people, animals, robots and vehicles from other programs."""

from .actors import READER
from .items import ITEMS
from .listed import LISTED_JSON
from .mongoose import MONGOOSE
from .mongoose_items import MONGOOSE_ITEMS
from .pasted import LINES, LISTED, TABLED

ITEM_READERS = (MONGOOSE_ITEMS, ITEMS)
READERS = (READER, MONGOOSE, TABLED, LISTED, LINES, LISTED_JSON)
