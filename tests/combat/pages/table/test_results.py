"""After a roll a card shows dice, total against number, outcome and changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec.structs import replace

from combat.audience.viewer import GM, Viewer
from combat.display.log_view import tell_step
from combat.display.shapes.result_shapes import Change, Rolled
from combat.display.shapes.table_shapes import CombatantView, LogStep
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table.result_view import (
    find_main,
    is_deferred,
    make_result,
    tell_changes,
    view_changes,
    view_roll,
)
from combat.pages.table.rows import view_combatants
from combat.play.writing.encounter_service import Submission, answer, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.declaration.book import DemoStep
from combat.rules.core.state import events as e
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import Condition
from combat.rules.core.wording import Pen
from combat.rules.core.wording.pen import Line
from tests.combat.cast import come
from tests.combat.display.mess_hall import settle_blast, throw_grenade
from tests.combat.markup import Page
from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import BO
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.guardians.stage import duel as guarded_duel
from tests.combat.visit import (
    PIRATE,
    PISTOL,
    SLUG,
    ZARA,
    Visit,
    demo_fight,
    load,
    play,
    read,
    roll_fives,
    state_of,
)
from tests.typed import sure

HIT, MISS = ((9, 9), (5,)), ((1, 2),)


def attack(pk: int, hits: bool = True) -> None:
    """Zara shoots the pirate; all dice are typed."""
    fields = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(pk, Submission("attack", fields, faces=(9, 9) if hits else (1, 2)))


def cards(page: Page) -> list[str]:
    """The words of the cards on a page, oldest first."""
    return [card.text for card in page.all("article", class_="result")]


def keys(page: Page) -> list[str]:
    return [card["data-result"] for card in page.all("article", class_="result")]


@pytest.fixture
def visit(started: Encounter, gm_client: Client) -> Visit:
    """The GM in Zara's first turn, after her attack has hit."""
    attack(started.pk)
    return Visit(gm_client, started.pk)


def test_a_card_shows_the_dice_the_total_and_the_outcome(visit: Visit) -> None:
    page = visit.page()
    (card,) = cards(page)
    assert [face["aria-label"] for face in page.all("svg", class_="face")][:2] == ["9 on a d10"] * 2
    assert re.search(r"9 9 \+ 8 = 26 vs Defense 12 hit", card), "it can be read aloud"
    assert page.all("article", class_="is-hit")


def test_damage_dice_come_with_additions_and_before_reductions() -> None:
    """The faces come with the same number for the GM and for those who may not know what armor does."""
    terms = (Modifier("Sword", 1, ""), Modifier("Might", 4, ""))
    roll = Roll("1d8", (1,), 1, "app", ZARA, "COS-DMG-08", "roll.damage")
    told = e.TrackChanged(ZARA, "hp", 80, 75, "Sword", terms, roll)
    pen = Pen(find_system(SLUG), {})
    assert sure(view_roll(pen, told)).total == 5
    armored = replace(told, terms=(*terms, Modifier("Plate", -9, "")))
    assert sure(view_roll(pen, armored)).total == 5
    bare = replace(told, terms=())
    assert sure(view_roll(pen, bare)).total == 1


def test_a_sum_is_shown_to_those_who_may_know_its_modifiers() -> None:
    """Without them, or with dice that count another way, the card shows dice and total only."""
    roll = Roll("2d10", (4, 9), 13, "app", ZARA, "COS-ATK-01", "roll.attack")
    check = e.Checked(
        ZARA, "check.attack", roll, (Modifier("Might", 8, "COS-ATK-04"),), 21, "outcome.hit", 12
    )
    pen = Pen(find_system(SLUG), {})
    shown = sure(view_roll(pen, check))
    assert (shown.addition, shown.adds_up) == ("+ 8", True)
    hidden = sure(view_roll(pen, replace(check, modifiers=(), against=None)))
    assert (hidden.addition, hidden.against) == ("", None)
    minus = (Modifier("Range", -3, "COS-ATK-05"),)
    assert view_roll(pen, replace(check, modifiers=minus, total=10)).addition == "− 3"  # type: ignore[union-attr]
    best = replace(roll, total=9)
    assert not view_roll(pen, replace(check, roll=best, total=17)).adds_up  # type: ignore[union-attr]


