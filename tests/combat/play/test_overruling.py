"""The GM overrules a roll: the last action again with its dice kept, in the log, undone and verified."""

from __future__ import annotations

import msgspec
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client

from combat.audience.rights import Grant
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.play.after.anonymous import make_anonymous
from combat.play.autopilot import autoplay
from combat.play.demo import make_demo_fight
from combat.play.overruling import NO_VERDICT, WENT_ON, overrule_roll, preview
from combat.play.writing.encounter_service import Submission, cancel, read_history, redo, submit, undo
from combat.play.writing.step_cache import find_last
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import KEPT
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import Document, Verdict, replay
from combat.rules.core.engine.engine import Verdict as Offer
from combat.rules.core.engine.engine import find_verdicts
from combat.rules.core.state.events import Checked
from combat.rules.core.state.history import REDO, Step
from combat.rules.core.state.state import State, replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.games import every_slug, lack
from tests.combat.visit import PIRATE, PISTOL, ZARA, load, play, state_of

SHOT = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


def shoot(pk: int, *faces: int) -> int:
    """Zara shoots the pirate with these typed dice of her attack; the number of the step."""
    submit(pk, Submission("attack", SHOT, faces=faces))
    return load(pk).steps


def last_step(pk: int) -> Step:
    return read_step(load(pk).log.get(number=load(pk).steps))


def checks(step: Step) -> list[Checked]:
    return [fact.event for fact in step.facts if isinstance(fact.event, Checked)]


def judge(pk: int) -> Verdict:
    return replay(read_history(load(pk)), find_system)


def test_a_miss_becomes_a_hit_with_the_same_dice(started: Encounter) -> None:
    number = shoot(started.pk, 1, 2)
    assert checks(last_step(started.pk))[0].outcome == "outcome.miss"
    overrule_roll(started.pk, number, 0)
    after = last_step(started.pk)
    assert (after.number, after.name) == (number + 2, "attack")
    hit = checks(after)[0]
    assert (hit.outcome, hit.roll.faces, hit.roll.source) == ("outcome.hit", (1, 2), KEPT)
    assert hit.total == hit.against
    assert hit.modifiers[-1].label == "term.overruled"
    assert any(a.source == "app" for a in after.answers), "its damage is rolled"


def test_a_hit_becomes_a_miss_and_hurts_nobody(started: Encounter) -> None:
    before = state_of(started.pk)
    number = shoot(started.pk, 8, 8)
    assert state_of(started.pk)[PIRATE].tracks != before[PIRATE].tracks
    overrule_roll(started.pk, number, 0)
    assert checks(last_step(started.pk))[0].outcome == "outcome.miss"
    assert state_of(started.pk)[PIRATE].tracks == before[PIRATE].tracks


def test_the_log_says_that_the_gm_overruled_it(started: Encounter) -> None:
    number = shoot(started.pk, 8, 8)
    overrule_roll(started.pk, number, 0, by="Ana", grant=Grant(owner=started.owner_id))
    step = last_step(started.pk)
    assert step.by == "Ana (GM)"
    lines = describe_facts(
        find_system("cosmos"), Viewer().select(step.facts), {ZARA: "Zara", PIRATE: "Pirate"}
    )
    assert "The GM overrules Zara's roll (attack): miss." in [line.text for line in lines]


def test_changing_back_takes_the_very_damage_dice(started: Encounter) -> None:
    number = shoot(started.pk, 8, 8)
    first, state = last_step(started.pk), state_of(started.pk)
    for _ in range(2):
        overrule_roll(started.pk, load(started.pk).steps, 0)
    assert [a.faces for a in last_step(started.pk).answers] == [a.faces for a in first.answers]
    assert replace(state_of(started.pk), made=0) == replace(state, made=0)
    assert number == first.number
    assert judge(started.pk).ok


