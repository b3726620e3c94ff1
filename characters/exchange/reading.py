"""Uploaded text and JSON values, the first fault of a file that is neither, and the questions about it."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from combat.rules.core.basics.checking import CONTROL, Problem
from combat.rules.core.sheets.foreign import Asker, Foreign, ForeignItem, Question
from cosmos_site.base.file_kinds import ARCHIVE, PICTURE, TABLE, TEXT, find_kind, find_markup

PREFIX = "ask-"  # starts the names of the fields that hold answers
MAX_QUESTIONS = 200
FORMAT = "cosmos-table-characters"  # of a document of this site
MAX_BYTES, MAX_DOCUMENT_BYTES = 1_000_000, 8_000_000  # of any text, and of such a document with pictures
MAX_PLAIN = 2_000_000  # characters of such a document without its pictures
PORTRAIT = re.compile(r'("portrait":\s{0,9}")[^"]*')
MAX_PROBLEMS, MAX_DEPTH = 100, 40
SEEN = "open it, and paste the words that you see"
SAVED = {  # what works for files of these families
    TEXT: "save it as plain text in UTF-8",
    TABLE: "save it as “CSV UTF-8”",
    ARCHIVE: "unpack it and import file by file",
    PICTURE: "type the words that it shows",
}
NOT_UTF_8 = "is not JSON, CSV or text in UTF-8: save it as “UTF-8”, in a spreadsheet as “CSV UTF-8”"
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class ValidationFailed(Exception):
    """A file that cannot be imported, with every fault and its place."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems[:MAX_PROBLEMS]
        self.left_out = len(problems) - len(self.problems)


class _DuplicateField(ValueError):
    """A field that appears twice in one table."""


def read_text(raw: bytes, *, is_pasted: bool = False) -> str:
    """The text of a file in UTF-8, or in UTF-16 with its byte order mark; raises ValidationFailed.

    What is pasted into a field is no file that could be saved in another way.
    """
    kind = find_markup(raw)
    if kind:
        works = SEEN if is_pasted else SAVED.get(kind.family, SEEN)
        raise ValidationFailed(Problem("", f"is {kind.words}: {works}"))
    most = MAX_DOCUMENT_BYTES if FORMAT.encode() in raw[:300] else MAX_BYTES
    if len(raw) > most:
        raise ValidationFailed(Problem("", f"is larger than {most // 1_000_000} MB"))
    coding = next((name for mark, name in MARKS if raw.startswith(mark)), "utf-8")
    try:
        text = raw.decode(coding)
    except UnicodeDecodeError:
        raise ValidationFailed(Problem("", NOT_UTF_8)) from None
    if text.count("\0") * 3 > len(text):  # other programs write two or four bytes for each character
        raise ValidationFailed(Problem("", NOT_UTF_8))
    if len(text) > MAX_PLAIN and len(PORTRAIT.sub(r"\1", text)) > MAX_PLAIN:
        raise ValidationFailed(
            Problem("", f"is larger than {MAX_PLAIN // 1_000_000} MB without its pictures")
        )
    return text


def read_values(text: str) -> Any:
    """The values of a JSON document; raises ValidationFailed if it is not JSON or repeats a field."""
    text = _join_lines(text)
    try:
        data = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
        json.loads(text, object_pairs_hook=_refuse_duplicates)
    except _DuplicateField as twice:
        raise ValidationFailed(Problem("", f"has the field “{twice}” twice in one place")) from None
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as wrong:
        kind = find_kind(text.encode("utf-8", "surrogatepass"))
        said = f"is {kind.words}, not JSON" if kind else f"is not JSON: {wrong}"
        raise ValidationFailed(Problem("", said)) from None
    except RecursionError:
        raise ValidationFailed(Problem("", "is nested too deeply")) from None
    if not _is_shallow(data):
        raise ValidationFailed(Problem("", f"is nested too deeply: more than {MAX_DEPTH} levels"))
    return data


def _join_lines(text: str) -> str:
    """A text with one JSON table per line, as databases of Foundry VTT have it, as one list."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    is_listed = len(lines) > 1 and all(line[0] == "{" and line[-1] == "}" for line in lines)
    return f"[{','.join(lines)}]" if is_listed else text


def _is_shallow(data: Any) -> bool:
    """Whether tables and lists nest no deeper than any document here needs."""
    level = [data]
    for _ in range(MAX_DEPTH):
        inner = (value for value in level if isinstance(value, dict | list))
        level = [one for value in inner for one in (value.values() if isinstance(value, dict) else value)]
        if not level:
            return True
    return False


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise _DuplicateField("".join(sign for sign in name[:60] if sign.isprintable()))
        seen.add(name)


def refuse_controls(text: str) -> None:
    """Raise ValidationFailed for characters that no page can show, with their lines."""
    found = (n for n, line in enumerate(text.splitlines(), 1) if CONTROL.search(line))
    problems = [Problem(f"line {n}", "has characters that cannot be shown") for n in found]
    if problems:
        raise ValidationFailed(*problems)


@dataclass
class Reading:
    """The findings while words are read: `place` is their source, such as line 3.

    `asker` asks the questions that they leave open.
    """

    place: str
    asker: Asker = field(default_factory=lambda: Asker({}))
    remarks: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def say(self, label: str, message: str) -> None:
        """Remark on something that found no place."""
        self.remarks.append(Problem(self._at(label), message))

    def fail(self, label: str, message: str) -> None:
        """Record a fault."""
        self.problems.append(Problem(self._at(label), message))

    def _at(self, label: str) -> str:
        return ", ".join(word for word in (self.place, label[:60]) if word)


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
