"""The card of a tapped enemy: each weapon with its chance, and a button whose fields do what it says."""

from __future__ import annotations

import html
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.play.improvising import read_wishes
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import find_item
from tests.combat.cast import gather
from tests.combat.markup import Page
from tests.combat.pages.table.test_plans import AWAY, disarm, steps_of
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, begun, load, read, state_of

GAMES = sorted(AWAY)


def find_foe(pk: int, who: str) -> str:
    state = state_of(pk)
    return next(one.id for one in state.combatants.values() if one.side != state[who].side)


def open_card(visit: Visit, who: str, foe: str, **more: str) -> Page:
    answer = visit.client.get(f"{visit.here}foe/", {"combatant": who, "target": foe, **more})
    assert answer.status_code == 200
    return read(answer)


@pytest.mark.parametrize("slug", GAMES)
def test_button_of_a_card_does_the_whole_plan(gm: User, gm_client: Client, slug: str) -> None:
    """Its fields are taken as they stand, and the form behind Options has the same choices."""
    visit, who, gun = disarm(gm, gm_client, slug)
    foe = find_foe(visit.pk, who)
    card = open_card(visit, who, foe, weapon=gun.id)
    chosen = [one["data-card-weapon"] for one in card.all("button") if one["aria-pressed"] == "true"]
    assert chosen in ([gun.id], []), "one weapon needs no choice"
    sent = json.loads(card.one("button", class_="btn-primary")["data-sends"])
    assert (sent["target"], sent["weapon"]) == (foe, gun.id)
    options = next(link for link in card.all("a") if link.text == "Options")["href"]
    form = read(gm_client.get(f"{visit.here}{options}"))
    button = form.one("button", id="roll-app")
    assert (button["name"], button["value"]) == ("plan", sent["plan"])
    assert f"{gun.name}, then" in button.text or "plan" in sent
    before = steps_of(visit.pk)
    visit.do(**sent)
    assert steps_of(visit.pk)[len(before)] == sent["plan"].split()[0]
    assert find_item(state_of(visit.pk)[who], gun.id).place == "held"


@pytest.mark.parametrize("slug", GAMES)
def test_button_of_a_card_attacks_with_what_is_in_hand(gm: User, gm_client: Client, slug: str) -> None:
    visit = Visit(gm_client, begun(gm, slug).pk)
    who = state_of(visit.pk).active
    if slug == "starshock":
        visit.post(do="declare", combatant=who, actions="3")
    foe = find_foe(visit.pk, who)
    card = open_card(visit, who, foe)
    sent = json.loads(card.one("button", class_="btn-primary")["data-sends"])
    assert "dice" not in sent, "the table's usual dice count"
    before = steps_of(visit.pk)
    visit.do(**sent)
    assert len(steps_of(visit.pk)) > len(before) or load(visit.pk).open_command


def test_a_table_that_types_its_dice_is_asked_for_them(gm: User, gm_client: Client) -> None:
    visit = Visit(gm_client, begun(gm, "cosmos").pk)
    submit(visit.pk, Submission("set_option", {"key": "typed_dice", "value": True}))
    card = open_card(visit, ZARA, PIRATE)
    visit.do(**json.loads(card.one("button", class_="btn-primary")["data-sends"]))
    assert load(visit.pk).open_command


def test_out_of_turn_a_card_plans_the_attack_for_ones_player(gm: User, gm_client: Client) -> None:
    visit = Visit(gm_client, begun(gm, "cosmos").pk)
    cast = gather(load(visit.pk), ZARA, MARCUS)
    here = f"{visit.here}foe/?combatant={MARCUS}&target={PIRATE}"
    card = cast["other"].get(here).content.decode()
    sent = json.loads(html.unescape(card.partition('data-sends="')[2].partition('"')[0]))
    assert (sent["do"], sent["action"], sent["target"]) == ("keep_plan", "attack", PIRATE)
    assert cast["other"].post(visit.here, sent).status_code == 303
    assert [(one.who, one.target) for one in read_wishes(load(visit.pk)).plans] == [(MARCUS, PIRATE)]
    assert b"data-sends" not in gm_client.get(here).content
    assert cast["watcher"].get(here).status_code == 404
    assert cast["stranger"].get(here).status_code in (302, 404)
    assert cast["player"].get(here).status_code == 404, "nobody asks for another's attacks"


def test_odds_of_a_card_are_the_same_whoever_hides(gm: User, gm_client: Client) -> None:
    """Who hides beside the attacker, and might answer, changes no byte of it."""
    visit, who, _ = disarm(gm, gm_client, "cosmos")
    cast = gather(load(visit.pk), ZARA, MARCUS)
    here = f"{visit.here}foe/?combatant={who}&target={PIRATE}"
    side, at = state_of(visit.pk)[PIRATE].side, state_of(visit.pk)[who].at
    submit(visit.pk, Submission("join", {"name": "Lurker", "side": side, "block": "street_thug"}))
    submit(visit.pk, Submission("hide", {"target": "f4", "hidden": True}))
    seen = cast["player"].get(here).content
    submit(visit.pk, Submission("place", {"target": "f4", "x": at.x + 1, "y": at.y}))
    assert cast["player"].get(here).content == seen
    assert b"Draw Pistol, then attack" in seen


