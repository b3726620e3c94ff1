"""The audience of a change: the GM, those at seats, or everybody.

A change that only the GM can see moves no other stamp, so others do not notice it. While somebody unseen has
the turn, the end of the last turn in sight is held back until the next: pages still show who acted last,
so a hidden turn looks like a slow GM.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from combat.live import hub
from combat.models import Encounter, Seat, ShareLink
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.dice.requests import Answer, Request
from combat.rules.core.declaration.parts import Actions
from combat.rules.core.state import events as e
from combat.rules.core.state.events import Fact
from combat.rules.core.state.history import COMMAND, Step, has_public_roll
from combat.rules.core.state.state import FACE, State, is_played, present

from .map_fog import find_unknown
from .secrecy import redact
from .viewer import Viewer

STARTS = (e.TurnStarted, e.TurnShared)
AT_ONCE = (*STARTS, e.FightStarted, e.FightEnded, e.Checked)  # a step with one of them is told at once


class PendingCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that waits for dice or a choice, with its answers so far and its provisional facts.

    `number` tells it from every other command of its encounter; `asked` is when its questions came up.
    """

    name: str
    number: int
    command: dict[str, Any]
    answers: tuple[Answer, ...]
    requests: tuple[Request, ...]
    facts: tuple[Fact, ...]
    by: str = ""
    asked: datetime = msgspec.field(default_factory=timezone.now)


@dataclass(frozen=True)
class Audience:
    """Who may see a change besides the GM: everybody, all at seats, or the players of these people.

    Those at seats also see what everybody sees. With `held` everybody else learns of it later.
    """

    public: bool = False
    seated: bool = False
    people: frozenset[str] = frozenset()
    held: bool = False


FOR_ALL = Audience(True, True)
FOR_SEATS = Audience(False, True)


def read_pending(encounter: Encounter) -> PendingCommand | None:
    """The open command of an encounter, if there is one."""
    record = encounter.open_command
    return read_json(bytes(record), PendingCommand) if record else None


def people_of(waiting: PendingCommand) -> list[str]:
    """The combatants of an open command: the one who began it, and those who are asked."""
    asked = (who for request in waiting.requests for who in request.people)
    return [str(waiting.command.get("actor", "")), *asked]


def find_held(encounter: Encounter) -> set[str]:
    """The combatants that someone plays from a seat."""
    seats = find_players(encounter.pk).values_list("combatants", flat=True)
    return {who for combatants in seats for who in combatants}


def find_private(facts: Iterable[Fact]) -> str:
    """The combatants whose players learn more of these facts than everybody, as ",f1,f2,"."""
    people = sorted({who for fact in facts for who in fact.seats})
    return f",{','.join(people)}," if people else ""


def find_audience(facts: Iterable[Fact]) -> Audience:
    """The audience of facts."""
    facts = tuple(facts)
    if any(fact.is_public for fact in facts):
        return FOR_ALL
    return Audience(people=frozenset(who for fact in facts for who in fact.seats))


def find_step_audience(step: Step, after: State) -> Audience:
    """The audience of a step that leads to this state, also when it is undone or redone.

    If it is held back, only those notice it whose turn it ends, and those who may know whose it begins.
    """
    if not is_quiet(step, Viewer()) or not (is_held_back(step, Viewer()) or _acts_unseen(after)):
        return find_audience(step.facts)
    ended = find_ended(step)
    named = {who for fact in step.facts for who in fact.seats}
    knowing = {who for who in named if not is_quiet(step, Viewer("seat", frozenset((who,))))}
    return Audience(people=ended | knowing, held=True)


def _acts_unseen(state: State) -> bool:
    """Whether only people whom not everybody may know of still act."""
    acting = {state.active, *state.sharing} - {""}
    return bool(acting) and acting <= find_unknown(state, Viewer())


def find_seen_audience(before: State, after: State) -> Audience:
    """The audience of a change that shows on the page although no fact tells of it.

    Everybody if all can see it; else the players of the sides that can.
    """
    if _look(before, Viewer()) != _look(after, Viewer()):
        return FOR_ALL
    players = {combatant.side: combatant.id for combatant in present(after) if is_played(after, combatant)}
    viewers = {side: Viewer("seat", frozenset((who,))) for side, who in players.items()}
    sides = {side for side, each in viewers.items() if _look(before, each) != _look(after, each)}
    return Audience(people=frozenset(one.id for one in present(after) if one.side in sides))


