"""Branches in every game: they follow the rules, and a branch made real gives the very same steps."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.contrib.auth.models import User

from combat.audience.rights import Grant
from combat.audience.viewer import GM, Viewer
from combat.models import Branch, Encounter
from combat.pages.whatif.branch_view import find_start, make_context
from combat.play.whatif import branches
from combat.play.whatif.branches import autoplay, make_real, read_open, read_steps, unpack
from combat.play.writing.encounter_service import Submission, read_history, read_state, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data
from combat.rules.core.engine.document import replay
from combat.rules.core.engine.engine import find_action
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.kept import keep
from tests.combat.rules.games import LATER
from tests.combat.visit import demo_fight, load, play

TURNS = 4


@pytest.fixture(
    params=[pytest.param(slug, marks=[pytest.mark.slow] * (slug in LATER), id=slug) for slug in SYSTEMS]
)
def fight(request: pytest.FixtureRequest, gm: User) -> Encounter:
    """The demo fight of a game, somewhere in the middle, with a hidden combatant."""
    made = demo_fight(gm, request.param)
    keep(f"half of {request.param}", lambda: _play_half(made))
    return load(made.pk)


def _play_half(made: Encounter) -> None:
    script = find_system(made.system).demo.make_first().script
    play(made.pk, script[: len(script) // 2])
    foe = next(f for f in present(read_state(load(made.pk))) if not f.pc)
    submission = {"sheet": foe.sheet, "name": "Ghost", "side": foe.side, "hidden": True}
    submit(made.pk, Submission("join", submission))


def begin(encounter: Encounter, viewer: Viewer) -> Branch:
    """Begin a branch from the present."""
    start = find_start(ViewerContext(encounter, viewer), encounter.steps)
    branch = branches.begin(encounter, "person 1", viewer, encounter.steps, start)
    return fresh(branch)


def fresh(branch: Branch) -> Branch:
    """A branch as stored now."""
    return Branch.objects.select_related("encounter").get(pk=branch.pk)


def answer_all(branch: Branch) -> Branch:
    """Answer all questions of a branch, by the defaults and its own dice."""
    while waiting := read_open(branch):
        asked = waiting.requests[0]
        value = asked.default if isinstance(asked, ChoiceRequest) else ""
        branches.answer(branch, 0, value=value, roll=not value, by="")
        branch = fresh(branch)
    return branch


def test_branch_made_real_gives_the_same_fight(fight: Encounter) -> None:
    branch = begin(fight, GM)
    for _ in range(TURNS):
        with suppress(Refused):  # no one has a turn, or only one side still fights
            autoplay(branch, by="GM")
        branch = answer_all(fresh(branch))
    tried, ends = read_steps(branch), unpack(branch.state)
    assert tried
    make_real(fight.pk, branch, by="GM", grant=Grant(owner=fight.owner_id))
    now = load(fight.pk)
    assert now.steps == fight.steps + len(tried)
    assert read_state(now) == ends
    verdict = replay(read_history(now), find_system)
    assert verdict.ok
    assert verdict.dice.branch, "its dice are told from those that someone typed"


def test_player_plays_on_without_what_they_cannot_know(fight: Encounter) -> None:
    """The tactics play the player's turns, others' turns just end: no rule fails over missing data."""
    system, own = find_system(fight.system), frozenset(f.id for f in present(read_state(fight)) if f.pc)
    assert own
    viewer = Viewer("seat", own)
    branch = begin(fight, viewer)
    for _ in range(3 * TURNS):
        state = make_context(ViewerContext(fight, viewer), branch).obscured_state
        wanted = system.tactics.suggest(state, state.active) if state.active in own else None
        name, command = wanted or (system.actions.advance, find_action(system, system.actions.advance).type())
        with suppress(Refused):
            branches.act(branch, find_action(system, name), command_data(command))
        branch = answer_all(fresh(branch))
        if not wanted:
            continue
        with suppress(Refused):
            branches.act(branch, find_action(system, system.actions.advance), {})
        branch = answer_all(fresh(branch))
    assert branch.steps > TURNS
    assert "Ghost" not in bytes(branch.record).decode()
    while branch.steps:
        branches.undo(branch)
        branch = fresh(branch)
    assert unpack(branch.state) == unpack(branch.start)
    assert load(fight.pk).steps == fight.steps
