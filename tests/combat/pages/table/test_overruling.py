"""The result card lets the GM overrule a roll: one tap, what would change, and a button."""

from __future__ import annotations

import pytest

from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Answer
from combat.rules.core.engine.engine import find_verdicts
from combat.rules.core.state.events import Checked, Fact
from tests.combat.cast import Cast
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, Visit, load, read, stored

MISS = Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2))


@pytest.fixture
def missed(visit: Visit) -> Visit:
    """The GM's table after Zara missed the pirate."""
    submit(visit.pk, MISS)
    return visit


def test_card_offers_the_other_verdict_and_form_tells_changes(missed: Visit) -> None:
    page = missed.page()
    card = page.one("section", id="results")
    offer = page.one("a", card, href=f"?overrule={load(missed.pk).steps}&roll=0#overrule")
    assert offer.text.startswith("It hit after all")
    before = stored(missed.pk)
    form = missed.page(overrule=load(missed.pk).steps, roll=0).one("form", id="overrule")
    assert "Zara attacks Pirate (11 vs Defense 12): miss." in form.text
    assert "Zara attacks Pirate (12 vs Defense 12): hit." in form.text
    assert "Then 1d8" in form.text
    assert stored(missed.pk) == before


@pytest.mark.parametrize("htmx", [True, False])
def test_the_gm_overrules_it(missed: Visit, htmx: bool) -> None:
    missed.htmx = htmx
    missed.do("overrule", overrule=load(missed.pk).steps, roll=0)
    card = missed.page().one("section", id="results")
    assert "overruled by the GM, same dice" in card.text
    assert "It missed after all" in card.text


def test_after_the_round_nothing_is_offered(missed: Visit) -> None:
    number = load(missed.pk).steps
    while f"?overrule={number}&" in str(missed.get().content):
        missed.do("next_turn")
    assert "after all" not in missed.page().one("section", id="results").text
    assert "Only a roll of this round" in missed.refused("overrule", 409, overrule=number, roll=0)


def test_a_past_roll_of_the_round_is_corrected_from_the_log(missed: Visit) -> None:
    """The form stands alone, since the card of the roll is folded; undo names the roll."""
    number = load(missed.pk).steps
    missed.do("next_turn")
    assert missed.page().one("a", href=f"?overrule={number}&roll=0#overrule").text == "correct"
    form = missed.page(overrule=number, roll=0).one("form", id="overrule")
    assert "The step after it is done again, with its own dice." in form.text
    missed.do("overrule", overrule=number, roll=0)
    undo = missed.page().one("button", value="undo")
    assert undo.attrs["title"].startswith("Undo: Zara attacks Pirate")


def test_the_log_offers_no_correction_to_others(cast: Cast, missed: Visit) -> None:
    for role in ("player", "watcher"):
        assert "?overrule=" not in str(cast[role].get(missed.here).content)


def test_a_form_without_a_roll_is_refused(missed: Visit) -> None:
    for query in ({}, {"overrule": "x", "roll": "0"}, {"overrule": "9" * 30, "roll": "-1"}):
        assert missed.post("overrule", **query).status_code == 422
        assert missed.client.get(missed.here, {"overrule": "", **query}).status_code == 200


def test_players_read_that_the_gm_overruled(cast: Cast, missed: Visit) -> None:
    Visit(cast.gm, missed.pk).do("overrule", overrule=load(missed.pk).steps, roll=0)
    for role in ("player", "watcher"):
        log = read(cast[role].get(missed.here)).one("ol", class_="log")
        assert "The GM overrules Zara's roll (attack): hit." in log.text


def test_no_form_of_an_action_can_overrule_a_roll(missed: Visit) -> None:
    told = missed.refused("attack", 422, combatant=ZARA, target=PIRATE, weapon=PISTOL, overruled="x")
    assert "has no field" in told
    assert read(missed.get()).all("form")


@pytest.mark.parametrize(
    ("kind", "outcome", "offered"),
    [
        ("check.block", "outcome.not_defended", "It was blocked after all"),
        ("check.dodge", "outcome.defended", "It was not dodged after all"),
        ("check.attack", "outcome.succeeds", "It missed after all"),
        ("check.initiative", "outcome.failure", "Overrule: acts first"),
        ("check.first_aid", "outcome.failure", "First aid: succeeded after all"),
    ],
)
def test_overruling_is_in_the_words_of_what_was_rolled(kind: str, outcome: str, offered: str) -> None:
    system = find_system("cepheus" if kind == "check.first_aid" else "guardians")
    roll = Roll("3d6", (1, 2, 3), 6, "app", "f1", "R", "")
    check = Checked("f1", kind, roll, (), 6, outcome, against=7)
    answer = Answer("roll", "R", "f1", 0, (1, 2, 3), "", "app", dice="3d6")
    (verdict,) = find_verdicts(system, [Fact(check)], [answer])
    assert verdict is not None
    assert system.draw(verdict.label) == offered


def test_what_is_done_again_is_no_new_moment_of_the_projector(cast: Cast, missed: Visit) -> None:
    """Marcus went down after the miss; correcting the miss does not show that again."""
    number = load(missed.pk).steps
    submit(missed.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "to": -200}))
    watcher = Visit(cast.watcher, missed.pk)
    (shown,) = watcher.page().all("section", class_="is-death")
    Visit(cast.gm, missed.pk).do("overrule", overrule=number, roll=0)
    after = watcher.page().all("section", class_="moment")
    assert not [
        one for one in after if one["data-moment"] != shown["data-moment"] and "is-death" in one["class"]
    ]
