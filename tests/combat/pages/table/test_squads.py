"""Squads on the table: one row with a piece for each, formed and split by the GM alone, with undo."""

from __future__ import annotations

from typing import Any

from django.test import Client

from combat.models import Encounter
from combat.pages.table.squads import fold_squads
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import encode
from combat.rules.core.turn.squads import list_squads
from tests.combat.cast import Cast
from tests.combat.visit import load, read, state_of


def join_thugs(fight: Encounter, count: int = 4) -> list[str]:
    """Let thugs of one kind join; return their ids."""
    before = set(state_of(fight.pk).combatants)
    fields = {"block": "street_thug", "name": "Thug", "side": "enemies", "count": count}
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
