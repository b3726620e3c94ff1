"""Which changes of the rules hold in a fight, for what asks without a context."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.versions import make_lookup

follows = make_lookup(Path(__file__).parents[1])
