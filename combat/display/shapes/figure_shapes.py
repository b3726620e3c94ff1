"""The shapes of the form of someone's figures in a fight."""

from __future__ import annotations

from characters.display.shapes import Shape


class FigureWord(Shape, frozen=True):
    """A word of a list that can be ticked, and what it does."""

    value: str
    label: str
    detail: str = ""
    is_on: bool = False


class FigureField(Shape, frozen=True):
    """A figure: the name of its field, its value now, and what it was before it was corrected.

    One from a list has `options`: each with its value and its words. One that is yes or no `is_flag`. A list
    has `words` to tick, and where it `is_free` others are typed: those are its `value`.
    """

    name: str
    label: str
    value: str
    was: str = ""
    is_number: bool = False
    options: tuple[tuple[str, str], ...] = ()
    is_flag: bool = False
    is_list: bool = False
    is_free: bool = False
    words: tuple[FigureWord, ...] = ()


class FigureGroup(Shape, frozen=True):
    """Figures that belong together; folded unless it `is_open`."""

    key: str
    label: str
    fields: tuple[FigureField, ...]
    is_open: bool = False


class FiguresView(Shape, frozen=True):
    """The form: whose figures, the action that corrects them, and what follows from what was typed.

    Without a number for speed (`has_speed`) it says where speed comes from.
    """

    who: str
    do: str
    groups: tuple[FigureGroup, ...]
    follows: tuple[tuple[str, str, str], ...] = ()
    has_speed: bool = False
