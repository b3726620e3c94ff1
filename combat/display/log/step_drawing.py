"""A step of the log as the table shows it: lines without dice are drawn once and filled with their words."""

from __future__ import annotations

from html import escape

from django.utils.safestring import SafeString
from msgspec.structs import replace

from combat.rules.core.wording import Line

from ..drawings import DRAWINGS, Drawing, fill, find_mark, write
from ..shapes.table_shapes import LogStep

TEMPLATE = "combat/log/log_step.html"
SUMS = "combat/forms/odds/sums.html"
MOST_DICE = 8  # of a sum that is drawn around its dice
WORDS = ("line 1", "line 2", "line 3", "line 4", "line 5", "line 6")  # of steps with so many lines at most
OTHERS = {"oldest_first": False, "can_branch": False, "signed": False}  # as on the page of the log


def draw_step(step: LogStep, pk: int, slug: str, *, is_gm: bool) -> Drawing:
    """A step's lines at the table `pk`, newest first. Only the words tell apart steps of the same kind."""
    given = {"slug": slug, "table": {"id": pk, "slug": slug, "viewer": {"is_gm": is_gm}}, **OTHERS}
    if len(step.lines) > len(WORDS) or any(line.roll or line.terms for line in step.lines):
        return DRAWINGS.draw(TEMPLATE, {**given, "step": step})
    words = {"step": step.number}
    words |= {name: line.text for name, line in zip(WORDS, step.lines, strict=False)}
    lines = tuple([_outline(line, name) for line, name in zip(step.lines, WORDS, strict=False)])
    outline = replace(step, number=find_mark("step"), lines=lines, by="", round=0)
    return write(DRAWINGS.draw(TEMPLATE, {**given, "step": outline}), words)


def _outline(line: Line, name: str) -> Line:
    """A line with a mark in place of its words. Only a line that can be corrected tells of whom it speaks."""
    if line.mend:
        return replace(line, text=find_mark(name))
    return Line(find_mark(name), line.rule, line.to, kind=line.kind, look=line.look)


def draw_sums(line: Line, slug: str) -> SafeString:
    """The sums of a line: drawn once for everyone's same terms, and filled with the dice and their totals.

    A card and the log show the same sums, and in some games everyone rolls again in every round.
    """
    roll, thrown = line.roll, line.thrown
    dice = roll.faces if roll else ()
    words = {} if len(dice) > MOST_DICE else {f"die {n}": str(face) for n, face in enumerate(dice)}
    words |= {"sum": line.sum, "thrown": "" if thrown is None else str(thrown)}
    outline = {
        "roll": roll
        and {
            "dice": roll.dice,
            "faces": [find_mark(name) for name in words if name.startswith("die")] or dice,
            "source": roll.source,
        },
        "terms": line.terms,
        "thrown": find_mark("thrown"),
        "total": None if line.total is None else 0,
        "sum": find_mark("sum"),
        "sum_label": line.sum_label,
        "against": line.against,
        "against_label": line.against_label,
        "against_terms": line.against_terms,
    }
    drawing = DRAWINGS.draw(SUMS, {"line": outline, "slug": slug})
    return fill(drawing.html, {name: escape(word) for name, word in words.items()})
