"""What was ruled once: its player's own tile, rolled without asking, in this fight and the next."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User

from characters.models import Character
from characters.services import character_service
from combat.audience.viewer import GM
from combat.models import Campaign, Encounter
from combat.pages.table.rulings_view import apply_earlier, list_earlier, view_tiles
from combat.play.after.imports import import_encounter
from combat.play.campaigns.campaigns import create_campaign, create_in_campaign
from combat.play.campaigns.roster import join_or_wait, submission_to_join
from combat.play.campaigns.rulings import find_rulings
from combat.play.improvising import Wish, read_wishes
from combat.play.writing.encounter_service import Submission, read_history, submit, undo
from combat.play.writing.verification import verify
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import StatBlock
from combat.rules.core.gm.improvising import ACT
from combat.rules.core.gm.rulings import BRING
from combat.rules.core.state.rulings import Ruling
from combat.rules.core.state.state import Combatant
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast
from tests.combat.pages.table.test_wishes import RULED, SWING, ask, cut, post, see
from tests.combat.visit import PIRATE, SLUG, ZARA, combatant, load, read, refusal, state_of

TILE = "Swing on the chain and land on the …"  # what they can do again, by their words
USE = {"do": "use_ruling", "combatant": ZARA, "ruling": "r1", "target": PIRATE}


def keep(cast: Cast, pk: int, words: str = SWING, **ruled: Any) -> None:
    ask(cast.player, pk, words)
    assert post(cast.gm, pk, "offer_wish", **ruled).status_code == 200
    assert post(cast.player, pk, "take_offer").status_code == 200


def give_back(cast: Cast, pk: int) -> None:
    """Zara has her Standard again."""
    answer = cast.gm.post(
        f"/encounters/{pk}/", {"do": "give_budget", "target": ZARA, "pool": "standard", "left": 1}
    )
    assert answer.status_code == 303, refusal(answer)


@pytest.mark.usefixtures("fives")
def test_ruling_is_the_players_own_tile_and_rolls_without_the_gm(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    assert "Ruled before" not in see(cast.player, pk)
    keep(cast, pk)
    tile = read(cast.player.get(f"/encounters/{pk}/")).one(id="turn-rulings").text
    assert TILE in tile
    assert "No Standard left" in tile
    assert cast.player.post(f"/encounters/{pk}/", USE, headers={"HX-Request": "true"}).status_code == 409
    give_back(cast, pk)
    tile = read(cast.player.get(f"/encounters/{pk}/")).one(id="turn-rulings").text
    for words in (f"{TILE} · 72%", "Athletics with Coordination against 14", "without asking"):
        assert words in tile, words
    assert cast.player.post(f"/encounters/{pk}/", USE, headers={"HX-Request": "true"}).status_code == 200
    assert SWING in see(cast.player, pk)
    assert combatant(pk, ZARA).budget["standard"] == 0
    assert not read_wishes(load(pk)).open
    verify(load(pk))
    before = state_of(pk)
    undo(pk, by="gm")
    assert combatant(pk, ZARA).budget["standard"] == 1
    assert combatant(pk, ZARA).rulings == before[ZARA].rulings, "what was ruled before stays"
    undo(pk, by="gm")
    undo(pk, by="gm")
    assert combatant(pk, ZARA).all_rulings == (), "one undo takes back roll, cost, ends and tile"


def test_the_gm_answers_the_same_wish_of_anyone_in_one_tap(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    keep(cast, pk)
    ask(cast.player, pk, "I swing at the Pirate again")
    number = read_wishes(load(pk)).open[0].number
    form = read(cast.gm.get(f"/encounters/{pk}/", {"wish": number})).one("form", id="ruling").text
    assert "Ruled before" in form
    assert TILE in form
    for bad in ("", "f99/r1", f"{ZARA}/r9", f"{PIRATE}/r1", "x" * 300):
        answer = post(cast.gm, pk, "rule_again", ruled=bad)
        assert answer.status_code in (409, 422), bad
        assert refusal(answer), bad
    assert post(cast.gm, pk, "rule_again", ruled=f"{ZARA}/r1").status_code == 200
    wish = read_wishes(load(pk)).open[0]
    assert (wish.status, wish.offer["words"]) == ("offered", "I swing at the Pirate again")


def test_ruling_is_not_kept_if_the_gm_says_so_or_without_a_roll(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    keep(cast, pk, **RULED)
    assert combatant(pk, ZARA).all_rulings == (), "the form's box is empty"
    give_back(cast, pk)
    ask(cast.player, pk, "I jump")
    assert post(cast.gm, pk, "let_work").status_code == 200
    assert combatant(pk, ZARA).all_rulings == ()


def test_its_player_or_the_gm_takes_a_ruling_away(cast: Cast, started: Encounter) -> None:
    pk, drop = started.pk, {"do": "drop_ruling", "combatant": ZARA, "ruling": "r1"}
    for role in ("player", "gm"):
        keep(cast, pk)
        answer = cast[role].post(f"/encounters/{pk}/", drop)
        assert answer.status_code == 303, refusal(answer)
        assert combatant(pk, ZARA).all_rulings == ()
        assert cast[role].post(f"/encounters/{pk}/", drop).status_code == 422
        give_back(cast, pk)
    verify(load(pk))


def test_nobody_else_sees_does_or_takes_it(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    keep(cast, pk)
    give_back(cast, pk)
    ruled, steps = combatant(pk, ZARA).rulings, load(pk).steps
    for role in ("other", "watcher", "revoked", "stranger", "nobody"):
        for do in ("use_ruling", "drop_ruling", "bring_rulings", "rule_again"):
            fields = {"do": do, "combatant": ZARA, "ruling": "r1", "wish": 0, "ruled": f"{ZARA}/r1"}
            assert cast[role].post(f"/encounters/{pk}/", fields).status_code >= 302, (role, do)
        if role in ("other", "watcher"):
            page = read(cast[role].get(f"/encounters/{pk}/"))
            assert TILE not in str(page), role
    assert (combatant(pk, ZARA).rulings, load(pk).steps) == (ruled, steps)


def bring(pk: int, who: str, points: str, **more: Any) -> None:
    """Let someone do what takes so many points off whom it concerns."""
    harm = {"kind": "harm", "who": ["them"], "dice": points}
    check = [["skill", "Athletics"], ["attribute", "COO"]]
    ruling = {"id": "r1", "name": "Drop the crane", "check": check, "works": [harm], **more}
    submit(pk, Submission(BRING, {"rulings": {who: [ruling]}}))


def test_suggest_names_the_tile_where_it_beats_an_attack(cast: Cast, started: Encounter) -> None:
    """Of a secret number or hidden endings it says nothing, whatever they are."""
    pk, advice = started.pk, "Suggested: Drop the crane"
    assert advice not in see(cast.player, pk, do="suggest")
    for role in ("player", "gm"):
        bring(pk, ZARA, "900")
        page = see(cast[role], pk, do="suggest")
        assert advice in page, role
        assert "Drop the crane · " in page, "with its chance"
        submit(pk, Submission("drop_ruling", {"actor": ZARA, "ruling": "r1"}))
    for more in ({"secret": True}, {"hides": True}):
        told = []
        for points in ("1", "900"):
            bring(pk, ZARA, points, **more)
            told.append(cut(see(cast.player, pk, do="suggest"), "turn"))
            submit(pk, Submission("drop_ruling", {"actor": ZARA, "ruling": "r1"}))
        assert told[0] == told[1]
        assert advice not in told[0]


HURTS = {"kind": "harm", "who": ["them"], "dice": "3"}
HELPS = {"kind": "points", "who": ["them"], "n": 2, "turns": 1}
MOVES = {"kind": "place", "who": ["me"], "to": "them"}


@pytest.mark.parametrize(
    ("works", "is_foe"), [([HURTS], True), ([{**HELPS, "n": -2}], True), ([MOVES, HURTS], True)]
)
def test_harmful_tile_of_the_next_fight_is_aimed_at_an_enemy(
    cast: Cast, started: Encounter, works: list[dict[str, Any]], is_foe: bool
) -> None:
    """Where it was about nobody here, and where who it was about is an ally now; else about whom it was."""
    pk = started.pk
    ally = next(one for one in state_of(pk).combatants.values() if one.side == "crew" and one.id != ZARA)
    for about, ending, usual in (("", works, is_foe), (ally.id, works, is_foe), (ally.id, [HELPS], False)):
        bring(pk, ZARA, "1", works=ending, about=about)
        context = ViewerContext(load(pk), GM, None, "gm")
        (tile,) = view_tiles(context, ZARA, {})
        assert (state_of(pk)[tile.target].side != "crew") == usual, (about, ending)
        assert tile.people[0].id == tile.target
        submit(pk, Submission("drop_ruling", {"actor": ZARA, "ruling": "r1"}))


def test_a_tile_is_grey_in_the_words_of_the_rule(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    bring(pk, ZARA, "5", about=PIRATE)
    submit(pk, Submission("give_condition", {"target": ZARA, "kind": "pinned"}))
    tile = read(cast.player.get(f"/encounters/{pk}/")).one(id="turn-rulings")
    assert "is pinned: only breaking free is left." in tile.text
    answer = cast.player.post(f"/encounters/{pk}/", USE, headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert "is pinned" in refusal(answer)
    ask(cast.player, pk, "I spit at the Pirate")
    number = read_wishes(load(pk)).open[0].number
    table = cast.gm.get(f"/encounters/{pk}/", {"wish": number})
    assert "is pinned: ruled all the same" in read(table).one("form", id="ruling").text
    assert post(cast.gm, pk, "let_work").status_code == 200
    assert "is pinned: ruled all the same." in see(cast.gm, pk)
    assert "ruled all the same" not in see(cast.player, pk)


def test_undone_ruling_is_gone_and_its_target_may_have_left(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    bring(pk, ZARA, "5", about=PIRATE)
    submit(pk, Submission("remove", {"target": PIRATE}))
    before = load(pk).steps
    for fields in ({"target": PIRATE}, {"target": ""}):
        answer = cast.player.post(f"/encounters/{pk}/", {**USE, **fields}, headers={"HX-Request": "true"})
        assert answer.status_code in (404, 409, 422), fields
    assert load(pk).steps == before
    assert "Drop the crane" in see(cast.player, pk)
    undo(pk, by="gm")
    undo(pk, by="gm")
    steps = load(pk).steps
    answer = cast.player.post(f"/encounters/{pk}/", USE, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "gone" in refusal(answer)
    assert load(pk).steps == steps
    verify(load(pk))


ODD: tuple[dict[str, Any], ...] = (
    {"works.harm.dice": "\u00b2"},
    {"works.harm.dice": "9" * 5000},
    {"works.harm.dice": "2d6\u00b2"},
    {"works.door.on": "on", "works.door.key": "w1", "works.door.n": "9" * 29},
    {"works.points.on": "on", "works.points.n": "9" * 29},
    {"works.condition.on": "on", "works.condition.key": "prone", "works.condition.n": "9" * 29},
    {"works.harm.dice": "3", "works.harm.who": "f99"},
    {"opposed": "f99", "mode": "opposed"},
    {"cost": "the moon"},
    {"grade": "9" * 29},
)


@pytest.mark.slow
def test_odd_numbers_and_people_in_a_ruling_are_refused(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    before, steps = read_wishes(load(pk)), load(pk).steps
    for fields in ODD:
        for do in ("offer_wish", "rule_wish"):
            answer = post(cast.gm, pk, do, **{**RULED, **fields})
            assert answer.status_code in (404, 409, 422), (do, fields)
            assert refusal(answer), (do, fields)
    assert (read_wishes(load(pk)), load(pk).steps) == (before, steps)


BAD: tuple[dict[str, Any], ...] = (
    {"ruling": ""},
    {"ruling": "r9"},
    {"ruling": "x" * 500},
    {"target": "f99"},
    {"target": ZARA},
    {"combatant": PIRATE},
    {"combatant": ""},
)


def test_half_and_odd_uses_are_refused_and_change_nothing(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    keep(cast, pk)
    give_back(cast, pk)
    steps = load(pk).steps
    for fields in BAD:
        answer = cast.player.post(f"/encounters/{pk}/", {**USE, **fields}, headers={"HX-Request": "true"})
        assert answer.status_code in (404, 409, 422), fields
    assert load(pk).steps == steps


def test_a_secret_number_stays_secret_in_the_tile(cast: Cast, started: Encounter) -> None:
    """Two worlds that differ in the number and the hidden endings alone have the same tile and result."""
    pk = started.pk
    told = []
    for grade, words in (("14", "It creaks."), ("11", "It holds.")):
        secret = {**RULED, "grade": grade, "secret": "yes", "hides": "yes", "keep": "yes", "cost": ""}
        secret |= {"works.harm.on": "", "fails.words.text": words}
        ask(cast.player, pk)
        assert post(cast.gm, pk, "offer_wish", **secret).status_code == 200
        assert post(cast.player, pk, "take_offer", dice="table").status_code == 200
        good = {"do": "answer", "question": 0, "face-1": 10, "face-2": 9, "dice": "table"}
        assert cast.player.post(f"/encounters/{pk}/", good).status_code == 303
        page = see(cast.player, pk)
        assert f"{TILE} · ?" in " ".join(page.split())
        assert words not in page
        assert f"against {grade}" in read(cast.gm.get(f"/encounters/{pk}/")).one(id="turn-rulings").text
        use = {**USE, "dice": "table"}
        assert cast.player.post(f"/encounters/{pk}/", use).status_code == 303
        assert cast.player.post(f"/encounters/{pk}/", good).status_code == 303
        after = see(cast.player, pk)
        assert words not in after
        told.append((cut(page, "my-wish"), cut(after, "my-wish")))
        tile = read(cast.gm.get(f"/encounters/{pk}/")).one(id="turn-rulings")
        assert "once a turn is enough" in tile.text, "not offered where it would be refused"
        undo(pk, by="gm")
        undo(pk, by="gm")
    assert told[0] == told[1]


# ---- The next fight ----


def find_block() -> StatBlock:
    return next(iter(find_system(SLUG).book.find_blocks().values()))


def make_fight(campaign: Campaign, gm: User, hero: Character) -> int:
    """A fight of the hero against a guard, ready to start; returns its number."""
    pk = create_in_campaign(campaign, gm, SLUG, "Fight").pk
    submit(pk, submission_to_join(hero, side="crew", by="gm"))
    submit(pk, Submission("join", {"block": find_block().id, "side": "guards"}))
    return pk


def start(pk: int) -> Combatant:
    """The hero as the fight has begun."""
    submit(pk, Submission(find_system(SLUG).actions.start, {}))
    verify(load(pk))
    return next(one for one in state_of(pk).combatants.values() if one.pc)


def test_ruling_comes_along_into_the_campaigns_next_fight(gm: User) -> None:
    """Also into one that was prepared before; what only one fight has stays there, what was taken is gone."""
    sheet = find_block().sheet
    hero = character_service.create(gm, SLUG, "Zara", sheet=sheet)
    campaign = create_campaign(gm, "Ceres")
    first, second, third = (make_fight(campaign, gm, hero) for _ in range(3))
    one = start(first)
    assert [step.name for step in read_history(load(first)).steps].count(BRING) == 0, (
        "nothing comes along yet"
    )
    foe = next(who for who in state_of(first).combatants if who != one.id)
    check = [["skill", "Athletics"], ["attribute", "COO"], ["tn", "17"]]
    prone = {"kind": "condition", "who": [foe], "key": "prone"}
    fields: dict[str, Any] = {"actor": one.id, "words": "I swing", "about": foe, "check": check}
    submit(first, Submission(ACT, {**fields, "keep": "Swing", "works": [prone], "secret": True}))
    side = {"kind": "side", "who": [foe], "key": "guards"}
    ending = {"works": [side], "fails": [side]}
    submit(first, Submission(ACT, {**fields, "keep": "Back to the guards", **ending}))
    submit(first, Submission("end_fight", {}))
    kept = find_rulings(load_campaign(campaign), SLUG)
    assert [(of, ruling.name, ruling.grade, ruling.about) for of, ruling in kept] == [
        (hero.pk, "Swing", "17", "")
    ]
    again = start(second)
    assert [ruling.name for ruling in again.all_rulings] == ["Swing"]
    assert answer_by_precedent(second, again.id).grade == "17", "the GM has it for anyone of the campaign"
    submit(second, Submission("drop_ruling", {"actor": again.id, "ruling": again.all_rulings[0].id}))
    submit(second, Submission("end_fight", {}))
    assert find_rulings(load_campaign(campaign), SLUG) == []
    assert start(third).all_rulings == ()


def test_ruling_comes_along_with_someone_joining_a_fight(gm: User) -> None:
    """Nobody else gets back what was taken from them, and the campaign keeps it at the end."""
    heroes = [character_service.create(gm, SLUG, name, sheet=find_block().sheet) for name in ("Zara", "Bo")]
    campaign = create_campaign(gm, "Ceres")
    check = [["skill", "Athletics"], ["attribute", "COO"], ["tn", "17"]]
    first = make_fight(campaign, gm, heroes[0])
    join_or_wait(first, [submission_to_join(heroes[1], side="crew", by="gm")], heroes[1])
    start(first)
    for one in state_of(first).combatants.values():
        if one.pc:
            act = {"actor": one.id, "words": "I swing", "check": check, "keep": f"Swing of {one.name}"}
            submit(first, Submission(ACT, act))
    submit(first, Submission("end_fight", {}))
    second = make_fight(campaign, gm, heroes[0])
    here = start(second)
    submit(second, Submission("drop_ruling", {"actor": here.id, "ruling": here.all_rulings[0].id}))
    (late,) = join_or_wait(second, [submission_to_join(heroes[1], side="crew", by="gm")], heroes[1])
    assert [ruling.name for ruling in combatant(second, late.id).all_rulings] == ["Swing of Bo"]
    assert combatant(second, here.id).all_rulings == ()
    verify(load(second))
    submit(second, Submission("end_fight", {}))
    assert [ruling.name for _, ruling in find_rulings(load_campaign(campaign), SLUG)] == ["Swing of Bo"]


def answer_by_precedent(pk: int, who: str) -> Ruling:
    """What the GM's form offers as ruled before, for someone who never did it."""
    context = ViewerContext(load(pk), GM, None, "gm")
    foe = next(one for one in state_of(pk).combatants if one != who)
    offered = dict(list_earlier(context, foe))
    assert f"{who}/r1" in offered, "of this fight first"
    act = apply_earlier(context, Wish(0, foe, "I swing too"), who, "/Swing")
    assert (act.actor, act.about, act.keep) == (foe, who, "Swing")
    with pytest.raises(Refused):
        apply_earlier(context, Wish(0, foe, "I swing too"), who, "/Fly")
    return combatant(pk, who).all_rulings[0]


def test_the_exported_fight_has_it(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    keep(cast, pk)
    raw = msgspec.json.encode(read_history(load(pk)))
    again = load(import_encounter(started.owner, raw).encounter.pk)
    assert state_of(again.pk)[ZARA].rulings == combatant(pk, ZARA).rulings


def load_campaign(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)
