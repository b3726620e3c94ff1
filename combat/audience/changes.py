"""Who has to look again after a change: the GM, those at seats, or everybody.

A change that only the GM can see moves no other stamp, so nobody else hears of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import transaction

from combat.audience.viewer import Viewer
from combat.live import hub
from combat.models import Encounter
from combat.rules.core.basics.requests import Answer, Request
from combat.rules.core.basics.typed import read_json
from combat.rules.core.state.events import EVERYONE, Fact, seats_of
from combat.rules.core.state.state import Item, State

from .secrecy import find_unknown, redact


class PendingCommand(msgspec.Struct, frozen=True):
    """The record of an open command."""

    command: dict[str, Any]
    answers: tuple[Answer, ...]
    requests: tuple[Request, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Audience:
    """Whom a change concerns besides the GM. What everybody sees, those at seats see too."""

    public: bool = False
    seated: bool = False


FOR_ALL = Audience(True, True)
FOR_SEATS = Audience(False, True)


def read_pending(encounter: Encounter) -> PendingCommand | None:
    """The open command of an encounter, if it waits for one."""
    waiting = getattr(encounter, "open_command", None)
    return read_json(bytes(waiting.record), PendingCommand) if waiting else None


def people_of(waiting: PendingCommand) -> list[str]:
    """The fighters an open command is about: who began it, and who is asked."""
    asked = (who for request in waiting.requests for who in request.people)
    return [str(waiting.command.get("actor", "")), *asked]


def find_held(encounter: Encounter) -> set[str]:
    """The fighters that somebody plays from a seat."""
    seats = encounter.seats.filter(ended=None).values_list("fighters", flat=True)
    return {who for fighters in seats for who in fighters}


def find_private(facts: Iterable[Fact]) -> str:
    """The fighters whose own players learn more of these facts than everybody: ",f1,f2,"."""
    people = sorted({who for fact in facts for who in seats_of(fact.to)})
    return f",{','.join(people)}," if people else ""


def find_audience(encounter: Encounter, facts: Iterable[Fact]) -> Audience:
    """Whom facts concern."""
    facts = tuple(facts)
    if any(fact.to == EVERYONE or fact.twin is not None for fact in facts):
        return FOR_ALL
    people = find_private(facts)
    is_held = bool(people) and any(f",{who}," in people for who in find_held(encounter))
    return FOR_SEATS if is_held else Audience()


def find_seen_audience(before: State, after: State) -> Audience:
    """Everybody looks again when, as far as they can see, another fighter has the turn or has had it,
    or something else lies on the ground, though nobody is told how that came about."""
    return FOR_ALL if _look(before) != _look(after) else Audience()


def _look(state: State) -> tuple[dict[str, tuple[bool, bool]], tuple[Item, ...]]:
    """Of everybody whom all can see whether they have the turn and have had it; and what lies about."""
    seen = redact(state, Viewer())
    acting = (seen.active, *seen.sharing)
    return {one.id: (one.id in acting, one.acted) for one in seen.combatants.values()}, seen.ground


def find_pending_audience(encounter: Encounter, state: State, *commands: PendingCommand | None) -> Audience:
    """Whom it concerns that these commands are open now, or were until now.

    Everybody sees that fighters they know of are asked. Somebody at a seat sees a question to a fighter
    that is not hidden, and all that is about their own.
    """
    waiting = [command for command in commands if command]
    asked = {who for command in waiting for request in command.requests for who in request.people}
    if asked.intersection(state.combatants) - find_unknown(state, Viewer()):
        return FOR_ALL
    if any(who in asked and not fighter.hidden for who, fighter in state.combatants.items()):
        return FOR_SEATS
    people = {who for command in waiting for who in people_of(command)}
    return FOR_SEATS if waiting and people & find_held(encounter) else Audience()


def count_change(encounter: Encounter, *audiences: Audience) -> None:
    """Move the stamps of those whom a change concerns, and tell their pages when it is written."""
    encounter.version += 1
    encounter.public += any(each.public for each in audiences)
    encounter.seated += any(each.seated for each in audiences)
    stamps = {
        "gm": encounter.stamp(is_gm=True),
        "seat": encounter.stamp(is_gm=False, is_seated=True),
        "public": encounter.stamp(is_gm=False),
    }
    transaction.on_commit(lambda: hub.publish(encounter.pk, stamps), robust=True)
