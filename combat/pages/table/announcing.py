"""What is announced after a step: by the live region of a screen reader, and if no card shows it."""

from __future__ import annotations

from collections.abc import Iterable

from combat.audience.viewer import Viewer
from combat.display.shapes.question_shapes import Decider, Prompt
from combat.display.shapes.result_shapes import ResultView
from combat.display.shapes.table_shapes import CombatantView, LogStep
from combat.rules.core.basics.words import possessive
from combat.rules.core.state.state import State

MAX_TOLD = 4  # lines of a step that are read out


def find_latest(results: tuple[ResultView, ...], log: tuple[LogStep, ...]) -> str:
    """The last event, if no card shows it, without whose turn it is: the page's head says that."""
    if results and log and results[-1].key == log[0].number:
        return ""
    told = _read_lines(log[0], without="turn") if log else []
    return _join_lines(_mark_undone(told[-MAX_TOLD:], log))


def announce_last(
    state: State, combatants: dict[str, CombatantView], log: tuple[LogStep, ...], way: str, viewer: Viewer
) -> str:
    """The announcement after a swap; for a new round also its direction."""
    is_own = not viewer.is_gm and viewer.plays(state.active)
    words = _read_lines(log[0], without="turn" if is_own else "") if log else []
    if is_own:
        words.append("Your turn.")
    elif state.active in combatants and not any("turn" in word for word in words):
        words.append(f"{possessive(combatants[state.active].name)} turn.")
    told = _mark_undone(words[-MAX_TOLD:], log)
    is_new = bool(log) and any(line.kind == "round" for line in log[0].lines)
    if way and is_new and not any(way in word for word in told):
        told = [f"Round {state.round}, {way}.", *told]
    return _join_lines(told)


def announce_prompt(prompt: Prompt) -> str:
    """What an open action came to so far, its questions to the viewer, and who else is asked."""
    told = [line.text for line in prompt.lines[-MAX_TOLD:]]
    told += [f"{question.who}: {question.text}" for question in prompt.questions]
    if prompt.missing:
        told += [_say_decider(one) for one in prompt.deciders]
    elif not prompt.questions:
        told.append("Waiting for an answer.")
    return _join_lines(told)


def _say_decider(one: Decider) -> str:
    """Who is asked elsewhere, as the page shows it: "Knuckles decides (the GM)."."""
    verb = ("roll" if one.rolls else "decide") + ("" if " or " in one.name else "s")
    return f"{one.name} {verb}{' (the GM)' if one.by_gm else ''}."


def _read_lines(step: LogStep, without: str = "") -> list[str]:
    """The lines of a step but those of a kind; of a canceled action only that: its rolls do not count."""
    if step.kind == "cancel":
        return [f"Canceled: {step.label}"]
    return [line.text for line in step.lines if line.kind != without]


def _mark_undone(told: list[str], log: tuple[LogStep, ...]) -> list[str]:
    """The lines of the newest step, marked if it is undone: players see no step for the undo itself."""
    return [f"Undone: {told[0]}", *told[1:]] if told and log and log[0].struck else told


def _join_lines(told: Iterable[str]) -> str:
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in told)
