"""The audience of a change: the GM, those at seats, or everybody.

A change that only the GM can see moves no other stamp, so others do not notice it.
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
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer, Request
from combat.rules.core.basics.typed import read_json
from combat.rules.core.state.events import EVERYONE, Fact, seats_of
from combat.rules.core.state.state import State, present

from .secrecy import redact


class PendingCommand(msgspec.Struct, frozen=True):
    """The record of an open command."""

    command: dict[str, Any]
    answers: tuple[Answer, ...]
    requests: tuple[Request, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Audience:
    """Who may see a change besides the GM. Those at seats also see what everybody sees."""

    public: bool = False
    seated: bool = False


FOR_ALL = Audience(True, True)
FOR_SEATS = Audience(False, True)


def read_pending(encounter: Encounter) -> PendingCommand | None:
    """The open command of an encounter, if there is one."""
    waiting = getattr(encounter, "open_command", None)
    return read_json(bytes(waiting.record), PendingCommand) if waiting else None


def people_of(waiting: PendingCommand) -> list[str]:
    """The combatants of an open command: the one who began it, and those who are asked."""
    asked = (who for request in waiting.requests for who in request.people)
    return [str(waiting.command.get("actor", "")), *asked]


def find_held(encounter: Encounter) -> set[str]:
    """The combatants that someone plays from a seat."""
    seats = encounter.seats.filter(ended=None).values_list("combatants", flat=True)
    return {who for combatants in seats for who in combatants}


def find_private(facts: Iterable[Fact]) -> str:
    """The combatants whose players learn more of these facts than everybody, as ",f1,f2,"."""
    people = sorted({who for fact in facts for who in seats_of(fact.to)})
    return f",{','.join(people)}," if people else ""


def find_audience(encounter: Encounter, facts: Iterable[Fact]) -> Audience:
    """The audience of facts."""
    facts = tuple(facts)
    if any(fact.to == EVERYONE or fact.twin is not None for fact in facts):
        return FOR_ALL
    people = find_private(facts)
    is_held = bool(people) and any(f",{who}," in people for who in find_held(encounter))
    return FOR_SEATS if is_held else Audience()


def find_seen_audience(before: State, after: State) -> Audience:
    """The audience of a change that shows on the page although no fact tells of it.

    Everybody if all can see it; those at seats if only some players can.
    """
    if _look(before, Viewer()) != _look(after, Viewer()):
        return FOR_ALL
    players = {combatant.side: combatant.id for combatant in present(after) if combatant.pc}
    eyes = [Viewer("seat", frozenset((who,))) for who in players.values()]
    return FOR_SEATS if any(_look(before, each) != _look(after, each) for each in eyes) else Audience()


def _look(state: State, viewer: Viewer) -> tuple[Any, ...]:
    """What a viewer may know: who has the turn, who has had it or has left, the ground, and the scene."""
    seen = redact(state, viewer)
    acting = (seen.active, *seen.sharing)
    people = {one.id: (one.id in acting, one.acted, one.gone) for one in seen.combatants.values()}
    return people, seen.ground, seen.scene


def find_pending_audience(encounter: Encounter, state: State, *commands: PendingCommand | None) -> Audience:
    """The audience of commands that are open now, or were until now.

    Everybody sees that combatants they may know of are asked. Seats also see all that is about their own.
    """
    waiting = [command for command in commands if command]
    if not waiting:
        return Audience()
    system, held = find_system(encounter.system), find_held(encounter)
    asked = {who for command in waiting for request in command.requests for who in request.people}
    knowing = [system.find_witnesses(state, (who,)) for who in asked if who in state.combatants]
    if None in knowing:
        return FOR_ALL
    people = {who for command in waiting for who in people_of(command)}.union(*filter(None, knowing))
    return FOR_SEATS if people & held else Audience()


def count_change(encounter: Encounter, *audiences: Audience) -> None:
    """Move the stamps of these audiences, and tell their pages once the change is committed."""
    encounter.version += 1
    encounter.public += any(each.public for each in audiences)
    encounter.seated += any(each.seated for each in audiences)
    stamps = {
        "gm": encounter.stamp(is_gm=True),
        "seat": encounter.stamp(is_gm=False, is_seated=True),
        "public": encounter.stamp(is_gm=False),
    }
    transaction.on_commit(lambda: hub.publish(encounter.pk, stamps), robust=True)
