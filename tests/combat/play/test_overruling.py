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
from combat.play.demo import make_demo_fight
from combat.play.overruling import NO_VERDICT, WENT_ON, overrule_roll, preview
from combat.play.writing.encounter_service import Submission, cancel, read_history, submit
from combat.play.writing.last_steps import find_last
from combat.play.writing.undoing import redo, undo
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import KEPT
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import Document, Verdict, replay
from combat.rules.core.engine.overruling import Verdict as Offer
from combat.rules.core.engine.overruling import find_verdicts
from combat.rules.core.state.events import Checked
from combat.rules.core.state.history import REDO, Step
from combat.rules.core.state.state import replace
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


def test_the_luck_of_an_overruled_roll_is_counted_without_an_error(
    started: Encounter, gm_client: Client
) -> None:
    overrule_roll(started.pk, shoot(started.pk, 1, 2), 0)
    assert gm_client.get(f"/encounters/{started.pk}/report/").status_code == 200


def test_only_a_roll_of_the_last_action_is_overruled(started: Encounter) -> None:
    number = shoot(started.pk, 1, 2)
    submit(started.pk, Submission("next_turn", {}))
    with pytest.raises(Refused, match=WENT_ON):
        overrule_roll(started.pk, number, 0)
    with pytest.raises(Refused, match=WENT_ON):
        preview(load(started.pk), number, 0)


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
