"""Wishes: what players want to do that no button has, and what the GM offers for it.

A wish costs nothing and holds nothing up, so it is no step of the log: it waits in the row of its encounter.
What comes of it is a step like any other. A player has one wish at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace as with_fields
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec
from django.dispatch import receiver
from django.utils import timezone
from msgspec.structs import replace

from combat.audience.changes import Audience, count_change, find_players
from combat.audience.rights import Grant, check_gm, check_pause, find_viewer, hide_secret_refusals
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import MAX_COUNT
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.engine.engine import AutoDriver, find_action, run
from combat.rules.core.gm.improvising import ACT, Improvise, check_act, clean_words
from combat.rules.core.state.history import CANCEL
from combat.rules.core.state.state import State
from combat.stamps import COMMON, make_stamp

from .writing.encounter_service import (
    COUNTED,
    Submission,
    SubmissionResult,
    check_version,
    command_closed,
    fight_ended,
    read_state,
    steps_turned,
    submit,
)
from .writing.locking import locked

OFFERED = "offered"  # the status of a wish that waits for its player
REFUSED = "refused"  # and of one that has the GM's answer in its place
MOST, PER = 12, timedelta(minutes=1)  # wishes of one seat in such a time
OPEN, MAX_DONE = 0, 100  # in place of a step: the open command; steps that remember their wishes
GONE = "That wish is no longer there: it was taken back, changed or answered."


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """What someone wants to do, in their player's words, and whom it is about; `seat` is who asked.

    Its number tells nothing, not even how many there were before. Once `offered`, it has the act as the GM
    rules it; `hides` keeps its endings from the player. `reply` is what the GM or the player last said to
    it. Any change gives it another number.
    """

    number: int
    who: str
    words: str
    about: str = ""
    seat: int = 0
    status: Literal["asked", "offered", "refused"] = "asked"
    reply: str = ""
    offer: dict[str, Any] = {}
    hides: bool = False


class PlannedTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """What someone means to do in their next turn; `seat` is who planned it (play/planned.py).

    `action` is done to the `target` with the `weapon`, after a move `to` a place. `otherwise` is the action
    if nobody is in reach. `name` is what its player called the target, `chance` what it was in percent then.
    """

    who: str
    seat: int = 0
    action: str = ""
    target: str = ""
    weapon: str = ""
    to: str = ""
    otherwise: str = ""
    name: str = ""
    chance: str = ""
    words: str = ""


class Wishes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wishes of an encounter, the oldest first, and when each seat made its last ones.

    `counts` is how many numbers each seat has used; `last` is that of all together, as 1.1.0 gave them.
    `done` are the wishes that a step of the log closed, by its number: an undo of that step brings them back.
    `plans` are the turns that players plan, `planned` those that a step ended, as `done` has wishes.
    """

    last: int = 0
    open: tuple[Wish, ...] = ()
    made: dict[str, tuple[datetime, ...]] = {}
    counts: dict[str, int] = {}
    done: dict[str, tuple[Wish, ...]] = {}
    plans: tuple[PlannedTurn, ...] = ()
    planned: dict[str, tuple[PlannedTurn, ...]] = {}

    def find(self, number: int) -> Wish:
        """The wish of this number; Refused("stale") if it has changed since."""
        for wish in self.open:
            if wish.number == number:
                return wish
        raise Refused("stale", GONE)


def read_wishes(encounter: Encounter) -> Wishes:
    """The wishes of an encounter."""
    return read_json(bytes(encounter.wishes), Wishes) if encounter.wishes else Wishes()


def find_wishes(encounter: Encounter, state: State, viewer: Viewer, grant: Grant | None) -> tuple[Wish, ...]:
    """The open wishes that a viewer may read: what their seat asked, or for the GM all of those who are here.

    A wish of someone who no longer plays its combatant is nobody's.
    """
    if viewer.is_spectator or not encounter.wishes or state.phase != "fight":
        return ()
    wishes = read_wishes(encounter).open
    if not wishes:
        return ()
    here = {who for who, one in state.combatants.items() if not one.gone}
    if viewer.is_gm:
        seats = {(seat.pk, who) for seat in find_players(encounter.pk) for who in seat.combatants}
        return tuple(wish for wish in wishes if wish.who in here and (wish.seat, wish.who) in seats)
    mine = grant.seat if grant else 0
    return tuple(w for w in wishes if w.who in here and viewer.plays(w.who) and w.seat == mine)


def _save(encounter: Encounter, wishes: Wishes, *who: str) -> None:
    """Write the wishes, and tell the GM and the players of these combatants."""
    encounter.wishes = msgspec.json.encode(wishes)
    count_change(encounter, Audience(people=frozenset(who)))
    encounter.save(update_fields=(*COUNTED, "wishes"))