def _look(state: State, viewer: Viewer) -> tuple[Any, ...]:
    """What a viewer may know: names, who has the turn, who has had it or left, the ground, and the scene."""
    seen = redact(state, viewer)
    acting = (seen.active, *seen.sharing)
    people = {
        one.id: (one.id in acting, one.acted, one.gone, one.name, one.marks.get(FACE))
        for one in seen.combatants.values()
    }
    return people, seen.ground, seen.scene


def find_pending_audience(encounter: Encounter, state: State, *commands: PendingCommand | None) -> Audience:
    """The audience of commands that are open now, or were until now.

    Everybody sees that combatants they may know of are asked. Players also see all that is about their own.
    """
    waiting = [command for command in commands if command]
    if not waiting:
        return Audience()
    system = find_system(encounter.system)
    asked = {who for command in waiting for request in command.requests for who in request.people}
    knowing = [system.find_witnesses(state, (who,)) for who in asked if who in state.combatants]
    if None in knowing:
        return FOR_ALL
    people = {who for command in waiting for who in people_of(command)}.union(*filter(None, knowing))
    return Audience(people=frozenset(people))


def count_change(encounter: Encounter, *audiences: Audience, seats: Iterable[int] = ()) -> None:
    """Move the stamps of these audiences and seats, and tell their pages once the change is committed.

    Of a fight that is closed to players the GM's pages alone are told.
    """
    own: dict[int, str] = {}
    if encounter.closed:
        audiences, seats = (), ()
    people = frozenset[str]().union(*(each.people for each in audiences))
    if (people or seats) and not any(each.seated for each in audiences):
        own = _count_private(encounter, people, frozenset(seats))
    encounter.version += 1
    encounter.public += any(each.public for each in audiences)
    encounter.seated += any(each.seated for each in audiences)
    stamps = {
        "gm": encounter.stamp(is_gm=True),
        "seat": encounter.stamp(is_gm=False, is_seated=True),
        "public": encounter.stamp(is_gm=False),
    }
    transaction.on_commit(lambda: hub.publish(encounter.pk, stamps, own), robust=True)


def _count_private(encounter: Encounter, people: frozenset[str], seats: frozenset[int]) -> dict[int, str]:
    """Count what only some at seats can see; return their own parts of the stamp."""
    found = encounter.seats.filter(ended=None)
    moved = [seat for seat in found if seat.pk in seats or not people.isdisjoint(seat.combatants)]
    Seat.objects.filter(pk__in=[seat.pk for seat in moved]).update(heard=F("heard") + 1)
    for seat in moved:
        seat.heard += 1
    return {seat.pk: seat.own_stamp for seat in moved}


def is_held_back(step: Step, viewer: Viewer) -> bool:
    """Whether a step only passes the turn to people whom a viewer may not know of."""
    return any(isinstance(fact.event, STARTS) for fact in step.facts) and is_quiet(step, viewer)


def is_quiet(step: Step, viewer: Viewer) -> bool:
    """Whether a step ends a turn and a viewer sees none begin; nor dice, which are told at once."""
    if viewer.is_gm or step.kind != COMMAND or step.name != Actions.advance:
        return False
    return not has_public_roll(step) and not any(map(_is_told, viewer.select(step.facts)))


def _is_told(fact: e.Fact) -> bool:
    return isinstance(fact.event, AT_ONCE) or bool(getattr(fact.event, "roll", None))


def find_ended(step: Step) -> frozenset[str]:
    """The combatants whose turns a step ends."""
    return frozenset(fact.event.who for fact in step.facts if isinstance(fact.event, e.TurnEnded))


# What every page of a table asks the database: an encounter, and the seats there. It is asked at every
# request, so a deleted table, an ended seat or a revoked link is seen at once.


def find_encounter(pk: int) -> Encounter | None:
    """The encounter of this number."""
    return Encounter.objects.filter(pk=pk).first()


def find_open_seats() -> QuerySet[Seat]:
    """The seats that were not given up and whose links have neither expired nor been revoked."""
    in_time = Q(link__expires=None) | Q(link__expires__gt=timezone.now())
    return Seat.objects.filter(Q(link=None) | (Q(link__revoked=None) & in_time), ended=None)


def find_open_seat(encounter: int, pk: int) -> Seat | None:
    """The open seat of this number."""
    return find_open_seats().filter(encounter=encounter, pk=pk).first()


def find_players(encounter: int) -> QuerySet[Seat]:
    """The open seats of players, the oldest first."""
    return find_open_seats().filter(encounter=encounter, kind=ShareLink.PLAY).order_by("created")
