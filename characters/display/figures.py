"""Combatants drawn part by part: outlines, hatching and words, limited to what a viewer may know."""

from __future__ import annotations

from urllib.parse import urlencode

from characters.display.shapes import Shape
from combat.rules.core.declaration.parts import Figure, round_to_quarter
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import Combatant, State

BOXES_IN_A_ROW = 3
HUMAN = {
    "head": "M50 6c10 0 17 8 17 18s-7 19-17 19-17-9-17-19 7-18 17-18z",
    "torso": "M34 48h32c4 0 7 3 7 7l-3 49c0 3-3 6-6 6H36c-3 0-6-3-6-6l-3-49c0-4 3-7 7-7z",
    "right_arm": "M22 51c3 0 4 2 4 5l2 26-6 32c-1 4-4 6-7 5s-5-4-4-8l5-29 1-23c0-5 2-8 5-8z",
    "left_arm": "M78 51c-3 0-4 2-4 5l-2 26 6 32c1 4 4 6 7 5s5-4 4-8l-5-29-1-23c0-5-2-8-5-8z",
    "right_leg": "M32 114h15c1 0 2 1 2 2l-3 70c0 5-3 8-8 8s-8-3-8-8l-2-66c0-4 1-6 4-6z",
    "left_leg": "M68 114H53c-1 0-2 1-2 2l3 70c0 5 3 8 8 8s8-3 8-8l2-66c0-4-1-6-4-6z",
}
VEHICLE = {
    "hull": "M10 62l18-34h44l18 34v76l-14 34H24l-14-34z",
    "turret": "M38 74h24l6 14v24l-6 10H38l-6-10V88z",
    "front": "M28 8h44l14 16H14z",
    "rear": "M22 176h56l-8 16H30z",
    "left_side": "M94 66h5v72h-5z",
    "right_side": "M1 66h5v72H1z",
}
OUTLINES = {"human": HUMAN, "vehicle": VEHICLE}


HATCHES = ("", "hatch-hurt", "hatch-bad", "hatch-lost", "hatch-out")  # by level; each has its own pattern
TONES = ("", "is-warn", "is-warn", "is-dying", "is-dying")


class PartLink(Shape, frozen=True):
    """An action on a part: its label, and the words in the address of its filled form."""

    label: str
    words: tuple[tuple[str, str], ...]

    @property
    def query(self) -> str:
        """The address, made only when the link is drawn: a page has a hundred links and draws few again."""
        return f"?{urlencode(self.words)}"


class PartView(Shape, frozen=True):
    """A part as it is drawn and described; what the viewer may not know is empty.

    `hatch` names the pattern that shows the level without color. `bar` is the percentage left where neither
    word nor number may be shown, else None; `left` is the percentage that its bar is long, where one may be
    shown; `most` is the number of an undamaged part.
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
    left: int | None = None
    most: int = 0
    links: tuple[PartLink, ...] = ()

    @property
    def spoken(self) -> str:
        """The part in one line, for people who do not see the drawing."""
        left = f"about {self.bar}% left" if self.bar is not None else ""
        return ": ".join(filter(None, (self.label, ", ".join(filter(None, (self.word, self.number, left))))))


class FigureView(Shape, frozen=True):
    """All parts of one combatant; `box` is the view box of the drawing, which may be a row of plain boxes."""

    title: str
    parts: tuple[PartView, ...] = ()
    box: str = ""
    is_body: bool = False
    is_drawn: bool = True

    @property
    def hurt(self) -> tuple[PartView, ...]:
        """The damaged parts."""
        return tuple(one for one in self.parts if one.level)


def draw_figure(system: System, state: State, combatant: Combatant) -> FigureView | None:
    """The whole figure for the owner of the sheet: nothing hidden, nothing to tap."""
    figure = system.look.figure(state, combatant) if system.look.figure else None
    if figure is None:
        return None
    return show_figure(system, figure, "number")


def show_figure(system: System, figure: Figure, shown: str) -> FigureView:
    """A figure that shows each part as `shown` allows: "number", "word" or "bar"."""
    parts = tuple([_view_part(system, figure, number, shown) for number in range(len(figure.parts))])
    return FigureView(figure.title, parts, _find_box(figure), figure.shape == "human", _is_drawn(figure))


def _view_part(system: System, figure: Figure, number: int, shown: str) -> PartView:
    """One part in full, as its word alone, or as a bar rounded up to a quarter."""
    part, outline = figure.parts[number], find_outline(figure, number)
    if shown == "bar":
        left = round_to_quarter(part.now, part.most)
        level = 0 if left > 75 else 1 if left > 50 else 2 if left > 25 else 3 if left else 4
        return PartView(
            part.key,
            part.label,
            outline,
            level=level,
            tone=TONES[level],
            hatch=HATCHES[level],
            bar=left,
            left=left,
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
        left=min(100, max(0, 100 * part.now // (part.most or 1))) if told else None,
        most=part.most if told else 0,
        text=part.text if told else "",
        rule=part.rule if told else "",
    )


def find_outline(figure: Figure, number: int) -> str:
    """The path of a part: its own, the path of its key in the shape, or a plain box in a row."""
    part = figure.parts[number]
    if part.points.startswith("M"):
        return part.points
    known = OUTLINES.get(figure.shape, {})
    return known.get(part.points or part.key) or outline_of_box(number)


def _is_drawn(figure: Figure) -> bool:
    return figure.shape in OUTLINES or any(part.points.startswith("M") for part in figure.parts)


def _find_box(figure: Figure) -> str:
    if _is_drawn(figure):
        return "0 0 100 200"
    rows = -(-len(figure.parts) // BOXES_IN_A_ROW)
    return f"0 0 100 {max(1, rows) * 34}"


def outline_of_box(number: int) -> str:
    """A plain box for a part without an outline in the shape, three in a row."""
    row, column = divmod(number, BOXES_IN_A_ROW)
    return f"M{2 + column * 33} {2 + row * 34}h30v30h-30z"