def test_an_overruled_roll_is_verified_and_undone(started: Encounter) -> None:
    """One undo takes back the overruling and shows the first result, a second the attack."""
    before = state_of(started.pk)
    number = shoot(started.pk, 1, 2)
    missed = state_of(started.pk)
    overrule_roll(started.pk, number, 0)
    verdict = judge(started.pk)
    assert (verdict.ok, verdict.dice.kept) == (True, 1), verdict.message
    undo(started.pk)
    assert replace(state_of(started.pk), made=0) == replace(missed, made=0)
    assert (find_last(load(started.pk))[0].number, load(started.pk).undone) == (number, [])
    assert judge(started.pk).ok, judge(started.pk).message
    undo(started.pk)
    assert replace(state_of(started.pk), made=0) == replace(before, made=0)
    redo(started.pk)
    assert replace(state_of(started.pk), made=0) == replace(missed, made=0)
    assert judge(started.pk).ok


def test_each_undo_takes_back_one_overruling(started: Encounter) -> None:
    states = [state_of(started.pk)]
    shoot(started.pk, 8, 8)
    for _ in range(2):
        states.append(state_of(started.pk))
        overrule_roll(started.pk, load(started.pk).steps, 0)
    for state in reversed(states):
        undo(started.pk)
        assert replace(state_of(started.pk), made=0) == replace(state, made=0)
    assert judge(started.pk).ok


def test_the_first_result_can_be_overruled_again_after_an_undo(started: Encounter) -> None:
    number = shoot(started.pk, 1, 2)
    overrule_roll(started.pk, number, 0)
    undo(started.pk)
    overrule_roll(started.pk, number, 0)
    assert [check.outcome for check in checks(last_step(started.pk))] == ["outcome.hit"]
    assert judge(started.pk).ok


def test_no_redo_brings_back_what_no_overruling_replaced(started: Encounter) -> None:
    number = shoot(started.pk, 1, 2)
    undo(started.pk)
    shoot(started.pk, 1, 2)
    undo(started.pk)
    document = read_history(load(started.pk))
    wrong = Step(load(started.pk).steps + 1, REDO, "attack", target=number)
    forged: Document = msgspec.structs.replace(document, steps=(*document.steps, wrong))
    assert "does not restore the last undone step" in replay(forged, find_system).message


def test_kept_dice_are_those_of_the_undone_action(started: Encounter) -> None:
    overrule_roll(started.pk, shoot(started.pk, 1, 2), 0)
    document = read_history(load(started.pk))
    *others, last = document.steps
    kept = msgspec.structs.replace(last.answers[0], faces=(2, 2))
    forged = msgspec.structs.replace(last, answers=(kept, *last.answers[1:]))
    wrong: Document = msgspec.structs.replace(document, steps=(*others, forged))
    assert "a kept roll shows other faces" in replay(wrong, find_system).message


def test_a_file_without_names_keeps_the_ruling(started: Encounter) -> None:
    overrule_roll(started.pk, shoot(started.pk, 1, 2), 0)
    found = make_anonymous(find_system("cosmos"), read_history(load(started.pk)))
    assert not found.stopped
    assert checks(found.document.steps[-1])[0].outcome == "outcome.hit"
    assert replay(found.document, find_system).ok


def test_luck_of_an_overruled_roll_is_counted_without_error(started: Encounter, gm_client: Client) -> None:
    overrule_roll(started.pk, shoot(started.pk, 1, 2), 0)
    assert gm_client.get(f"/encounters/{started.pk}/report/").status_code == 200


def begin_next_round(pk: int) -> None:
    """End turns until the next round."""
    now = state_of(pk).round
    while state_of(pk).round == now:
        submit(pk, Submission("next_turn", {}))


def test_only_a_roll_of_this_round_is_overruled(started: Encounter) -> None:
    number = shoot(started.pk, 1, 2)
    begin_next_round(started.pk)
    for forbidden in (number, load(started.pk).steps + 1):
        with pytest.raises(Refused, match=WENT_ON):
            overrule_roll(started.pk, forbidden, 0)
        with pytest.raises(Refused, match=WENT_ON):
            preview(load(started.pk), forbidden, 0)


