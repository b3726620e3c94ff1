"""Combatants drawn by their parts: outlines, hatching and words for each, and what of it may be shown."""

from __future__ import annotations

from dataclasses import dataclass

from combat.rules.core.figures import Figure, find_quarter
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.system import System

from .outlines import BOXES_IN_A_ROW, OUTLINES, outline_of_box

HATCHES = ("", "hatch-hurt", "hatch-bad", "hatch-lost", "hatch-out")  # by level; each has its own pattern
TONES = ("", "is-warn", "is-warn", "is-dying", "is-dying")


@dataclass(frozen=True)
class PartLink:
    """Something that can be done to a part: its words and the address of its filled form."""

    label: str
    query: str


@dataclass(frozen=True)
class PartView:
    """A part as it is drawn and told: what a viewer may not know is empty.

    `hatch` names the pattern that says the level without colour. `bar` is what is left in percent
    where neither word nor number may be told, else None; `most` the number of a whole one.
    """

    key: str
    label: str
    outline: str
    word: str = ""
    number: str = ""
    level: int = 0
    tone: str = ""
    hatch: str = ""
    armor: str = ""
    text: str = ""
    rule: str = ""
    bar: int | None = None
    most: int = 0
    links: tuple[PartLink, ...] = ()

    @property
    def spoken(self) -> str:
        """The part in a line, for whoever does not see the drawing."""
        left = f"about {self.bar}% left" if self.bar is not None else ""
        return ": ".join(filter(None, (self.label, ", ".join(filter(None, (self.word, self.number, left))))))


@dataclass(frozen=True)
class FigureView:
    """All parts of one combatant; `box` is what the drawing shows."""

    title: str
    parts: tuple[PartView, ...]
    box: str
    is_body: bool

    @property
    def hurt(self) -> tuple[PartView, ...]:
        """The parts that are not whole."""
        return tuple(one for one in self.parts if one.level)


def draw_figure(system: System, state: State, fighter: Combatant) -> FigureView | None:
    """The whole figure for whoever the sheet belongs to: nothing hidden, nothing to tap."""
    figure = system.figure(state, fighter) if system.figure else None
    if figure is None:
        return None
    return show_figure(system, figure, "number")


def show_figure(system: System, figure: Figure, shown: str) -> FigureView:
    """A figure with as much of each part as may be shown: "number", "word" or "bar"."""
    parts = tuple(_view_part(system, figure, number, shown) for number in range(len(figure.parts)))
    return FigureView(figure.title, parts, _find_box(figure), figure.shape == "human")


def _view_part(system: System, figure: Figure, number: int, shown: str) -> PartView:
    """One part: everything, its word alone, or a bar that is rounded up to a quarter."""
    part, outline = figure.parts[number], find_outline(figure, number)
    if shown == "bar":
        left = find_quarter(part.now, part.most)
        level = 0 if left > 75 else 1 if left > 50 else 2 if left > 25 else 3 if left else 4
        return PartView(
            part.key, part.label, outline, level=level, tone=TONES[level], hatch=HATCHES[level], bar=left
        )
    told = shown != "word"
    return PartView(
        part.key,
        part.label,
        outline,
        word=system.draw(part.word),
        number=f"{part.now} of {part.most}" if told else "",
        level=part.level,
        tone=TONES[part.level],
        hatch=HATCHES[part.level],
        armor=part.armor if told else "",
        most=part.most if told else 0,
        text=part.text if told else "",
        rule=part.rule if told else "",
    )


def find_outline(figure: Figure, number: int) -> str:
    """The path of a part: its own, that of its key in the shape, or a box of its own in a row."""
    part = figure.parts[number]
    if part.points.startswith("M"):
        return part.points
    known = OUTLINES.get(figure.shape, {})
    return known.get(part.points or part.key) or outline_of_box(number)


def _find_box(figure: Figure) -> str:
    if figure.shape in OUTLINES or any(part.points.startswith("M") for part in figure.parts):
        return "0 0 100 200"
    rows = -(-len(figure.parts) // BOXES_IN_A_ROW)
    return f"0 0 100 {max(1, rows) * 34}"
