"""A result that the GM corrected counts as it came out: in the report, its chart and cards, and the recap."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.audience.viewer import GM, Viewer
from combat.models import Encounter
from combat.pages.report.recap_view import write_recap
from combat.play.after.recaps import find_told
from combat.play.after.reports import Fight, StrengthCurve, find_curve, find_fight, find_swings
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.report.corrections import Blow, Ledger
from combat.rules.core.state.events import TrackChanged
from tests.combat.rules.games import every_game
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, demo_fight, load, play_step, read, state_of
from tests.typed import sure

PUBLIC = Viewer()


def find_hit(encounter: Encounter) -> TrackChanged | None:
    """The loss that someone dealt in the last step, if it has one."""
    step = read_step(sure(encounter.log.last()))
    losses = (fact.event for fact in step.facts if isinstance(fact.event, TrackChanged))
    return next((one for one in losses if one.by and one.by != one.who and abs(one.new - one.old) > 1), None)


def strike(pk: int, system: System, start: int = 0) -> TrackChanged:
    """Play the demo until someone is struck."""
    for step in system.demo.make_first().script[start:]:
        play_step(pk, step)
        if found := find_hit(load(pk)):
            return found
    raise AssertionError("nobody is struck")


def correct(pk: int, hit: TrackChanged, by: int) -> None:
    fields = {"target": hit.who, "track": hit.track, "by": by, "reason": "corrected"}
    submit(pk, Submission("adjust", fields, by="gm"))


def look(pk: int, viewer: Viewer = GM) -> tuple[Fight, StrengthCurve]:
    fight = sure(find_fight(load(pk), viewer))
    system, mended = find_system(load(pk).system), fight.tallies.ledger.mended
    return fight, find_curve(system, fight.moves, viewer, state_of(pk), mended)


@every_game
def test_only_what_it_came_to_counts(gm: User, system: System) -> None:
    pk = demo_fight(gm, system.slug).pk
    hit = strike(pk, system)
    fight, _ = look(pk)
    was = {
        who: (one.dealt, one.taken, one.healed, dict(one.weapons)) for who, one in fight.tallies.of.items()
    }
    less = 1 if hit.new < hit.old else -1
    correct(pk, hit, less)
    fight, _ = look(pk)
    dealt, taken, _, weapons = was[hit.by]
    now = fight.tallies.of[hit.by]
    assert (now.dealt, now.taken) == (dealt - 1, taken)
    assert sum(now.weapons.values()) == sum(weapons.values()) - 1
    assert fight.tallies[hit.who].taken == was[hit.who][1] - 1
    assert not [one for one in fight.tallies.of.values() if one.healed]
    correct(pk, hit, -less)
    assert look(pk)[0].tallies.of[hit.by].dealt == dealt, "the second correction is of the same hit"
    undo(pk)
    assert look(pk)[0].tallies.of[hit.by].dealt == dealt - 1


def test_report_and_card_say_three_and_then_twenty(gm_client: Client, started: Encounter) -> None:
    """Through the form of the line of the log, as the GM does it: the book's 8 were 3, then 20."""
    hit, visit = strike(started.pk, find_system("cosmos"), 1), Visit(gm_client, started.pk)
    assert (hit.by, hit.who, hit.old - hit.new) == (ZARA, PIRATE, 8)
    for was, points in ((8, 3), (3, 20)):
        form = {"target": PIRATE, "track": "hp", "points": points, "was": was, "sign": "-", "row": "mend"}
        visit.post("adjust", **form, reason="corrected")
        report = gm_client.get(f"/encounters/{started.pk}/report/?as=json").json()
        rows = {row["name"]: row for row in report["combatants"]}
        assert (rows["Zara"]["dealt"], rows["Zara"]["weapons"]) == (f"{points}", f"Pistol {points}")
        assert (rows["Pirate"]["taken"], rows["Zara"]["healed"]) == (f"{points}", 0)
        _, curve = look(started.pk)
        assert {stand.left[PIRATE] for stand in curve.stands} == {hit.old, hit.old - points}
    told = read(gm_client.get(f"/encounters/{started.pk}/report/")).one("main").text
    assert "Pistol, 20 damage" in told
    (swing,) = find_swings(curve, "crew")
    assert (swing.who, swing.fallen) == (PIRATE, ()), "the correction itself turned nothing"


def test_who_did_not_fall_after_all_has_not_fallen(started: Encounter) -> None:
    """A blow that would have killed is corrected: no fall in any part of the report."""
    submit(started.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -60, "reason": "a beam"}))
    left = state_of(started.pk).combatants[MARCUS].tracks["hp"]
    blow = {"target": MARCUS, "track": "hp", "to": -5, "reason": "another beam"}
    submit(started.pk, Submission("adjust", blow))
    number = sure(load(started.pk).log.last()).number
    for viewer in (GM, PUBLIC):
        fight, curve = look(started.pk, viewer)
        assert (fight.tallies[MARCUS].downed, curve.falls) == (1, {MARCUS: 1})
    correct(started.pk, TrackChanged(MARCUS, "hp", left, new=-5), 10)
    for viewer in (GM, PUBLIC):
        fight, curve = look(started.pk, viewer)
        assert (fight.tallies[MARCUS].downed, curve.falls) == (0, {}), viewer
        assert not [one for one in find_swings(curve, "crew") if one.fallen]
        assert [stand.left[MARCUS] > 0 for stand in curve.stands if stand.number == number] == [True]
    told = sure(find_told(load(started.pk)))
    recap = write_recap(find_system("cosmos"), "Bay", state_of(started.pk), told)
    assert "Marcus falls" not in recap
    assert "Marcus" in recap.split("came close")[-1]


@pytest.mark.parametrize(
    ("changes", "correction", "left"),
    [
        ((-8,), 5, (-3,)),
        ((-8, -2), 5, (-3, -2)),  # the newest that it can have meant
        ((-8, -6), 5, (-8, -1)),
        ((-3,), -5, (-8,)),
        ((-8, 4), -5, (-13, 4)),
        ((-8, 6), -5, (-8, 1)),
        ((-2, -2), 3, (-1, 0)),
    ],
)
def test_correction_is_of_the_newest_change_that_it_fits(
    changes: tuple[int, ...], correction: int, left: tuple[int, ...]
) -> None:
    ledger, value = Ledger(DEMO_SYSTEM), 50
    blows = [Blow(number, points) for number, points in enumerate(changes, start=1)]
    for blow in blows:
        ledger.add(TrackChanged("f1", "hp", value, new=value + blow.points), blow)
        value += blow.points
    mended, rest = ledger.correct(TrackChanged("f1", "hp", value, new=value + correction), 9)
    assert (tuple(blow.points for blow in blows), rest) == (left, 0)
    assert sum(abs(one.more) for one in mended) == abs(correction)


def test_correction_of_nothing_is_a_change_of_its_own() -> None:
    ledger = Ledger(DEMO_SYSTEM)
    assert ledger.correct(TrackChanged("f1", "hp", 50, new=45), 9) == ([], -5)
    ledger.add(TrackChanged("f1", "hp", 50, new=48), Blow(1, -2))
    assert ledger.correct(TrackChanged("f1", "hp", 48, new=53), 9)[1] == 3


DEMO_SYSTEM = find_system("cosmos")