def act_on(pk: int) -> tuple[int, State]:
    """Zara misses the pirate, their turn ends, the GM lays them down: the step of the miss, and the state."""
    number = shoot(pk, 1, 2)
    submit(pk, Submission("next_turn", {}))
    submit(pk, Submission("give_condition", {"target": ZARA, "kind": "prone"}))
    return number, state_of(pk)


def test_a_past_miss_becomes_a_hit_and_what_came_after_stays(started: Encounter) -> None:
    number, was = act_on(started.pk)
    last = load(started.pk).steps
    foreseen = preview(load(started.pk), number, 0)
    assert foreseen.count == last - number
    assert load(started.pk).steps == last, "a preview writes nothing"
    overrule_roll(started.pk, number, 0, by="Ana", grant=Grant(owner=started.owner_id))
    now = state_of(started.pk)
    assert now.active == was.active
    assert [one.kind for one in now[ZARA].conditions] == ["prone"]
    assert now[PIRATE].tracks != was[PIRATE].tracks, "the pirate is hurt after all"
    again = [read_step(row) for row in load(started.pk).log.filter(kind="command").exclude(target=0)]
    assert [step.name for step in again] == ["next_turn", "give_condition"]
    assert [step.target for step in again] == [number + 1, number + 2]
    assert judge(started.pk).ok, judge(started.pk).message


def test_one_undo_takes_back_a_past_overruling(started: Encounter) -> None:
    number, was = act_on(started.pk)
    overrule_roll(started.pk, number, 0)
    undo(started.pk)
    assert replace(state_of(started.pk), made=0) == replace(was, made=0)
    assert (find_last(load(started.pk))[0].number, load(started.pk).undone) == (number + 2, [])
    assert judge(started.pk).ok, judge(started.pk).message
    overrule_roll(started.pk, number, 0)
    submit(started.pk, Submission("note", {"text": "Back to it"}))
    overruled = find_last(load(started.pk))[1].number
    assert judge(started.pk).ok, judge(started.pk).message
    undo(started.pk)
    assert find_last(load(started.pk))[0].number == overruled, "only the note"
    undo(started.pk)
    assert replace(state_of(started.pk), made=0) == replace(was, made=0)


def test_a_past_roll_is_overruled_back_with_its_very_dice(started: Encounter) -> None:
    number = shoot(started.pk, 8, 8)
    submit(started.pk, Submission("next_turn", {}))
    was = state_of(started.pk)
    overrule_roll(started.pk, number, 0)
    number = find_last(load(started.pk))[1].number
    overrule_roll(started.pk, number, 0)
    assert replace(state_of(started.pk), made=0) == replace(was, made=0)
    assert judge(started.pk).ok, judge(started.pk).message
    undo(started.pk)
    assert state_of(started.pk)[PIRATE].tracks != was[PIRATE].tracks, "missed, by the first overruling"
    undo(started.pk)
    assert replace(state_of(started.pk), made=0) == replace(was, made=0)
    assert judge(started.pk).ok, judge(started.pk).message


def test_what_becomes_impossible_is_named_and_nothing_changes(started: Encounter) -> None:
    """The pirate who shot back would have been down."""
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "to": 1}))
    number = shoot(started.pk, 1, 2)
    submit(started.pk, Submission("next_turn", {}))
    autoplay(started.pk)
    before = load(started.pk)
    with pytest.raises(Refused, match=r"\(step \d+\) ") as told:
        overrule_roll(started.pk, number, 0)
    assert "Undo back to that step" in told.value.message
    after = load(started.pk)
    assert (after.steps, bytes(after.state), after.rolled) == (
        before.steps,
        bytes(before.state),
        before.rolled,
    )
    assert judge(started.pk).ok


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"target": 2}, "does a step again"), ({"target": 9999}, "does a step again")],
    ids=str,
)
def test_a_step_done_again_is_that_which_was_undone(
    started: Encounter, wrong: dict[str, int], told: str
) -> None:
    number, _ = act_on(started.pk)
    overrule_roll(started.pk, number, 0)
    document = read_history(load(started.pk))
    forged = msgspec.structs.replace(document.steps[-1], **wrong)
    bad: Document = msgspec.structs.replace(document, steps=(*document.steps[:-1], forged))
    assert told in replay(bad, find_system).message


