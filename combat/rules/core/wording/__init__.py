"""Facts in words: every fact as a line of the log. The catalogues hold the words."""

from .pen import Line, Names, Pen, pen_of
from .sentences import (
    TRACK_VERBS,
    describe,
    describe_facts,
    find_deed,
    find_defenses,
    find_look,
    find_words,
    is_typed,
    name_free_dice,
    say_span,
    tell_facts,
    tell_once,
)

__all__ = [
    "TRACK_VERBS",
    "Line",
    "Names",
    "Pen",
    "describe",
    "describe_facts",
    "find_deed",
    "find_defenses",
    "find_look",
    "find_words",
    "is_typed",
    "name_free_dice",
    "pen_of",
    "say_span",
    "tell_facts",
    "tell_once",
]
