"""Squads on the table: one row with a piece for each, formed and split by the GM alone, with undo."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from msgspec.structs import replace

from combat.display.combatants.tokens import Look
from combat.display.forms import usual_odds
from combat.display.map.bands import add_bands
from combat.display.shapes.scene_shapes import SceneView, Token
from combat.models import Encounter
from combat.pages.table.squads import fold_squads
from combat.play.autopilot import autoplay
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.space import Deck
from combat.rules.core.state.state import encode
from combat.rules.core.turn.squads import list_squads
from tests.combat.cast import Cast
from tests.combat.visit import PIRATE, SLUG, ZARA, load, read, state_of


def join_thugs(fight: Encounter, count: int = 4, side: str = "enemies") -> list[str]:
    """Let thugs of one kind join; return their ids."""
    before = set(state_of(fight.pk).combatants)
    fields = {"block": "street_thug", "name": "Thug", "side": side, "count": count}
    submit(fight.pk, Submission("join", fields))
    return [who for who in state_of(fight.pk).combatants if who not in before]


def post(client: Client, fight: Encounter, do: str, **fields: Any) -> int:
    return client.post(f"/encounters/{fight.pk}/", {"do": do, **fields}).status_code


def rows(client: Client, fight: Encounter) -> list[str]:
    """The ids of the rows of combatants, in order."""
    page = read(client.get(f"/encounters/{fight.pk}/"))
    return [row["id"].removeprefix("row-") for row in page.all("li", class_="row")]


def row_of(client: Client, fight: Encounter, who: str) -> str:
    page = read(client.get(f"/encounters/{fight.pk}/"))
    return " ".join(page.one("li", id=f"row-{who}").text.split())


def test_gm_forms_and_splits_a_squad_and_undoes_both(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started)
    before, shown = encode(state_of(started.pk)), rows(cast.gm, started)
    assert set(thugs) <= set(shown)
    assert post(cast.gm, started, "join_squad", targets=thugs[:3], track="hp", points="1") < 400
    assert list(list_squads(state_of(started.pk)).values()) == [tuple(thugs[:3])]
    squad = encode(state_of(started.pk))
    assert len(rows(cast.gm, started)) == len(shown) - 2
    assert "Thug squad A" in row_of(cast.gm, started, thugs[0])
    assert "3 of 3" in row_of(cast.gm, started, thugs[0])
    assert post(cast.gm, started, "split_squad", target=thugs[1]) < 400
    assert set(thugs) <= set(rows(cast.gm, started))
    post(cast.gm, started, "undo")
    assert encode(state_of(started.pk)) == squad
    post(cast.gm, started, "undo")
    assert encode(state_of(started.pk)) == before


def test_everyone_sees_one_row_and_only_the_gm_changes_it(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started)
    for client in (cast.player, cast.other, cast.watcher, cast.stranger):
        assert post(client, started, "join_squad", targets=thugs) in (302, 403, 404)
    assert not list_squads(state_of(started.pk))
    post(cast.gm, started, "join_squad", targets=thugs)
    for client in (cast.player, cast.other, cast.watcher):
        assert [who for who in rows(client, started) if who in thugs] == [thugs[0]]
        assert "Thug squad A" in row_of(client, started, thugs[0])
        assert post(client, started, "split_squad", target=thugs[0]) in (302, 403, 404)
    assert list_squads(state_of(started.pk))


def test_hidden_members_are_in_no_count_of_players(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started)
    post(cast.gm, started, "join_squad", targets=thugs)
    submit(started.pk, Submission("hide", {"target": thugs[3]}))
    assert "4 of 4" in row_of(cast.gm, started, thugs[0])
    assert "3 of 3" in row_of(cast.player, started, thugs[0])
    for who in thugs[1:3]:
        submit(started.pk, Submission("hide", {"target": who}))
    assert "Thug squad" not in row_of(cast.player, started, thugs[0])


def test_menu_offers_only_what_can_be_taken(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started, 2)
    page = read(cast.gm.get(f"/encounters/{started.pk}/"))
    menu = page.one("details", id=f"menu-{thugs[1]}")
    assert [field["value"] for field in page.all("input", inside=menu) if field["name"] == "targets"] == thugs
    assert page.one("button", inside=menu, value="join_squad").text == "Form a squad of 2"
    post(cast.gm, started, "join_squad", targets=thugs)
    page = read(cast.gm.get(f"/encounters/{started.pk}/"))
    menu = page.one("details", id=f"menu-{thugs[0]}")
    assert page.one("button", inside=menu, value="split_squad").text == "Split Thug squad A"
    assert not page.all("button", inside=menu, value="join_squad")
    refused = cast.gm.post(f"/encounters/{started.pk}/", {"do": "join_squad", "targets": thugs[:1]})
    assert "A squad has two or more" in refused.content.decode()


def test_row_is_that_of_who_acts_or_of_the_first_who_stands(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started, 3)
    post(cast.gm, started, "join_squad", targets=thugs)
    submit(started.pk, Submission("give_condition", {"target": thugs[0], "kind": "dead"}))
    assert "2 of 3" in row_of(cast.gm, started, thugs[1])
    assert [who for who in rows(cast.gm, started) if who in thugs] == [thugs[1]]
    state = state_of(started.pk)
    for _ in range(2 * len(state.order)):
        submit(started.pk, Submission("next_turn", {}))
        if state_of(started.pk).active == thugs[2]:
            break
    assert [who for who in rows(cast.gm, started) if who in thugs] == [thugs[2]]
    assert fold_squads(()) == ()
    assert load(started.pk)


def tiles(client: Client, fight: Encounter, **query: str) -> dict[str, tuple[str, str]]:
    """Whom an attack's form of Zara offers: the name and all words of each tile, by the id that it sends."""
    page = read(client.get(f"/encounters/{fight.pk}/", {"combatant": ZARA, "do": "attack", **query}))
    found = {}
    for label in page.all("label", class_="tile-one"):
        (field,) = page.all("input", inside=label)
        if field["name"] == "target":
            name = page.one("span", inside=label, class_="tile-name").text
            found[field["value"]] = (name, label["data-says"])
    return found


