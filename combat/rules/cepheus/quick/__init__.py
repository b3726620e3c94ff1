"""The quick rules: the same game by the summary of its combat chapter.

The code is that of the full rules with other defaults (book/options.py). What the summary says is
in this folder's rulebook, which stands on the full one; what it leaves out the table may switch on.
"""

from __future__ import annotations

from pathlib import Path

from ..book.options import QUICK
from ..pages.printed import print_short_tables
from ..people.conditions import SHORT_KINDS
from ..system import make_system
from .demo import make_quick_demo

SYSTEM = make_system(
    QUICK,
    name="Cepheus quick rules",
    folder=Path(__file__).parent,
    demo=make_quick_demo,
    tables=print_short_tables,
    conditions=SHORT_KINDS,
)

__all__ = ["SYSTEM"]
