"""An exported encounter taken in: verified by playing it again, then kept as somebody's own.

Two things stay behind. Links to sheets lead to those of another table, whatever is under their numbers
here. And dice that another table sealed count as rolled there: their seals are checked when the file
is read, but only that table can open the last of them.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib.auth.models import User

from combat.audience.changes import find_private
from combat.models import Campaign, Encounter, StoredStep
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import Document, Verdict, read_document, replay, write_document
from combat.rules.core.state.history import COMMAND, Course, Step
from combat.rules.core.state.state import State, encode, present, replace
from combat.rules.core.system import System

from .encounter_service import any_lines, create_encounter
from .locking import alone

MAX_BYTES = 10_000_000
MAX_STEPS = 5_000
MAX_BY = 150
MAX_SAID = 350  # letters of what does not match: it may quote what stands there
LINKED = re.compile(r"(character|npc):\d+")  # a sheet of another table, in a mark or a command


@dataclass(frozen=True)
class Imported:
    """An encounter that was taken in, and what playing it again said."""

    encounter: Encounter
    verdict: Verdict


def import_encounter(owner: User, raw: bytes, campaign: Campaign | None = None) -> Imported:
    """Keep the encounter of a document; Refused says in words what is wrong with it, and keeps nothing."""
    if len(raw) > MAX_BYTES:
        text = f"The file is too large: an encounter has at most {MAX_BYTES // 1_000_000} MB."
        raise Refused("bad_value", text)
    document = read_document(raw, _find_known)
    verdict = _check(document)
    steps = [_unseal(step) for step in _unlink(document).steps]
    _check_texts(steps)
    name = tidy(" ".join(document.name.split()))[:100] or "Imported encounter"
    with alone():
        made = create_encounter(owner, document.system, name)
        made.campaign = campaign
        made.start = encode(document.start)
        _write(made, document.start, steps)
    return Imported(made, verdict)


def _find_known(slug: str) -> System:
    """The game of a document; Refused if it is not here."""
    if slug not in SYSTEMS:
        raise Refused("bad_value", f"This is an encounter of “{slug[:40]}”: no such game is here.")
    return find_system(slug)


def _check(document: Document) -> Verdict:
    """Play the document again; Refused if that cannot be, or gives something else."""
    _find_known(document.system)
    if len(document.steps) > MAX_STEPS:
        raise Refused("bad_value", f"The log is too long: at most {MAX_STEPS:,} steps can be imported.")
    if document.start != State(document.system, rules=document.start.rules):
        raise Refused("bad_value", "The encounter does not begin empty: export it whole, then import that.")
    verdict = replay(document, find_system)
    if not verdict.ok:
        said = verdict.elsewhere or f"{verdict.summary[:MAX_SAID]}."
        raise Refused("bad_value", f"{said} Nothing was imported.")
    return verdict


def _check_texts(steps: list[Step]) -> None:
    """Refuse what not every database keeps as text; in the record of a step it does no harm."""
    if any("\0" in text for step in steps for text in (step.name, step.by, find_private(step.facts))):
        raise Refused("bad_value", "The file has characters that cannot be saved: export the encounter anew.")


def _unlink(document: Document) -> Document:
    """The document without the numbers of sheets at another table."""
    plain = msgspec.json.decode(write_document(document))
    return read_document(msgspec.json.encode(_without_links(plain)))


def _without_links(data: Any) -> Any:
    if isinstance(data, list):
        return [_without_links(each) for each in data]
    if not isinstance(data, dict):
        return data
    return {key: _without_links(value) for key, value in data.items() if not _is_link(key, value)}


def _is_link(key: str, value: Any) -> bool:
    return key == "source" and isinstance(value, str) and bool(LINKED.fullmatch(value))


def _unseal(step: Step) -> Step:
    """A step whose dice count as rolled at another table."""
    answers = tuple(replace(answer, number=0, words="") for answer in step.answers)
    return replace(step, answers=answers, seal="", opened="", by=step.by[:MAX_BY])


def _write(encounter: Encounter, start: State, steps: list[Step]) -> None:
    """Keep the steps with the state after each, and the last of them as the present one."""
    course = Course(start)
    rounds = [course.follow(step).round for step in steps]
    live = set(course.line.live)
    StoredStep.objects.bulk_create(
        StoredStep(
            encounter=encounter,
            number=step.number,
            kind=step.kind,
            name=step.name[:40],
            by=step.by,
            target=step.target,
            round=rounded,
            record=msgspec.json.encode(step),
            public=_has_lines(encounter, step),
            private=find_private(step.facts),
            after=zlib.compress(encode(course.states[step.number]), 1),
            struck=step.kind == COMMAND and step.number not in live,
        )
        for step, rounded in zip(steps, rounds, strict=True)
    )
    state = course.state
    encounter.state, encounter.steps = encode(state), len(steps)
    encounter.undone = list(course.line.undone)
    encounter.phase, encounter.round = state.phase, state.round
    encounter.fighters, encounter.version = len(present(state)), len(steps)
    encounter.save()


def _has_lines(encounter: Encounter, step: Step) -> bool:
    """Whether everybody can read a line of a step; Refused if it cannot be drawn at all."""
    try:
        return any_lines(encounter, step)
    except (LookupError, TypeError, ValueError, AttributeError) as wrong:
        raise Refused("bad_value", f"Step {step.number} cannot be read: {wrong!r}.") from None
