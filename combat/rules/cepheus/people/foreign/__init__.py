"""What other programs write of people, animals, robots and vehicles, read onto sheets."""

from ..lines import EXAMPLE, read_line
from .actors import READER
from .items import ITEMS
from .pasted import LISTED, TABLED, make_line_reader

ITEM_READERS = (ITEMS,)
READERS = (READER, TABLED, LISTED, make_line_reader(read_line, EXAMPLE))