@pytest.mark.slow
@every_slug
def test_every_game_overrules_a_past_roll(gm: User, slug: str) -> None:
    """A roll of the demo's first round is overruled after its turn has ended, and one undo takes it back."""
    fight = make_demo_fight(gm, slug)
    done = 0
    for step in find_system(slug).demo.make_first().script:
        play(fight.pk, (step,))
        now = state_of(fight.pk)
        if now.phase != "fight" or load(fight.pk).open_command or not (offers := find_offers(fight.pk)):
            continue
        number, was = load(fight.pk).steps, now
        submit(fight.pk, Submission("note", {"text": "Later"}))
        try:
            overrule_roll(fight.pk, number, offers[0][0])
        except Refused:
            assert load(fight.pk).steps == number + 1
        else:
            done += 1
            assert judge(fight.pk).ok, judge(fight.pk).message
            undo(fight.pk)
        undo(fight.pk)
        assert replace(state_of(fight.pk), made=0) == replace(was, made=0)
    assert done
    assert judge(fight.pk).ok, judge(fight.pk).message


def test_a_step_without_that_roll_is_refused(started: Encounter) -> None:
    number = shoot(started.pk, 1, 2)
    with pytest.raises(Refused, match=NO_VERDICT):
        overrule_roll(started.pk, number, 7)
    assert load(started.pk).steps == number, "nothing is undone"


def test_a_roll_that_no_modifier_turns_says_so(started: Encounter) -> None:
    number = shoot(started.pk, 1, 1)
    with pytest.raises(Refused, match="No modifier changes that roll"):
        overrule_roll(started.pk, number, 0)
    assert load(started.pk).steps == number


def test_nobody_but_the_gm_overrules(started: Encounter) -> None:
    number = shoot(started.pk, 1, 2)
    with pytest.raises((PermissionDenied, Refused)):
        overrule_roll(started.pk, number, 0, grant=Grant(seat=1, digest="x"))


@pytest.mark.slow
@every_slug
def test_every_game_overrules_hits_and_misses(gm: User, slug: str) -> None:
    """A hit of the demo fight becomes a miss and a hit again; then the fight goes on as it was written."""
    fight = make_demo_fight(gm, slug)
    turned: set[str] = set()
    for step in find_system(slug).demo.make_first().script:
        play(fight.pk, (step,))
        for number, verdict in find_offers(fight.pk):
            if verdict.label not in turned and (times := turn(fight.pk, number, verdict.check)):
                turned.add(str(verdict.label))
                for _ in range(times):
                    undo(fight.pk)
                play(fight.pk, (step,))
    wanted = "has no roll in its demo that the GM can overrule: give its outcomes words under [overrule]"
    assert turned, lack(find_system(slug), wanted)
    assert judge(fight.pk).ok


def find_offers(pk: int) -> list[tuple[int, Offer]]:
    """The checks of the last step that can be overruled, by their numbers."""
    step, system = last_step(pk), find_system(load(pk).system)
    found = enumerate(find_verdicts(system, step.facts, step.answers))
    return [(number, verdict) for number, verdict in found if verdict]


def turn(pk: int, number: int, was: Checked) -> int:
    """Overrule a roll of the last step and change that back; how many undos take it all back.

    0 if no points change its verdict.
    """
    try:
        first = overrule_roll(pk, load(pk).steps, number)
    except Refused:
        return 0
    if first.waiting:  # for a reaction that nobody was asked about before
        cancel(pk)
        redo(pk)
        return 1
    now = dict(find_offers(pk))[number].check
    assert (now.who, now.what, now.good) == (was.who, was.what, not was.good)
    assert not overrule_roll(pk, load(pk).steps, number).waiting, "all dice are known"
    back = dict(find_offers(pk))[number].check
    assert (back.good, back.total, back.modifiers) == (was.good, was.total, was.modifiers)
    return 3