def test_a_squad_is_one_tile_among_the_targets(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started)
    before = tiles(cast.player, started)
    assert set(thugs) < set(before)
    post(cast.gm, started, "join_squad", targets=thugs)
    for client in (cast.gm, cast.player):
        shown = tiles(client, started)
        (front,) = set(shown) & set(thugs)
        assert front == next(who for who in before if who in thugs)
        assert shown[front][0] == "Thug squad A"
        assert shown[front][1].startswith("Thug squad A, 4 of 4 stand")
        assert set(shown) - {front} == set(before) - set(thugs)
    submit(started.pk, Submission("give_condition", {"target": front, "kind": "dying"}))
    (second,) = set(tiles(cast.player, started)) & set(thugs)
    assert second != front
    assert "3 of 4 stand" in tiles(cast.player, started)[second][1]
    chosen = tiles(cast.player, started, target=thugs[3])
    assert set(chosen) & set(thugs) == {thugs[3]}, "who is chosen on the map stands for the squad"


def test_those_of_their_own_side_choose_one_of_a_squad(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started, side=state_of(started.pk)[ZARA].side)
    post(cast.gm, started, "join_squad", targets=thugs)
    shown = tiles(cast.player, started)
    assert {shown[who][0] for who in thugs} == {"Thug 1", "Thug 2", "Thug 3", "Thug 4"}


def test_other_targets_of_the_usual_attack_name_one_of_a_squad(
    started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usual_odds, "say_chance", lambda *args, **more: "50")
    thugs = join_thugs(started, side=state_of(started.pk)[PIRATE].side)
    system = find_system(SLUG)

    def others() -> set[str]:
        usual = usual_odds.find_usual(system, state_of(started.pk), ZARA, "attack")
        assert usual
        usual = replace(usual, target=PIRATE, targets=(PIRATE, *thugs))
        return {one.id for one in usual_odds.find_others(system, state_of(started.pk), usual)}

    assert others() == set(thugs[:2])
    submit(started.pk, Submission("join_squad", {"targets": thugs[:3]}))
    assert others() == {thugs[0], thugs[3]}
    submit(started.pk, Submission("give_condition", {"target": thugs[0], "kind": "dying"}))
    assert others() == {thugs[1], thugs[3]}


def go_to(fight: Encounter, who: str) -> None:
    """Pass turns until someone acts."""
    for _ in range(3 * len(state_of(fight.pk).order)):
        if state_of(fight.pk).active == who:
            return
        submit(fight.pk, Submission("next_turn", {}))
    raise AssertionError(f"{who} never acts")


def find_order(fight: Encounter, people: list[str]) -> list[str]:
    """These in the order of their turns."""
    return [who for who in state_of(fight.pk).order if who in people]


def head_of(client: Client, fight: Encounter) -> list[tuple[str, str]]:
    """The buttons that end a turn: what each sends, and its words."""
    page = read(client.get(f"/encounters/{fight.pk}/"))
    head = page.one("header", id="turn-head")
    buttons = page.all("button", inside=head)
    return [(one["form"] or one["value"], " ".join(one.text.split()).removesuffix(" n")) for one in buttons]


def test_one_next_turn_ends_the_turns_of_a_whole_squad(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started)
    post(cast.gm, started, "join_squad", targets=thugs[:3])
    go_to(started, find_order(started, thugs[:3])[0])
    first, second, third = find_order(started, thugs[:3])
    name = {who: state_of(started.pk)[who].name for who in thugs}
    go_to(started, first)
    assert head_of(cast.gm, started)[:2] == [
        ("next_turn", f"{name[second]} next"),
        ("pass-squad", "Next turn"),
    ]
    post(cast.gm, started, "next_turn")
    assert state_of(started.pk).active == second, "each has a turn of their own"
    assert head_of(cast.gm, started)[0] == ("next_turn", f"{name[third]} next")
    post(cast.gm, started, "undo")
    before, order = encode(state_of(started.pk)), state_of(started.pk).order
    following = (*order, order[0])[order.index(third) + 1]
    post(cast.gm, started, "pass_turns", whose="squad")
    assert state_of(started.pk).active == following
    for _ in thugs[:3]:
        post(cast.gm, started, "undo")
    assert encode(state_of(started.pk)) == before
    go_to(started, third)
    assert [value for value, _ in head_of(cast.gm, started)] == ["next_turn"], "the last has the usual button"


