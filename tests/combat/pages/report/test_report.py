"""The report of a fight: what it counts, who may read which part and when, and its files."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from msgspec.structs import replace

from combat.audience.viewer import GM, Viewer
from combat.models import Encounter
from combat.pages.report.shapes import LuckView, find_rare, view_luck
from combat.play.after import reports
from combat.play.after.reports import find_fight
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.report.luck import Luck, RollChance
from combat.rules.core.state.events import Checked
from tests.combat.cast import Cast
from tests.combat.visit import MARCUS, PIRATE, ZARA, demo_fight, load, play, play_step, read
from tests.typed import sure


def address(encounter: Encounter, kind: str = "") -> str:
    return f"/encounters/{encounter.pk}/report/{f'?as={kind}' if kind else ''}"


def test_fight_is_summed_up(ended: Encounter) -> None:
    """The Quick Combat Example: Zara and Marcus do all the harm to the pirate."""
    fight = sure(find_fight(ended, GM))
    zara, pirate, marcus = (fight.tallies[who] for who in (ZARA, PIRATE, MARCUS))
    assert zara.dealt + marcus.dealt <= pirate.taken
    assert zara.weapons == {"Pistol": zara.dealt}
    assert sum(marcus.weapons.values()) == marcus.dealt
    assert (marcus.taken, pirate.dealt, pirate.downed, zara.downed) == (4, 4, 1, 0)
    assert zara.actions["attack"] >= 2
    assert fight.is_over
    assert not fight.left


@pytest.mark.slow
def test_every_viewer_reads_how_many_attacks_hit(ended: Encounter, cast: Cast) -> None:
    for role in ("gm", "co_gm", "player", "other", "watcher"):
        damage = read(cast[role].get(address(ended))).one("ul", class_="dmg").text
        assert "Pistol 49" in damage, role
        told = json.loads(cast[role].get(address(ended, "json")).content)["combatants"]
        hits = {row["name"]: row["hits"] for row in told}
        assert hits == {"Zara": "7 of 7", "Marcus": "3 of 3", "Pirate": "0 of 1"}, role
        assert all(f"hit {words}" in damage for words in hits.values()), role
    mine = read(cast.player.get(f"/encounters/{ended.pk}/mine/")).one("dl", class_="end-numbers")
    assert "attacks that hit 7 of 7" in mine.text


@pytest.mark.slow
def test_those_who_stand_are_listed_by_their_sides(ended: Encounter, cast: Cast) -> None:
    assert "Still standing: Zara, Marcus (crew)." in read(cast.gm.get(address(ended))).one("main").text
    assert "Still standing: Zara, Marcus (crew)." in cast.gm.get(address(ended, "markdown")).content.decode()


def test_report_says_1_round_and_not_1_rounds(started: Encounter, cast: Cast) -> None:
    assert ", 1 round, " in cast.gm.get(address(started, "markdown")).content.decode()


def test_undone_actions_do_not_count_but_are_told(started: Encounter) -> None:
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -5}))
    undo(started.pk)
    fight = sure(find_fight(load(started.pk), GM))
    assert fight.tallies[PIRATE].taken == 0
    assert fight.undone == 1


@pytest.mark.slow
def test_initiative_is_no_luck(ended: Encounter) -> None:
    """It has no target number, so it neither succeeds nor fails. [COS-INIT-01]"""
    fight = sure(find_fight(ended, GM))
    assert fight.chances
    assert not [one for one in fight.chances if one.rule == "COS-INIT-01"]


@pytest.mark.parametrize(("percentile", "percent"), [(0.0001, 1), (0.5, 50), (0.9999, 99)])
def test_nobody_is_luckier_than_all_fights_or_than_none(percentile: float, percent: int) -> None:
    assert view_luck(Luck(20, 10, 10.04, percentile)) == LuckView(20, 10, "10", percent)


def test_luck_is_counted_over_several_looks(ended: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MAX_SECONDS", -1.0)
    fight = sure(find_fight(ended, GM))
    assert fight.left
    assert not fight.chances
    monkeypatch.setattr(reports, "MAX_SECONDS", 60.0)
    whole = find_fight(ended, GM)
    monkeypatch.setattr(reports, "MAX_SECONDS", -1.0)
    again = find_fight(ended, GM)
    assert whole
    assert again
    assert again.chances == whole.chances
    cache.clear()


def test_report_is_for_no_one_else_until_the_fight_is_over(cast: Cast, started: Encounter) -> None:
    for role in ("player", "other", "watcher"):
        told = cast[role].get(address(started)).content.decode()
        assert "The report is here when the fight is over." in told
        assert "Zara" not in told.split("<main")[1]
        assert "Zara" not in cast[role].get(address(started, "json")).content.decode().split("<main")[-1]


@pytest.mark.slow
def test_everybody_reads_it_afterwards(cast: Cast, ended: Encounter) -> None:
    for role in ("gm", "co_gm", "player", "other", "watcher"):
        told = cast[role].get(address(ended)).content.decode()
        assert "How it turned" in told
        assert "The unlikeliest moments" in told


@pytest.mark.slow
def test_each_number_says_what_it_is_where_the_table_is_too_wide(cast: Cast, ended: Encounter) -> None:
    page = read(cast.gm.get(address(ended)))
    heads = {head.text for head in page.all("th", scope="col")}
    cells = page.all("td")
    assert cells
    assert {cell["data-label"] for cell in cells} == heads - {"Combatant"}


def test_what_an_enemy_suffered_stays_as_secret_as_its_health(cast: Cast, ended: Encounter) -> None:
    """Players are told what they saw: the dice, and not what armor kept off."""
    full, told = (json.loads(cast[r].get(address(ended, "json")).content) for r in ("gm", "watcher"))
    rows = [{row["name"]: row for row in report["combatants"]} for report in (full, told)]
    assert rows[0]["Pirate"]["taken"] == "82"
    assert rows[1]["Pirate"]["taken"] == "–"
    assert (rows[0]["Zara"]["dealt"], rows[1]["Zara"]["dealt"]) == ("49", "49 before armor"), (
        "dice are public"
    )
    assert rows[1]["Marcus"]["taken"] == rows[0]["Marcus"]["taken"] == "4"


def test_nobody_reads_of_the_hidden(cast: Cast, ended: Encounter) -> None:
    submit(ended.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    for kind in ("", "json", "markdown", "wall"):
        assert b"Pirate" in cast.gm.get(address(ended, kind)).content
        for role in ("player", "other", "watcher"):
            assert b"Pirate" not in cast[role].get(address(ended, kind)).content


@pytest.mark.parametrize(
    ("slug", "number", "foe", "victim", "unasked", "attacks"),
    [("cosmos", 18, PIRATE, MARCUS, 0, 0), ("cepheus", 14, "f5", "f1", 1, 1)],
)
def test_own_loss_counts_but_its_hidden_foe_stays_unknown(
    gm: User, slug: str, number: int, foe: str, victim: str, unasked: int, attacks: int
) -> None:
    """Their log tells each loss; a foe revealed later has done nothing that they saw.

    `unasked` are the questions about a reaction, which none has to an unseen foe; a hold is no attack.
    """
    pk, script = demo_fight(gm, slug).pk, find_system(slug).demo.make_first().script
    player = Viewer("seat", frozenset({victim}))
    play(pk, script[:number])
    before = sure(find_fight(load(pk), player)).tallies[foe]
    submit(pk, Submission("hide", {"target": foe, "hidden": True}))
    play_step(pk, replace(script[number], answers=script[number].answers[unasked:]))
    submit(pk, Submission("hide", {"target": foe, "hidden": False}))
    known, full = (sure(find_fight(load(pk), viewer)).tallies for viewer in (player, GM))
    assert known[victim].taken == full[victim].taken > 0
    assert known[foe] == before
    assert full[foe].dealt > before.dealt
    assert full[foe].attacks - before.attacks == full[foe].hits - before.hits == attacks


@pytest.mark.slow
def test_files_say_the_same(cast: Cast, ended: Encounter) -> None:
    plain = json.loads(cast.gm.get(address(ended, "json")).content)
    text = cast.gm.get(address(ended, "markdown")).content.decode()
    assert (plain["format"], plain["version"], plain["is_over"]) == ("cosmos-table-report", 1, True)
    for row in plain["combatants"]:
        assert f"| {row['name']} | {row['dealt']} | {row['taken']} |" in text
    assert cast.gm.get(address(ended, "pdf")).status_code == 404


@pytest.mark.slow
def test_chances_are_told_in_percent(cast: Cast, ended: Encounter) -> None:
    report = cast.gm.get(address(ended, "json")).json()
    assert report["moments"]
    assert all(re.fullmatch(r"\d+(\.\d)?%", moment["percent"]) for moment in report["moments"])
    assert re.search(
        r"won (against the odds|an even fight|as expected): they win \d+(\.\d)?% of \d+ forecast",
        report["outsiders"],
    )


def test_encounter_without_a_fight_says_so(cast: Cast, ended: Encounter, gm: object) -> None:
    Encounter.objects.filter(pk=ended.pk).update(phase="prep", steps=0)
    ended.log.all().delete()
    assert "No fight has begun yet." in cast.gm.get(address(ended)).content.decode()


class Clock:
    """A clock that advances by a second at each look."""

    def __init__(self) -> None:
        self.now = 0

    def monotonic(self) -> float:
        self.now += 1
        return float(self.now)


@pytest.mark.slow
def test_roll_too_slow_to_count_is_left_out_and_others_count(
    ended: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the clock is a second, and a page view has three: too few to count any roll."""
    clock = Clock()
    monkeypatch.setattr(reports, "time", clock)
    monkeypatch.setattr(reports, "MAX_SECONDS", 3.0)
    left = []
    for _ in range(200):
        fight = sure(find_fight(ended, GM))
        left.append(fight.left)
        if not fight.left:
            break
    assert left[0] > 0
    assert left[-1] == 0, "each look gets somewhere"
    assert sure(fight).chances == []


def test_fight_that_takes_a_whole_look_to_play_is_not_forecast(
    ended: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight = sure(find_fight(ended, GM))
    monkeypatch.setattr(reports, "time", Clock())
    monkeypatch.setattr(reports, "MAX_SECONDS", 3.0)
    played = reports.find_forecast(ended, fight)
    assert (played.endings, played.is_done) == ([], True)


def test_five_least_likely_rolls_are_turning_points() -> None:
    """A roll that came as one would expect is none, however good it was."""
    roll = Roll("2d6", (3, 4), 7, source="app", by="x", rule="R1", why="")
    check = Checked("x", "attack", roll, (), 7, "hit")
    chances = [RollChance(check, "R1", one / 20) for one in (9, 2, 12, 4, 1, 7, 5, 10)]
    assert [one.chance for one in find_rare(chances)] == [1 / 20, 2 / 20, 4 / 20, 5 / 20, 7 / 20]