def test_the_prone_may_crawl_or_stand_up_first(gm: User, gm_client: Client) -> None:
    """Both are offered with their price, and each does what it says."""
    visit = Visit(gm_client, begun(gm, "cosmos").pk)
    submit(visit.pk, Submission("give_condition", {"target": ZARA, "kind": "prone"}))
    at = state_of(visit.pk)[ZARA].at
    asked = {"combatant": ZARA, "do": "move", "to": f"{at.x + 2:g},{at.y:g}"}
    told = visit.client.get(f"{visit.here}paths/", asked).json()
    assert (told["label"], told["price"]) == ("Crawl", "1 Move")
    upright = told["upright"]
    assert upright["label"] == "Stand up, then move 2 m"
    assert upright["parts"][0] == ["Stand up", "1 Move"]
    visit.do(**upright["fields"])
    assert state_of(visit.pk)[ZARA].at.x == at.x + 2
    assert not any(one.kind == "prone" for one in state_of(visit.pk)[ZARA].conditions)
    told = visit.client.get(f"{visit.here}paths/", {**asked, "to": f"{at.x:g},{at.y:g}"}).json()
    assert "upright" not in told, "who stands is offered nothing else"


def test_map_offers_nothing_during_a_question_or_a_pause(gm: User, gm_client: Client) -> None:
    visit = Visit(gm_client, begun(gm, "cosmos").pk)
    cast = gather(load(visit.pk), ZARA, MARCUS)
    here = f"{visit.here}foe/?combatant={ZARA}&target={PIRATE}"
    paths = f"{visit.here}paths/?combatant={ZARA}"
    assert b"data-sends" in cast["player"].get(here).content
    submit(visit.pk, Submission("pause", {}))
    assert b"data-sends" not in cast["player"].get(here).content
    assert "paused" in cast["player"].get(paths).json()["refused"]
    submit(visit.pk, Submission("resume", {}))
    wanted = {"actor": ZARA, "target": PIRATE, "weapon": find_gun(visit.pk)}
    submit(visit.pk, Submission("attack", wanted, typed=True))
    assert load(visit.pk).open_command
    assert "answer or cancel it first" in cast["gm"].get(here).content.decode()
    assert cast["gm"].get(paths).json()["places"] == []
    told = cast["player"].get(here).content.decode()
    assert "waits for dice or a choice" in told
    assert "cancel it" not in told, "only the GM can"


def find_gun(pk: int) -> str:
    return next(one.id for one in state_of(pk)[ZARA].items if one.name == "Pistol")


@pytest.mark.parametrize("slug", ["cepheus", "cepheus_quick"])
def test_grenade_names_those_in_its_blast_but_held_weapons_lead(
    gm: User, gm_client: Client, slug: str
) -> None:
    visit = Visit(gm_client, begun(gm, slug).pk)
    who = state_of(visit.pk).active
    submit(visit.pk, Submission("set_map", {"map": {"metres": [40, 20]}}))
    for number, one in enumerate(state_of(visit.pk).combatants):
        submit(visit.pk, Submission("place", {"target": one, "x": 20 + 2 * number, "y": 6}))
    submit(visit.pk, Submission("give_item", {"target": who, "entry": "grenade/grenade_frag"}))
    state = state_of(visit.pk)
    foe = find_foe(visit.pk, who)
    submit(visit.pk, Submission("place", {"target": who, "x": 5, "y": 6}))
    first = json.loads(open_card(visit, who, foe).one("button", class_="btn-primary")["data-sends"])
    assert find_item(state[who], first["weapon"]).place == "held"
    bomb = next(one for one in state[who].items if one.data.get("id") == "grenade_frag").id
    card = open_card(visit, who, foe, weapon=bomb)
    sent = json.loads(card.one("button", class_="btn-primary")["data-sends"])
    assert sent["weapon"] == bomb
    assert state[foe].name in next(one.text for one in card.all("p") if "In the blast: " in one.text)
    wall = {"id": "w", "kind": "wall", "x1": 12, "y1": 0, "x2": 12, "y2": 20}
    submit(visit.pk, Submission("set_map", {"map": {"walls": [wall], "metres": [40, 20]}}))
    card = open_card(visit, who, foe, weapon=bomb)
    assert card.all("button", class_="btn-primary") == [], "what cannot be thrown is not offered"
    assert "Frag grenade is not in hand" in " ".join(one.text for one in card.all("p"))