def test_card_says_with_what_and_by_how_much(visit: Visit) -> None:
    """26 against 12."""
    (card,) = cards(visit.page())
    assert card.startswith("Zara attacks Pirate · Pistol")
    assert "hit by 14 " in card


@pytest.mark.slow
def test_rings_of_a_grenade_show_the_same_numbers_to_everyone(
    gm: User, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The inner rings add dice to those of the outer ones; only the GM may know what armor takes off."""
    roll_fives(monkeypatch)
    pk = throw_grenade(gm)
    settle_blast(pk)
    sums = {}
    for role, client in (("gm", gm_client), ("watcher", come(load(pk), ShareLink.WATCH, "Wim"))):
        page = read(client.get(f"/encounters/{pk}/"))
        card = page.one("article", class_="result")
        sums[role] = [found.text for found in page.all(class_="result-sum") if found.is_in(card)] + [
            found.text for found in page.all("b") if any("result-others" in p["class"] for p in found.parents)
        ]
    assert sums["gm"] == sums["watcher"]
    assert sums["gm"] == ["5", "15", "25"]


WAITS = "Applies after Captain acts."


def test_a_card_says_that_what_it_does_waits_for_others(
    gm: User, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kaja and the Captain act at one count: a hit without a card seemed to have no effect."""
    pk = demo_fight(gm, "cepheus").pk
    play(pk, [DemoStep("start", {}, ((4, 4), (1, 1), (1, 1), (1, 1), (4, 4)))])
    roll_fives(monkeypatch)
    submit(pk, Submission("attack", {"actor": "f1", "target": "f5", "weapon": "f1-1"}))
    answer(pk, 0, value="none")
    (card,) = cards(Visit(gm_client, pk).page())
    assert " hit " in card
    assert WAITS in card


def test_what_waits_for_someone_unknown_is_not_told(visit: Visit) -> None:
    waiting = e.Marked("", f"deferred:{ZARA}:0", '{"target": "f2", "weapon": "f1-1"}')
    known = state_of(visit.pk)
    assert is_deferred(waiting, known)
    unknown = replace(waiting, value='{"target": "f99"}')
    assert not is_deferred(unknown, known)
    assert not is_deferred(replace(waiting, value=None), known), "it has been taken"
    assert WAITS not in cards(visit.page())[0]


@pytest.mark.parametrize("way", ["dodge", "parry"])
def test_a_card_says_what_became_of_an_attack_that_was_defended(way: str) -> None:
    """It would have hit: the large word is the defense, without the points of the attack."""
    stage, foe = guarded_duel("long_sword", hero={"blades": 12}), "f2"
    stage.hold_things(foe, "club")
    stage.attack(40, way, 12)
    system, step = stage.system, Step(1, facts=stage.facts, name="attack", command={"actor": "f1"})
    views = view_combatants(system, stage.state, GM)
    card = sure(make_result(system, GM, stage.state, step=step, key="1", combatants=views))
    word = {"dodge": "dodged", "parry": "parried"}[way]
    assert (card.main.who, card.main.verdict, card.main.tone, card.main.margin) == ("Ada", word, "is-miss", 0)
    assert [rolled.result for rolled in card.others] == [word]
    told = tell_step(step, system.slug, GM, (("f1", "Ada"), ("f2", "Bo")))
    log = LogStep("1", "command", told.lines, struck=False, by="", actor="f1")
    assert re.fullmatch(rf"Ada attacks Bo .*: would hit\. Bo tries to {way} .*: {word}\.", log.brief)
    assert told.marks == ("miss",)


@pytest.mark.parametrize(
    ("people", "actor", "brief"),
    [
        (("f1",), "", "Roll 1."),
        (("f1",), "f1", "Roll 1."),
        (("f1", "f1"), "", "Roll 1. (and 1 more)"),
        (("f1", "f2"), "", "It begins. (and 2 more)"),
        (("f1", "f2"), "f1", "Roll 1."),
    ],
)
def test_brief_is_the_roll_unless_several_rolled_and_none_acted(
    people: tuple[str, ...], actor: str, brief: str
) -> None:
    rolls = [Line(f"Roll {number}.", who=who, total=9) for number, who in enumerate(people, 1)]
    lines = (Line("It begins."), *rolls)
    assert LogStep("1", "command", lines, struck=False, by="", actor=actor).brief == brief


def test_of_several_attacks_the_card_is_about_the_best() -> None:
    """Its damage is right below it; among equals the first is shown."""

    def roll(tone: str, what: str = "attack", who: str = "Ada") -> Rolled:
        verdict = "" if tone == "is-plain" else tone
        return Rolled(what, (), 9, "app", who=who, against=8, verdict=verdict, tone=tone)

    miss, hit, crit = map(roll, ("is-miss", "is-hit", "is-crit"))
    damage = roll("is-plain", "damage", "")
    for rolls, at in (
        ([miss, crit, damage], 1),
        ([hit, damage, replace(hit, total=8), damage], 0),
        ([hit, damage, miss], 0),
        ([damage, miss, roll("is-hit", "save", "Bo")], 1),
        ([roll("is-plain"), roll("is-plain")], 0),
    ):
        assert find_main(rolls) == at


def visit_began(visit: Visit) -> datetime:
    """When the first step of the fight was made: someone with a seat since then was there all along."""
    return load(visit.pk).log.earliest("number").created


def test_who_has_just_joined_reads_nothing_of_what_was_before(visit: Visit) -> None:
    """The page begins with what they can do; the log has the rest."""
    visitor = come(load(visit.pk), ShareLink.PLAY, "Ada", ZARA)
    page = read(visitor.get(visit.here))
    assert not cards(page)
    assert not page.all("p", class_="latest")
    assert not page.all("details", class_="last-line")
    assert "attacks Pirate" in page.one("ol", id="log-lines").text
    Seat.objects.update(created=visit_began(visit))
    assert cards(read(visitor.get(visit.here)))


def test_others_learn_no_more_from_a_card_than_from_the_table(visit: Visit) -> None:
    visitors = [come(load(visit.pk), kind, f"Visitor {kind}") for kind in (ShareLink.PLAY, ShareLink.WATCH)]
    Seat.objects.update(created=visit_began(visit))
    health = find_system(SLUG).characters.health(state_of(visit.pk)[PIRATE])
    number = f"{health.now} / {health.most}"
    for shown in ("word", "bar", "nothing"):
        submit(visit.pk, Submission("set_option", {"key": "foe_health", "value": shown}))
        assert number in cards(visit.page())[0]
        for visitor in visitors:
            (card,) = cards(read(visitor.get(visit.here)))
            assert "hit" in card
            assert number not in card, shown
            assert not re.search(r"loses \d", card.split("Pirate")[-1]), shown


@pytest.mark.slow
def test_gm_changes_and_passing_turns_leave_the_card(visit: Visit) -> None:
    """It stays until the next roll, and the head of the page says what changed."""
    before = keys(visit.page())
    for name, command in (
        ("give_condition", {"target": PIRATE, "kind": "prone"}),
        ("adjust", {"target": PIRATE, "track": "hp", "by": -2}),
        ("rename", {"target": PIRATE, "name": "Vark"}),
        ("hide", {"target": PIRATE}),
        (find_system(SLUG).actions.advance, {}),
    ):
        submit(visit.pk, Submission(name, command, by="gm"))
        assert keys(visit.page()) == before, name


def test_what_the_card_shows_is_not_written_above_it_too(visit: Visit) -> None:
    page = visit.page()
    assert not page.all("p", class_="latest")
    assert (
        "attacks Pirate" in page.one(id="table-now")["data-announce"] + page.one(id="table")["data-announce"]
    )
    visit.post("next_turn")
    assert not visit.page().all("p", class_="latest"), "the head says whose turn it is"


def test_the_next_action_takes_the_card_away(visit: Visit) -> None:
    submit(visit.pk, Submission("move", {"actor": ZARA, "to": f"near:{PIRATE}"}))
    assert not cards(visit.page())


@pytest.mark.slow
def test_undo_brings_the_card_before_it_back(visit: Visit) -> None:
    attacked = keys(visit.page())
    visit.do("undo")
    assert "initiative" in cards(visit.page())[0]
    visit.do("redo")
    assert keys(visit.page()) == attacked


@pytest.mark.slow
def test_whoever_saw_an_older_one_gets_all_since_in_their_order(visit: Visit) -> None:
    first = keys(visit.page())
    for hits in (False, True):
        visit.do("undo")
        attack(visit.pk, hits)
    latest = keys(visit.page())
    visit.do("undo")
    visit.do("redo")
    seen = visit.client.get(visit.here, headers={"X-Seen": first[0]})
    assert keys(read(seen)) == latest


def test_a_name_that_no_step_has_brings_the_last_card_only(visit: Visit) -> None:
    for seen in ("", "nothing", "0", "9" * 50):
        assert len(cards(read(visit.client.get(visit.here, headers={"X-Seen": seen})))) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("fives")
def test_npcs_played_by_the_app_come_as_a_row_of_cards(gm_client: Client, prepared: Encounter) -> None:
    visit = Visit(gm_client, prepared.pk)
    visit.do(find_system(SLUG).actions.start)
    seen = str(load(visit.pk).steps)
    shown: list[str] = []
    while len(shown) < 2:  # a turn of moves brings no card
        visit.do("autoplay")
        assert state_of(prepared.pk).round < 5
        shown = keys(read(visit.client.get(visit.here, headers={"X-Seen": seen})))
    assert [int(key) for key in shown] == sorted(map(int, shown))


def changes_of(
    pen: Pen, events: tuple[e.Event, ...], views: Mapping[str, CombatantView]
) -> tuple[Change, ...]:
    """What a card says of these events."""
    return view_changes(tell_changes(pen, tuple(e.Fact(event) for event in events)), views)


def test_card_says_a_final_condition_once_and_what_got_through() -> None:
    system = find_system(SLUG)
    stage = CosmosStage()
    who = stage.hero("Ada")
    views = {who: view_combatants(system, stage.state, GM)[who]}
    held = Condition("k1", "bleeding", "condition.bleeding")
    facts = (e.ConditionGained(who, held), e.ConditionChanged(who, replace(held, level=2)))
    (change,) = changes_of(Pen(system, {who: "Ada"}), facts, views)
    assert change.words == ("Ada: Bleeding, now level 2.",)
    assert change.health is None, "nothing was lost by it"
    lost = (*facts, e.TrackChanged(who, "hp", 80, 75, "Sword"))
    (change,) = changes_of(Pen(system, {who: "Ada"}), lost, views)
    assert change.health == views[who].health
    rolled = Rolled("damage", (), 16, "app", who="Ada", target="Car", verdict="through armor", tone="is-hit")
    assert rolled.result == "16 through armor"
    assert replace(rolled, against=8, verdict="hit").result == "hit"
    assert replace(rolled, verdict="").result == "16"
    assert replace(rolled, total=-25).sum == "−25"


def test_hit_that_spills_over_is_one_line_with_the_last_state() -> None:
    """Three numbers of one body change by it: the card says it as the log does."""
    stage, names = duel("grenade_frag"), {BO: "Bo"}
    stage.attack((6, 6), (6, 6, 6, 6, 6))
    told = [tell_changes(Pen(stage.system, names), tuple(who.select(stage.facts))) for who in (GM, Viewer())]
    assert [[text for _, text in words] for ((_, words, *_),) in told] == [
        [
            "Bo loses 7 Endurance (7 → 0), 7 Strength (7 → 0) and 7 Dexterity (7 → 0): Frag grenade.",
            "Bo dies.",
        ],
        ["Bo dies."],
    ]


def test_what_ends_with_nothing_says_no_until() -> None:
    system = find_system(SLUG)
    stage = CosmosStage()
    who = stage.hero("Ada")
    stage.give(who, "dead")
    (chip,) = view_combatants(system, stage.state, GM)[who].chips
    assert (chip.label, chip.ends) == ("Dead", "")


def test_card_names_first_whose_health_changed_and_no_one_elses() -> None:
    system = find_system(SLUG)
    stage = CosmosStage()
    ada, bo = stage.hero("Ada"), stage.foe("Bo")
    views = {who: view_combatants(system, stage.state, GM)[who] for who in (ada, bo)}
    facts = (
        e.ConditionGained(ada, Condition("k1", "charged", "condition.charged")),
        e.TrackChanged(bo, "hp", 80, 75, "Sword"),
    )
    harmed, other = changes_of(Pen(system, {ada: "Ada", bo: "Bo"}), facts, views)
    assert (harmed.name, other.name) == ("Bo", "Ada")
    assert harmed.health
    assert other.health is None


def test_a_later_wound_leaves_the_bar_of_an_earlier_card(started: Encounter, gm_client: Client) -> None:
    """Whose health is shown by word alone keeps that word, and the GM the number of then."""
    cast = {"gm": gm_client, "player": come(started, ShareLink.PLAY, "Ana", ZARA)}
    cast["watcher"] = come(started, ShareLink.WATCH, "Wall")
    attack(started.pk)

    def read_bars(client: Client) -> list[str]:
        page = Visit(client, started.pk).page()
        return [
            bar.text for card in page.all("article") for bar in page.all("div", class_="health", inside=card)
        ]

    first = {name: read_bars(client) for name, client in cast.items()}
    assert all(first.values())
    before = state_of(started.pk).combatants[PIRATE].tracks["hp"]
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -8}, by="gm"))
    assert state_of(started.pk).combatants[PIRATE].tracks["hp"] == before - 8
    assert {name: read_bars(client) for name, client in cast.items()} == first
    submit(started.pk, Submission(find_system(SLUG).actions.advance, {}, by="gm"))
    assert {name: read_bars(client) for name, client in cast.items()} == first