def test_who_is_down_is_not_named_as_the_next_of_a_squad(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started, 3)
    post(cast.gm, started, "join_squad", targets=thugs)
    first, second, third = find_order(started, thugs)
    go_to(started, first)
    submit(started.pk, Submission("give_condition", {"target": second, "kind": "dead"}))
    next_name = state_of(started.pk)[third].name
    assert head_of(cast.gm, started)[0] == ("next_turn", f"{next_name} next")
    submit(started.pk, Submission("give_condition", {"target": third, "kind": "dead"}))
    assert [value for value, _ in head_of(cast.gm, started)] == ["next_turn"]


def test_auto_play_plays_the_whole_squad_and_no_one_else(fives: None, started: Encounter) -> None:
    thugs = join_thugs(started, 4)
    submit(started.pk, Submission("join_squad", {"targets": thugs[:3]}))
    squad = find_order(started, thugs[:3])
    go_to(started, squad[0])
    before, order = load(started.pk).steps, state_of(started.pk).order
    autoplay(started.pk)
    done = [row.name for row in load(started.pk).log.filter(number__gt=before)]
    assert done.count("next_turn") == 3
    assert len(done) > 3, "they act"
    assert state_of(started.pk).active == (*order, order[0])[order.index(squad[2]) + 1]


def test_the_report_has_one_line_for_a_squad_with_its_pool(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started)
    others = join_thugs(started, 2)
    post(cast.gm, started, "join_squad", targets=thugs[:2])
    post(cast.gm, started, "join_squad", targets=others)
    submit(started.pk, Submission("give_condition", {"target": thugs[0], "kind": "dead"}))
    submit(started.pk, Submission("end_fight", {}))
    for client in (cast.gm, cast.watcher):
        page = read(client.get(f"/encounters/{started.pk}/report/"))
        folds = page.all("li", class_="dmg-group")
        groups = [" ".join(page.one("summary", inside=fold).text.split()) for fold in folds]
        assert [one.split(" enemies")[0] for one in groups] == ["Thug squad A", "Thug squad B"]
        assert "1 of 2" in groups[0]
        assert "2 of 2" in groups[1]


def bands_of(client: Client, fight: Encounter) -> list[tuple[str, int]]:
    """The name of each band on the map, and how many it joins."""
    page = read(client.get(f"/encounters/{fight.pk}/"))
    return [(one.text.strip(), one["d"].count("L") + 1) for one in page.all("path", class_="squad-band")]


def test_a_band_joins_those_of_a_squad_who_stand(cast: Cast, started: Encounter) -> None:
    thugs, others = join_thugs(started), join_thugs(started, 3)
    assert bands_of(cast.gm, started) == []
    post(cast.gm, started, "join_squad", targets=thugs)
    post(cast.gm, started, "join_squad", targets=others)
    for client in (cast.gm, cast.player, cast.watcher):
        assert bands_of(client, started) == [("Thug squad A", 4), ("Thug squad B", 3)]
    submit(started.pk, Submission("give_condition", {"target": thugs[3], "kind": "dead"}))
    submit(started.pk, Submission("hide", {"target": thugs[2], "hidden": True}))
    for who in others[1:]:
        submit(started.pk, Submission("give_condition", {"target": who, "kind": "dead"}))
    assert bands_of(cast.gm, started) == [("Thug squad A", 3)]
    assert bands_of(cast.player, started) == [("Thug squad A", 2)]


def test_a_band_goes_to_the_nearest_and_stays_on_its_deck() -> None:
    spots = {"a": (0.0, 0.0), "b": (9.0, 0.0), "c": (2.0, 0.0), "d": (0.0, 30.0), "e": (2.0, 30.0)}
    look = Look("is-foe", face="stranger")
    row: Any = SimpleNamespace(squad=SimpleNamespace(name="Guards A", ids=(*spots,)), look=look)
    tokens = tuple(
        Token(who, who, *spot, active=False, is_out=False, spot=spot, look=look)
        for who, spot in spots.items()
    )
    decks = (Deck("d1", "Upper", 0, -5, 20, 10), Deck("d2", "Lower", 0, 25, 20, 10))
    scene = SceneView("", (), tokens, (0, 0, 20, 40), "", (), 1)
    found = add_bands(scene, dict.fromkeys(spots, row), decks).bands
    assert [one.path for one in found] == ["M0 0L2 0L9 0", "M0 30L2 30"]
