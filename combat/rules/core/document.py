"""An encounter as one JSON document, and its verified replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from .commands import read_command
from .engine import Done, Recorded, find_action, run
from .errors import Drift, Refused
from .fold import fold_all
from .history import CANCEL, COMMAND, REDO, UNDO, Step, Timeline, follow_step
from .space import Scene
from .state import Combatant, Scalar, State
from .system import System

FORMAT, VERSION = "cosmos-table-encounter", 1
# What rules raise over a state that no rule could have made
_CORRUPT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exported encounter. `options`, `scene` and `combatants` are those of the final state."""

    format: str = FORMAT
    version: int = VERSION
    name: str = ""
    system: str
    options: dict[str, Scalar] = {}
    scene: Scene = Scene()
    combatants: tuple[Combatant, ...] = ()
    start: State
    steps: tuple[Step, ...] = ()
    final: State


class Verdict(msgspec.Struct, frozen=True):
    """The result of a replay: how many steps matched, and what the first other one said."""

    ok: bool
    steps: int
    failed: int = 0
    message: str = ""
    state: State | None = None


def make_document(name: str, start: State, steps: tuple[Step, ...], final: State) -> Document:
    """The document of an encounter."""
    fighters = tuple(f for f in final.combatants.values() if not f.gone)
    return Document(
        name=name,
        system=final.system,
        options=final.options,
        scene=final.scene,
        combatants=fighters,
        start=start,
        steps=steps,
        final=final,
    )


def write_document(document: Document) -> bytes:
    """Readable JSON bytes."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def read_document(raw: bytes) -> Document:
    """Read and validate a document; Refused("bad_value") says what is wrong and where."""
    try:
        document = msgspec.json.decode(raw, type=Document)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError, UnicodeDecodeError) as wrong:
        raise Refused("bad_value", f"Not an encounter document: {wrong}") from None
    if document.format != FORMAT or document.version != VERSION:
        message = f"This reads {FORMAT} version {VERSION}, not {document.format} {document.version}."
        raise Refused("bad_value", message)
    return document


def replay(document: Document, find_system: Callable[[str], System]) -> Verdict:
    """Run every command again with its recorded answers and compare all facts and states."""
    system = find_system(document.system)
    states: dict[int, State] = {0: document.start}
    line, state = Timeline(), document.start
    for number, step in enumerate(document.steps, 1):
        problem, state = _replay_step(system, states, line, state, step)
        if step.number != number:
            problem = f"the step after {number - 1} calls itself {step.number}"
        if problem:
            return Verdict(False, number - 1, number, problem, state)
        line = follow_step(line, step)
        states[number] = state
    if state != document.final:
        return Verdict(False, len(document.steps), 0, "the final state differs", state)
    if make_document(document.name, document.start, document.steps, state) != document:
        return Verdict(False, len(document.steps), 0, "the summary is not that of the final state", state)
    return Verdict(True, len(document.steps), state=state)


def _replay_step(
    system: System, states: dict[int, State], line: Timeline, state: State, step: Step
) -> tuple[str, State]:
    if step.kind == UNDO:
        if not line.live or line.live[-1] != step.target:
            return "the undo does not strike the last live step", state
        return "", states[line.live[-2] if len(line.live) > 1 else 0]
    if step.kind == REDO:
        if not line.undone or line.undone[0] != step.target:
            return "the redo does not restore the last undone step", state
        return "", states[step.target]
    if step.kind == COMMAND:
        return _run_again(system, state, step)
    return "" if step.kind == CANCEL else f"there are no steps of the kind “{step.kind}”", state


def _run_again(system: System, state: State, step: Step) -> tuple[str, State]:
    try:
        action = find_action(system, step.name)
        command = read_command(action, step.command)
        result = run(system, state, action, command, Recorded(), step.answers)
    except (Refused, Drift) as problem:
        return f"{step.name}: {problem}", state
    except _CORRUPT as problem:
        return f"{step.name} cannot be played: {type(problem).__name__}: {problem}", state
    if not isinstance(result, Done):
        return f"{step.name} asks for more than was recorded", state
    if set(result.answers) != set(step.answers):
        return f"{step.name} holds an answer twice", state
    if result.facts != step.facts:
        return f"{step.name} gives other facts today: {_first_difference(result, step)}", state
    return "", fold_all(state, step.facts)


def _first_difference(result: Done, step: Step) -> str:
    pairs: list[tuple[Any, Any]] = list(zip(result.facts, step.facts, strict=False))
    for now, then in pairs:
        if now != then:
            return f"{now} instead of {then}"
    return f"{len(result.facts)} facts instead of {len(step.facts)}"
