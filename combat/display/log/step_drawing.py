"""A step of the log as the table shows it: lines without dice are drawn once and filled with their words."""

from __future__ import annotations

from msgspec.structs import replace

from combat.rules.core.wording import Line

from ..drawings import DRAWINGS, Drawing, find_mark, write
from ..shapes.table_shapes import LogStep

TEMPLATE = "combat/log/log_step.html"
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
