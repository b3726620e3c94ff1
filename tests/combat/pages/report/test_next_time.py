"""Next time: what the house rules of a fight changed, counted by playing each step by the usual rule."""

from __future__ import annotations

import random

from combat.models import Encounter
from combat.pages.report.shapes import view_learned
from combat.play.after.learned import Learned, learn
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.rules.every_game.wild.wild import Log
from tests.combat.visit import read

SYSTEM = find_system("cosmos")


def fight(**options: bool) -> Learned:
    """A soldier in armor is shot at once, with a modifier of the GM."""
    log, chance = Log(SYSTEM), random.Random(4)
    log.do("join", {"name": "Ada", "side": "allies", "block": "soldier"}, chance)
    log.do("join", {"name": "Bo", "side": "enemies", "block": "soldier"}, chance)
    for key, value in options.items():
        log.do("set_option", {"key": key, "value": value}, chance)
    log.do("start", {}, chance)
    who = log.state.active
    other = next(one for one in log.state.combatants if one != who)
    shot = {"actor": who, "target": other, "weapon": f"{who}-1", "adjust": 2, "because": "high ground"}
    log.do("attack", shot, chance)
    log.do("end_fight", {}, chance)
    return learn(SYSTEM, log.start, log.steps)


def test_house_rule_that_changed_something_is_counted() -> None:
    (rule,) = fight(armor_adds_defense=True).rules
    assert (rule.key, rule.value, rule.compared) == ("armor_adds_defense", True, 3)
    assert rule.different == 1
    (view,) = view_learned(SYSTEM, Learned((rule,))).rules
    assert (view.value, view.usual, view.told) == ("yes", "no", "Changed 1 of 3 steps.")


def test_house_rule_without_effect_says_so() -> None:
    found = fight(lethal_dying=True)
    assert view_learned(SYSTEM, found).rules[0].told == "No difference in 3 steps."
    assert view_learned(SYSTEM, found).modifiers == ("+2 high ground: once",)


def test_usual_rules_teach_nothing() -> None:
    assert fight().rules == ()


def test_only_the_gm_reads_it_once_the_fight_is_over(cast: Cast, started: Encounter) -> None:
    def look(role: str) -> Page:
        return read(cast[role].get(f"/encounters/{started.pk}/report/"))

    roles = ("gm", "co_gm", "player", "watcher")
    assert not any(look(role).all(id="h-next") for role in roles)
    submit(started.pk, Submission("end_fight"))
    assert [len(look(role).all(id="h-next")) for role in roles] == [1, 1, 0, 0]
    assert "No house rule differed from its default in this fight." in look("gm").one("main").text
