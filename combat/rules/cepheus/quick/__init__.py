"""The quick rules: the same game by the summary of its combat chapter.

The code is that of the full rules with other defaults (book/options.py). What the summary says is
in this folder's rulebook, which stands on the full one; what it leaves out the table may switch on.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..book.options import QUICK
from ..pages.printed import print_short_tables
from ..people.conditions import KINDS
from ..system import make_system
from .demo import make_quick_demo

THIRD_HIT = {  # on the flat table the first two hits on a part do nothing yet  [CS-VLOC-10]
    "drive_hit": "The third: it does not move any more.",
    "weapon_hit": "The third destroys it.",
    "sensors_hit": "The third destroys them: blind.",
}
CONDITIONS = KINDS | {key: msgspec.structs.replace(KINDS[key], text=text) for key, text in THIRD_HIT.items()}

SYSTEM = make_system(
    QUICK,
    name="Cepheus quick rules",
    folder=Path(__file__).parent,
    demo=make_quick_demo,
    tables=print_short_tables,
    conditions=CONDITIONS,
)

__all__ = ["SYSTEM"]
