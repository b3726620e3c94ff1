"""Branches, reports and the rest of a fight know whom people play, as the fight itself does."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from combat.audience.rights import grant_of
from combat.audience.viewer import GM, Viewer
from combat.models import Encounter, ShareLink
from combat.pages.whatif.branch_view import find_start
from combat.play import autopilot
from combat.play.after.anonymous import make_anonymous
from combat.play.after.learned import _find_steps
from combat.play.after.recaps import find_told
from combat.play.after.reports import find_fight
from combat.play.whatif import branches
from combat.play.whatif.branches import make_real
from combat.play.writing.encounter_service import Submission, answer, read_history, submit, undo
from combat.play.writing.verification import read_step
from combat.rules import SYSTEMS, find_system
from combat.rules.core.engine.document import replay
from combat.rules.core.engine.engine import find_action
from combat.rules.core.sides import find_verdict
from combat.rules.core.state.state import State, decode, is_played, present
from combat.sharing.links import assign
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast, come, seat_named
from tests.combat.play.whatif.test_branches import begin, fresh
from tests.combat.rules.games import LATER
from tests.combat.visit import PIRATE, ZARA, demo_fight, load, state_of

BOTH = pytest.mark.usefixtures("cast")


def plays(state: State, who: str = PIRATE) -> bool:
    return is_played(state, state.combatants[who])


@BOTH
def test_branch_plays_nobody_whom_a_person_plays(cast: Cast, started: Encounter) -> None:
    assign(started, [PIRATE], seat_named("Pia"))
    submit(started.pk, Submission("next_turn"))
    submit(started.pk, Submission("join", {"block": "pirate", "name": "Mate", "side": "enemies"}))
    branch = begin(load(started.pk), GM)
    for _ in range(8):
        state = branches.unpack(branch.state)
        if state.active == PIRATE or branch.waiting:
            break
        if autopilot.is_npc(state, state.active):
            branches.autoplay(branch, everybody=True, by="GM")
        else:
            branches.act(branch, find_system(started.system).action("next_turn"), {})
        branch = fresh(branch)
    assert branches.unpack(branch.state).active == PIRATE or branch.waiting


@BOTH
def test_branch_from_before_the_seat_knows_it_and_becomes_real(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("total_defense", {"actor": ZARA}))
    submit(started.pk, Submission("next_turn"))
    first = load(started.pk).log.order_by("number").filter(name="total_defense").get()
    assign(started, [PIRATE], seat_named("Pia"))
    encounter = load(started.pk)
    start = find_start(ViewerContext(encounter, GM), first.number)
    assert plays(start)
    branch = fresh(branches.begin(encounter, "person 1", GM, first.number, start))
    branches.act(
        branch, find_action(find_system(started.system), "note"), {"text": "Otherwise.", "secret": False}
    )
    make_real(started.pk, fresh(branch), by="gm", grant=grant_of(encounter, None))
    assert plays(state_of(started.pk))
    verdict = replay(read_history(load(started.pk)), find_system)
    assert verdict.ok, verdict.summary


@BOTH
def test_branch_of_a_player_knows_what_they_were_given(cast: Cast, started: Encounter) -> None:
    first = load(started.pk).log.order_by("-number")[0]
    submit(started.pk, Submission("next_turn"))
    assign(started, [PIRATE], seat_named("Pia"))
    mine = Viewer("seat", frozenset(seat_named("Pia").combatants))
    context = ViewerContext(load(started.pk), mine, seat_named("Pia"))
    for number in (first.number, load(started.pk).log.order_by("-number")[0].number):
        assert plays(find_start(context, number))


@BOTH
def test_reports_follow_the_seats(started: Encounter) -> None:
    assign(started, [PIRATE], seat_named("Pia"))
    submit(started.pk, Submission("total_defense", {"actor": ZARA}))
    submit(started.pk, Submission("note", {"text": "Undone.", "secret": False}))
    undo(started.pk)
    encounter = load(started.pk)
    found, told = find_fight(encounter, GM), find_told(encounter)
    assert found
    assert told
    assert plays(found.after)
    assert plays(told.after)
    steps = [read_step(row) for row in encounter.log.all()]
    *_, (before, last) = _find_steps(decode(bytes(encounter.start)), steps)
    assert (last.name, plays(before)) == ("total_defense", True)
    anonymous = make_anonymous(find_system(started.system), read_history(encounter))
    assert not anonymous.stopped
    assert plays(anonymous.document.final)
    verdict = replay(anonymous.document, find_system)
    assert verdict.ok, verdict.summary


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[pytest.mark.slow] * (slug in LATER), id=slug) for slug in SYSTEMS]
)
def test_fight_goes_on_whoever_takes_or_gives_back_an_npc(gm: User, slug: str) -> None:
    """In the middle of a round, before and after their turn, also of a side that acts together."""
    fight = demo_fight(gm, slug)
    come(fight, ShareLink.PLAY, "Pia")
    submit(fight.pk, Submission(find_system(slug).actions.start))
    settle(fight.pk)
    npc = next(one.id for one in present(state_of(fight.pk)) if not one.pc)
    for number in range(40):
        state = state_of(fight.pk)
        if state.phase != "fight" or find_verdict(find_system(slug), state):
            break
        if number % 3 == 0:
            assign(fight, [npc], seat_named("Pia") if number % 2 else None)
            assert plays(state_of(fight.pk), npc) == bool(number % 2)
        before = state_of(fight.pk).round
        submit(fight.pk, Submission(find_system(slug).actions.advance))
        settle(fight.pk)
        assert state_of(fight.pk).round - before in (0, 1)
        assert state_of(fight.pk).active or number == 0
    verdict = replay(read_history(load(fight.pk)), find_system)
    assert verdict.ok, verdict.summary


def settle(pk: int) -> None:
    """Roll what is asked."""
    while load(pk).open_command:
        answer(pk, 0, roll=True)