def _put(encounter: Encounter, wishes: Wishes, wish: Wish, *others: str) -> Wishes:
    """The wishes with this one under a new number, in the place of those of these combatants."""
    gone, seat = {wish.who, *others}, str(wish.seat)
    at = next((n for n, one in enumerate(wishes.open) if one.who in gone), len(wishes.open))
    kept = [one for one in wishes.open if one.who not in gone]
    taken, count = {one.number for one in wishes.open}, wishes.counts.get(seat, 0) + 1
    while (number := _number(encounter, seat, count)) in taken:
        count += 1
    fresh = replace(wish, number=number)
    counts = {**wishes.counts, seat: count}
    return replace(wishes, counts=counts, open=(*kept[:at], fresh, *kept[at:]))


def _number(encounter: Encounter, seat: str, count: int) -> int:
    """The number of a seat's wish: the same whatever others ask, and none tells another."""
    return 1 + int(make_stamp("combat.wish", f"{encounter.pk}:{seat}:{count}", COMMON), 16) % (MAX_COUNT - 1)


def _without(wishes: Wishes, wish: Wish) -> Wishes:
    return replace(wishes, open=tuple(one for one in wishes.open if one.number != wish.number))


# ---------------------------------------------------------------- players


def ask(encounter_id: int, who: str, words: str, about: str = "", *, grant: Grant | None = None) -> None:
    """Ask the GM for something that no button has; it takes the place of the player's last wish."""
    with playing(encounter_id, who, grant) as (encounter, viewer, state):
        check_pause(viewer, state)
        if state.phase != "fight":
            raise Refused("not_allowed", "No fight is running: ask the GM at the table.")
        line = clean_words(words)
        if not line:
            raise Refused("bad_value", "Say what you want to do first.")
        state[who]
        if about:
            state[about]
        wishes = _count(read_wishes(encounter), str(grant.seat) if grant else "")
        seat = grant.seat if grant else 0
        _save(encounter, _put(encounter, wishes, Wish(0, who, line, about, seat), *viewer.seats), who)


def _count(wishes: Wishes, seat: str) -> Wishes:
    """Count one more wish of a seat; Refused beyond so many in a minute."""
    now = timezone.now()
    lately = tuple(at for at in wishes.made.get(seat, ()) if now - PER < at <= now)
    if len(lately) >= MOST:
        raise Refused("not_allowed", "So many wishes at once: wait a minute, or ask aloud.")
    return replace(wishes, made={**wishes.made, seat: (*lately, now)})


def take_back(encounter_id: int, number: int, *, grant: Grant | None = None) -> None:
    """Take a wish back, or put away its answer."""
    with locked(encounter_id) as encounter:
        wish = read_wishes(encounter).find(number)
        _check_mine(encounter, wish, grant)
        _save(encounter, _without(read_wishes(encounter), wish), wish.who)


def think_again(encounter_id: int, number: int, *, grant: Grant | None = None) -> None:
    """Leave an offer: the wish waits again, and the GM reads that it was not taken."""
    with locked(encounter_id) as encounter:
        wishes = read_wishes(encounter)
        wish = wishes.find(number)
        _check_mine(encounter, wish, grant)
        if wish.status != OFFERED:
            raise Refused("stale", GONE)
        fresh = replace(wish, status="asked", reply="thinks again", offer={}, hides=False)
        _save(encounter, _put(encounter, wishes, fresh), wish.who)


