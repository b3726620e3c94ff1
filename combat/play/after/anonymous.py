"""A fight without names and typed texts, for reports of faults.

Only what people put in is changed: the commands and their answers. All facts and states are made again from
them by the rules, so nothing typed can be left in those. A word stays if the program itself has it, such as
the name of a weapon in the catalogue; any other becomes a number, the same one wherever it stood.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from combat.rules.core.basics.data import read_toml
from combat.rules.core.basics.dice.requests import Answer
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.book.rulebook import find_folders
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import Document, make_document
from combat.rules.core.engine.engine import Done, ReplayDriver, find_action, run
from combat.rules.core.state.events import Fact
from combat.rules.core.state.history import CANCEL, COMMAND, RENEWALS, SEAL, SEATS, StateTimeline, Step
from combat.rules.core.state.state import State

from .imports import LINKED

CORE = Path(__file__).parents[2] / "rules" / "core"
# The words of code: as in `place="held"`, and the fields of its types
CODE_WORD = re.compile(r"""["']([a-z][a-z0-9_ -]*)["'.:]|^    ([a-z][a-z0-9_]*): """, re.MULTILINE)
OWN = re.compile(
    r"[a-z]{0,2}\d+(?:-g?\d+)*|\d*[dD]\d+(?:[+\-]\d+)?|[+\-\d.\s]*"
)  # ids that the program makes, dice, numbers
SPLIT = re.compile(r"([^\w\s'\-]+)")  # between the parts of a value such as "near:f2"
DIGEST = re.compile(r"[0-9a-f]{16,}")
NUMBERED = re.compile(r"(.*\S)( \d{1,3})")  # the rules count namesakes: "Guard 2"
# Fields that hold what people typed, whatever it is; with a dot, only inside that field
TYPED = frozenset(
    {"name", "side", "because", "reason", "text", "notes", "note", "word", "sheet.name", "alias"}
)
FREE = frozenset({"what", "why", "handout"})  # the same, but often words of the program, which stay
KINDS = {
    "name": "Combatant",
    "alias": "Combatant",
    "sheet.name": "Combatant",
    "side": "Side",
    "scene": "Place",
    "zone": "Place",
    "face": "face",
}


class Anonymous(msgspec.Struct, frozen=True):
    """A fight without names, and how far it could be played again: `stopped` says why not to its end."""

    document: Document
    stopped: str = ""


class Names:
    """New names for all that people typed: numbered by kind, the same for the same text."""

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known
        self.new: dict[str, str] = {}
        self.counts: Counter[str] = Counter()

    def change(self, text: str, path: str, key: str) -> str:
        """A text of a command: as it is if the program knows it, else with new names in it."""
        typed, is_free = path in TYPED or key in TYPED, key in FREE
        if typed and key == "side" and text in self.known:
            return text  # such as "enemies": those who join without a side are on one of the program's own
        if not text or (not typed and text in self.known):
            return text
        if OWN.fullmatch(text) and not typed and not is_free:
            return text
        if DIGEST.fullmatch(text):
            return self._number(text, lambda number: f"{number:0{len(text)}x}")
        if not (typed or is_free) and (parts := SPLIT.split(text))[1:]:
            return "".join(part if SPLIT.fullmatch(part) else self.change(part, path, "") for part in parts)
        found = NUMBERED.fullmatch(text)
        base, count = found.groups() if found else (text, "")
        return self._number(base, lambda number: f"{self._kind(path, key)}-{number}") + count

    def _kind(self, path: str, key: str) -> str:
        top = path.partition(".")[0]
        return KINDS.get(path) or KINDS.get(top) or KINDS.get(key) or "Text"

    def _number(self, text: str, write: Callable[[int], str]) -> str:
        if text not in self.new:
            kind = write(0)
            self.counts[kind] += 1
            self.new[text] = write(self.counts[kind])
        return self.new[text]

    def walk(self, value: Any, path: str = "", key: str = "") -> Any:
        """Plain data with new names; `path` is its place in the command, `key` the last part of that."""
        if isinstance(value, str):
            return self.change(value, path, key)
        if isinstance(value, list | tuple):
            return [self.walk(one, path, key) for one in value]
        if not isinstance(value, dict):
            return value
        return {self.change(name, "", ""): self._walk_field(one, path, name) for name, one in value.items()}

    def _walk_field(self, value: Any, path: str, name: str) -> Any:
        if name == "source" and isinstance(value, str) and LINKED.fullmatch(value):
            return ""
        inner = f"{path}.{name}" if path else name
        # inside items and sheets a name may be the catalogue's: only the outermost ones are always typed
        typed = name if "." not in inner or inner in TYPED or name in ("notes", "text") else ""
        return self.walk(value, inner, typed)


def make_anonymous(system: System, document: Document) -> Anonymous:
    """The fight of a document without names, typed texts and secrets of its dice."""
    names = Names(find_known_words(system))
    start = State(system.slug, rules=document.start.rules, options=document.start.options)
    course, steps, stopped = StateTimeline(start), list[Step](), ""
    for step in document.steps:
        try:
            steps.append(play_again(system, course.state, _strip(step, names)))
        except (Refused, Drift, LookupError, TypeError, ValueError) as problem:
            stopped = f"step {step.number}, {step.name}: {type(problem).__name__}"
            break
        course.follow(steps[-1])
    return Anonymous(make_document("Reported fight", start, tuple(steps), course.state), stopped)


def _strip(step: Step, names: Names) -> Step:
    """What people put in, without names and seals; new dice become a step without effect."""
    answers = tuple(_strip_answer(answer, names) for answer in step.answers)
    command = names.walk(step.command)
    kind, facts = (CANCEL, ()) if step.kind == SEAL else (step.kind, step.facts)
    return msgspec.structs.replace(
        step, kind=kind, command=command, answers=answers, facts=facts, by="", seal="", opened=""
    )


def _strip_answer(answer: Answer, names: Names) -> Answer:
    """An answer outside the series of sealed dice."""
    value = names.change(answer.value, "", "")
    return msgspec.structs.replace(answer, value=value, number=0, words="", series="")


def play_again(system: System, state: State, step: Step) -> Step:
    """A step with the facts that its command gives now; raises what the rules raise."""
    if step.kind == SEATS:
        return step
    if step.kind not in (COMMAND, CANCEL) or step.name in RENEWALS:
        return msgspec.structs.replace(step, facts=())
    action = find_action(system, step.name)
    result = run(
        system,
        state,
        action,
        command=read_command(action, step.command),
        driver=ReplayDriver(),
        answers=step.answers,
    )
    if step.kind == COMMAND and not isinstance(result, Done):
        raise Drift(f"{step.name} asks for more than was recorded")
    return msgspec.structs.replace(step, facts=result.facts)


def find_difference(before: Document, after: Document) -> int:
    """The first step whose facts are of other kinds than before; 0 if there is none."""
    for old, new in zip(before.steps, after.steps, strict=False):
        if old.kind == COMMAND and _shape(old.facts) != _shape(new.facts):
            return new.number
    return 0


def _shape(facts: Iterable[Fact]) -> list[tuple[str, str]]:
    return [(type(fact.event).__name__, fact.rule) for fact in facts]


@cache
def _read_known(folders: tuple[Path, ...]) -> frozenset[str]:
    words = {"True", "False"}
    for folder in folders:
        for path in folder.rglob("*.toml"):
            words.update(_find_texts(read_toml(path)))
        for path in folder.rglob("*.py"):
            words.update(*CODE_WORD.findall(path.read_text("utf-8")))
    return frozenset(words)


def find_known_words(system: System) -> frozenset[str]:
    """The words of the program: the texts of a game's data files, the names in its code, and what a GM's own
    conditions can change."""
    own = system.characters.own_conditions
    return _read_known((CORE, *find_folders(system.folder))) | own.changes.keys() | own.effects.keys()


def _find_texts(data: Any) -> Iterator[str]:
    """All texts in plain data, names of fields too."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for one in data:
            yield from _find_texts(one)
    elif isinstance(data, dict):
        yield from data
        for one in data.values():
            yield from _find_texts(one)