def test_a_later_death_leaves_the_face_of_an_earlier_card(started: Encounter, gm_client: Client) -> None:
    """Those who stood then stand there for everyone: not crossed out, not prone, their eyes open."""
    cast = {"gm": gm_client, "watcher": come(started, ShareLink.WATCH, "Wall")}
    attack(started.pk)

    def read_faces(client: Client) -> list[tuple[str, int]]:
        page = Visit(client, started.pk).page()
        marks = [one for card in page.all("article") for one in page.all("svg", class_="mark", inside=card)]
        return [(mark["class"], len(page.all("path", class_="cross", inside=mark))) for mark in marks]

    first = {name: read_faces(client) for name, client in cast.items()}
    assert all(first.values())
    for kind in ("prone", "dead"):
        submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": kind}, by="gm"))
        assert {name: read_faces(client) for name, client in cast.items()} == first, kind


def test_a_result_of_an_earlier_turn_is_one_line(started: Encounter, gm_client: Client) -> None:
    """Its card opens below the line."""
    attack(started.pk)
    table = Visit(gm_client, started.pk)
    assert not table.page().all("details", class_="last-line")
    submit(started.pk, Submission(find_system(SLUG).actions.advance, {}, by="gm"))
    page = table.page()
    (line,) = page.all("details", class_="last-line")
    assert line.text.split() == ["9", "9", "Last", "result:", "Zara", "attacks", "Pirate", "hit"]
    assert page.all("article", class_="is-past")


@pytest.mark.parametrize("slug", ["cosmos", "starshock"])
def test_rolls_that_begin_a_fight_are_one_line(gm_client: Client, gm: User, slug: str) -> None:
    """Also where initiative is a check with an outcome."""
    fight = create_encounter(gm, slug, "The alley")
    for name, side in (("Ada", "heroes"), ("Bo", "enemies")):
        block = next(iter(find_system(slug).book.find_blocks()))
        submit(
            fight.pk, Submission("join", {"block": block, "name": name, "side": side, "pc": name == "Ada"})
        )
    submit(fight.pk, Submission("start", {}))
    page = Visit(gm_client, fight.pk).page()
    assert len(page.all("details", class_="last-line")) == len(page.all("article")) == 1
