"""The values of a page beside its parts: filled in, they equal those of their template."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

from django.template.loader import render_to_string

from combat.display.table.patches import NOW, draw_now
from combat.rules.core.basics.errors import Refused

NAME = "Zara & <i>'the' \"cat\"</i>"


def test_values_that_are_filled_in_equal_those_that_their_template_draws() -> None:
    refusals = (None, Refused("stale", f"{NAME} acted first."))
    for phase, is_gm, refused in product(("prep", "fight", "over"), (False, True), refusals):
        table = SimpleNamespace(
            version="7.abc",
            your_turn=NAME,
            asked="",
            next_up="round",
            round=12,
            announce=f"{NAME} hits. Round 12.",
            phase=phase,
            viewer=SimpleNamespace(is_gm=is_gm),
        )
        shown = {"table": table, "tag": 'W/"0f"', "again": "/encounters/1/?a=1&b=2", "refused": refused}
        whole = render_to_string(NOW, {**shown, "parts": {"manifest": "gm-True|a=b.c|d|"}})
        assert draw_now(shown, "gm-True|a=b.c|d|").split() == whole.split()
