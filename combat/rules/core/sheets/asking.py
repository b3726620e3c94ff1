"""Questions about a file of another program, asked before anything is stored, each with its choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ..basics.checking import Problem

LEFT_OUT = "left_out"  # the option that imports nothing


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A choice for the person who imports a file; `options` are keys with their labels.

    `chosen` is the answer; before there is one, the likely option or, if none is likelier, nothing. Questions
    of one file with the same key are the same question.
    """

    key: str
    text: str
    options: tuple[tuple[str, str], ...]
    chosen: str = ""


class Asker:
    """Asks what a reader is not sure of. `answers` are those so far, by the keys of questions."""

    def __init__(self, answers: Mapping[str, str], place: str = "") -> None:
        self.answers, self.place = answers, place
        self.questions: dict[str, Question] = {}
        self.remarks: list[Problem] = []

    def ask(
        self, name: str, text: str, options: Iterable[tuple[str, str]], likely: str = "", place: str = ""
    ) -> str:
        """The key of the chosen option; before an answer, the likely one, or nothing.

        `name` distinguishes questions of one file. An answer that is not an option counts as none.
        """
        choices = tuple(options)
        keys = [key for key, _ in choices]
        key = f"{self.place}{name}"
        given = self.answers.get(key, "")
        is_answered = given in keys
        chosen = given if is_answered else likely if likely in keys else ""
        if is_answered and key not in self.questions:
            self.remarks.append(Problem(place, f"{text} {dict(choices)[given]}"))
        self.questions[key] = Question(key=key, text=text, options=choices, chosen=chosen)
        return chosen

    def list_questions(self) -> tuple[Question, ...]:
        """All questions in the order they were asked."""
        return tuple(self.questions.values())