def take_offer(
    encounter_id: int,
    number: int,
    *,
    typed: bool = False,
    faces: tuple[int, ...] = (),
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """Do what the GM offered: the act runs as it was offered, whatever the page sends."""
    with locked(encounter_id) as encounter:
        wishes, state = read_wishes(encounter), read_state(encounter)
        wish = wishes.find(number)
        viewer = _check_mine(encounter, wish, grant)
        check_pause(viewer, state)
        if wish.status != OFFERED:
            raise Refused("stale", GONE)
        with hide_secret_refusals(viewer, state):
            wanted = Submission(ACT, dict(wish.offer), typed=typed, faces=faces, by=by)
            done = submit(encounter_id, wanted)
        _close(encounter_id, wish)
        return done


def _close(encounter_id: int, wish: Wish, reply: str = "") -> None:
    """Take a wish away after the step that came of it, or leave the answer in its place."""
    encounter = Encounter.objects.get(pk=encounter_id)  # as the step left it
    wishes = _note_done(read_wishes(encounter), OPEN if encounter.open_command else encounter.steps, wish)
    answered = replace(wish, status=REFUSED, reply=reply, offer={}, hides=False)
    _save(encounter, _put(encounter, wishes, answered) if reply else _without(wishes, wish), wish.who)


def _note_done(wishes: Wishes, step: int, *closed: Wish) -> Wishes:
    """The wishes with a note that a step closes these ones."""
    before = [
        one for one in wishes.done.get(str(step), ()) if one.seat not in {other.seat for other in closed}
    ]
    done = {**wishes.done, str(step): (*before, *closed)}
    return replace(wishes, done=dict(list(done.items())[-MAX_DONE:]))


@receiver(fight_ended, dispatch_uid="combat.end_wishes")
def end_wishes(encounter_id: int, **_: Any) -> None:
    """Wishes end with their fight; their numbers go on."""
    with locked(encounter_id) as encounter:
        wishes = read_wishes(encounter)
        if wishes.open:
            closed = replace(_note_done(wishes, encounter.steps, *wishes.open), open=())
            encounter.wishes = msgspec.json.encode(closed)
            encounter.save(update_fields=("wishes",))


@receiver(command_closed, dispatch_uid="combat.settle_wish")
def settle_open_act(encounter_id: int, **_: Any) -> None:
    """An act that waited for dice or a choice is done, so a step closes its wish; or it was cancelled."""
    with locked(encounter_id) as encounter:
        wishes = read_wishes(encounter)
        closed = wishes.done.get(str(OPEN), ())
        if not closed:
            return
        wishes = replace(wishes, done={step: one for step, one in wishes.done.items() if step != str(OPEN)})
        wishes = _note_done(wishes, encounter.steps, *closed)
        _save(encounter, wishes, *(one.who for one in closed))
    if encounter.log.get(number=encounter.steps).kind == CANCEL:
        bring_wishes_back(encounter_id, (encounter.steps,))


@receiver(steps_turned, dispatch_uid="combat.turn_wishes")
def bring_wishes_back(encounter_id: int, numbers: Sequence[int], **_: Any) -> None:
    """Undone steps bring back the wishes that they closed, with what was offered; redone they close them.

    Who has asked for something else meanwhile keeps that.
    """
    done = read_wishes(Encounter.objects.only("wishes").get(pk=encounter_id)).done
    turned = [number for number in numbers if str(number) in done]
    if not turned:
        return  # nearly always, and then this is all that it costs
    with locked(encounter_id) as encounter:
        for step in encounter.log.filter(number__in=turned).order_by("-number"):
            wishes = read_wishes(encounter)
            closed = wishes.done[str(step.number)]
            for wish in closed:
                if step.struck or step.kind == CANCEL:
                    wishes = _bring_back(encounter, wishes, step.number, wish)
                else:
                    wishes = _without(wishes, wish)
            _save(encounter, wishes, *(wish.who for wish in closed))


def _bring_back(encounter: Encounter, wishes: Wishes, step: int, wish: Wish) -> Wishes:
    if any(one.seat == wish.seat and one.status != REFUSED for one in wishes.open):
        return wishes
    answered = [one.who for one in wishes.open if one.seat == wish.seat]
    wishes = _put(encounter, wishes, wish, *answered)
    back = next(one for one in wishes.open if one.who == wish.who)
    return _note_done(wishes, step, back)


def _check_mine(encounter: Encounter, wish: Wish, grant: Grant | None) -> Viewer:
    """Refuse all but the GM and who asked, while they play this combatant."""
    viewer = find_viewer(encounter, grant)
    is_mine = viewer.plays(wish.who) and grant is not None and grant.seat == wish.seat
    if not (viewer.is_gm or is_mine):
        raise Refused("stale", GONE)
    return viewer


@contextmanager
def playing(encounter_id: int, who: str, grant: Grant | None) -> Iterator[tuple[Encounter, Viewer, State]]:
    """The locked encounter, for someone who plays this combatant now."""
    with locked(encounter_id) as encounter:
        viewer, state = find_viewer(encounter, grant), read_state(encounter)
        if not viewer.is_seated or who not in viewer.seats:
            raise Refused("not_allowed", "You don't control that combatant.")
        yield encounter, viewer, state


# ---------------------------------------------------------------- the GM


def offer(
    encounter_id: int,
    number: int,
    fields: dict[str, Any],
    *,
    grant: Grant | None = None,
) -> None:
    """Offer a player an act: they see what it takes and do it, or think again."""
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        wishes = read_wishes(encounter)
        wish = wishes.find(number)
        command = check_ruling(encounter, {**fields, "actor": wish.who, "words": wish.words})
        data = command_data(command)
        _save(
            encounter,
            _put(
                encounter, wishes, replace(wish, status="offered", reply="", offer=data, hides=command.hides)
            ),
            wish.who,
        )


def check_ruling(encounter: Encounter, fields: dict[str, Any]) -> Improvise:
    """A ruling as a command; Refused if one of its endings is impossible as things are."""
    system, state = find_system(encounter.system), read_state(encounter)
    action = find_action(system, ACT)
    command = read_command(action, fields, state)
    assert isinstance(command, Improvise)
    check_act(system, state, command)
    for effects in (command.works, command.fails):
        trial = replace(command, check=(), opposed="", counter=(), cost="", works=effects, fails=())
        run(system, state, action, trial, AutoDriver(tells=False))
    if command.check:
        trial = replace(command, cost="", works=(), fails=())
        run(system, state, action, trial, AutoDriver(tells=False))
    return command


def settle(
    encounter_id: int,
    number: int,
    submission: Submission,
    *,
    reply: str = "",
) -> SubmissionResult:
    """Answer a wish by a step of the log: what the GM rules happens now. With a `reply` the player reads it.

    Without a number there is no wish: the GM rules of their own accord.
    """
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, submission.grant))
        check_version(encounter, submission.version, submission.grant)
        if not number:
            return submit(encounter_id, submission)
        wish = read_wishes(encounter).find(number)
        done = submit(encounter_id, with_fields(submission, version=None))
        _close(encounter_id, wish, reply)
        return done
