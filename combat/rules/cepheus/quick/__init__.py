"""The quick rules: the same game by the summary of its combat chapter.

The code is that of the full rules with other defaults (book/options.py). This folder's rulebook holds the
rules of the summary and builds on the full one. The table may switch on what the summary leaves out.
"""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.declaration.book import Demos
from combat.rules.core.state.state import replace

from ..book.options import QUICK, options_of
from ..characters.conditions import SHORT_KINDS
from ..printed import print_short_tables
from ..system import SYSTEM as FULL_SYSTEM
from .demo import make_quick_demo

SYSTEM = replace(
    FULL_SYSTEM,
    slug=QUICK,
    name="Cepheus quick rules",
    folder=Path(__file__).parent,
    characters=replace(FULL_SYSTEM.characters, conditions=SHORT_KINDS),
    book=replace(FULL_SYSTEM.book, options=options_of(QUICK), tables=print_short_tables),
    look=replace(FULL_SYSTEM.look, gist="2d6, the short rules"),
    demo=Demos((make_quick_demo,)),
)

__all__ = ["SYSTEM"]
