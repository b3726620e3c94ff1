"""The questions of an import, which its preview asks, and whether all are answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from combat.rules.core.basics.checking import Problem
from combat.rules.core.sheets.asking import Question
from combat.rules.core.sheets.foreign import Foreign, ForeignItem

from .reading import ValidationFailed

PREFIX = "ask-"  # starts the names of the fields that hold answers
MAX_QUESTIONS = 200


def list_questions(found: Iterable[Foreign | ForeignItem]) -> tuple[Question, ...]:
    """The questions of a whole file, each key once, in the order of the file."""
    asked: dict[str, Question] = {}
    for one in found:
        for question in one.questions:
            asked.setdefault(question.key, question)
    return tuple(asked.values())


def check_count(questions: tuple[Question, ...]) -> None:
    """Raise ValidationFailed for more questions than a person would answer."""
    if len(questions) > MAX_QUESTIONS:
        said = f"leaves {len(questions):,} things open, at most {MAX_QUESTIONS}: import fewer at once"
        raise ValidationFailed(Problem("", said))


def read_answers(data: Mapping[str, str]) -> dict[str, str]:
    """The answers in the fields of a form, by the keys of their questions."""
    fields = [name for name in data if name.startswith(PREFIX)]
    return {name.removeprefix(PREFIX): data[name] for name in fields}


def is_all_answered(questions: Iterable[Question]) -> bool:
    """Whether every question has an answer."""
    return all(question.is_answered for question in questions)
