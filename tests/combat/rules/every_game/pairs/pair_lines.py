"""The lines of the tables of pairs: equal ones folded, facts in few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from combat.rules.core.state import events as e

Line = tuple[str, str]  # the names that share a text, and the text
QUIET = (e.BudgetSet, e.Marked, e.TurnEnded, e.TurnStarted, e.TurnShared, e.RoundStarted)
SILENT = (*QUIET, e.OrderSet, e.InitiativeSet)


def fold(texts: Mapping[str, str], everything: Iterable[str]) -> tuple[Line, ...]:
    """Lines of names that share a text; "all" or "all but" where that is shorter."""
    names: dict[str, list[str]] = {}
    for name, text in texts.items():
        names.setdefault(text, []).append(name)
    every = list(everything)
    return tuple((_name(some, every), text) for text, some in names.items())


def _name(some: list[str], every: list[str]) -> str:
    others = [name for name in every if name not in some]
    if not others:
        return "all"
    return f"all but {', '.join(others)}" if len(others) < len(some) / 2 else ", ".join(some)


def differ(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """The added and removed terms."""
    came = [f"+ {term}" for term in new if term not in old]
    went = [f"- {term}" for term in old if term not in new]
    return "; ".join((*came, *went))


def tell_facts(facts: Iterable[e.Fact], who: str) -> str:
    """The facts about a combatant, by key: movement modes, checks, numbers and conditions."""
    texts = [_tell(fact.event) for fact in facts if getattr(fact.event, "who", who) == who]
    return "; ".join(dict.fromkeys(filter(None, texts)))


def _tell(event: Any) -> str:
    match event:
        case e.Moved():
            return f"{_key(event.how)} {event.metres:g} for {event.cost:g}"
        case e.BudgetSpent():
            return f"spends {', '.join(f'{n} {pool}' for pool, n in event.pools.items() if n)}"
        case e.Checked():
            return f"check {_key(event.what)} against {event.against}"
        case e.TrackChanged():
            return f"{event.track} {event.new - event.old:+} ({_key(event.why)})"
        case e.ConditionGained():
            return f"now {event.condition.kind}"
        case e.ConditionEnded():
            return f"no longer {_key(event.label)}"
        case e.Said():
            return event.key
        case _:
            return "" if isinstance(event, SILENT) else type(event).__name__


def _key(label: Any) -> str:
    return str(getattr(label, "key", label))


def write(table: Mapping[str, tuple[Line, ...]]) -> str:
    """The table as text; sections with the same lines as one."""
    names: dict[tuple[Line, ...], list[str]] = {}
    for name, lines in table.items():
        names.setdefault(lines, []).append(name)
    sections = [
        "\n".join(
            (", ".join(several), *(f"    {who}: {text}" for who, text in lines or (("all", "as without"),)))
        )
        for lines, several in names.items()
    ]
    return "\n\n".join(sections) + "\n"
