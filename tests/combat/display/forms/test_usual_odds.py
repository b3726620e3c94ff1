"""The chance on the tile of a usual attack, and the one filled button beside it."""

from __future__ import annotations

import re
from itertools import product
from random import Random
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec.structs import replace

from combat.display.forms import usual_odds
from combat.display.forms.fields import find_dead_end, prefilled
from combat.display.forms.usual_odds import AID, HARM, find_chance, find_usual
from combat.display.shapes.table_shapes import Offer
from combat.pages.table import action_groups
from combat.pages.table.action_groups import view_offer
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.basics.errors import why_refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, run
from combat.rules.core.odds.proposals import propose
from combat.rules.core.state.state import State
from tests.combat.display.forms.test_brief_forms import is_folded
from tests.combat.markup import Page
from tests.combat.rules.games import GAMES as ALL
from tests.combat.rules.games import demo_moments, every_demo
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, Visit, begun, read, state_of
from tests.typed import sure

GAMES = {"cosmos": 1, "starshock": 2, "cepheus": 1, "guardians": 1}  # steps until an attack is possible


def filled(page: Page) -> list[str]:
    """The words of the filled buttons in sight."""
    turn = page.one("section", id="turn")
    found = [*page.all(inside=turn, class_="btn-primary"), *page.all("a", class_="action-first")]
    return [one.text for one in found if "disabled" not in one.attrs and not is_folded(one)]


@pytest.mark.parametrize(("slug", "steps"), GAMES.items())
def test_usual_attack_says_whom_it_hits_and_how_likely(
    gm: User, gm_client: Client, slug: str, steps: int
) -> None:
    """The same chance as the odds panel of its form, after a defense if there may be one."""
    pk = begun(gm, slug, steps=steps).pk
    page = read(gm_client.get(f"/encounters/{pk}/"))
    tile = page.one("a", id="act-attack")
    (told,) = [small.text for small in page.all("small", class_="action-odds", inside=tile)]
    name, chance = re.fullmatch(r"(.+?) ([\d.]+)%", told).groups()  # type: ignore[union-attr]
    form = read(gm_client.get(f"/encounters/{pk}/?do=attack"))
    (headline,) = form.all("p", class_="odds-main")
    *before, shown = form.all("span", class_="big", inside=headline)
    assert shown.text == f"{chance}%"
    assert bool(before) == (slug == "guardians")
    faces = form.all("label", class_="tile-one")
    (chosen,) = [one for one in faces if form.all("input", inside=one, name="target", checked="")]
    assert name in chosen["data-says"]
    assert chosen.text.startswith(f"{chance}%"), "the face has the chance of the panel"


def test_chance_that_takes_too_long_is_left_out(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    system, state = find_system("cosmos"), state_of(visit.pk)
    usual = sure(find_usual(system, state, ZARA, "attack"))
    assert find_chance(system, state, usual) == ("Pirate", "97")
    monkeypatch.setattr(usual_odds, "MAX_LOOKS", 0)
    assert find_chance(system, state, usual) == ("", "")


def test_attack_that_cannot_hit_says_so_and_the_next_is_filled(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usual_odds, "find_chance", lambda *_, **__: ("Pirate", "0"))
    page = visit.page()
    assert "Cannot hit Pirate" in page.one("a", id="act-attack").text
    (first,) = filled(page)
    assert not first.startswith("Attack")
    assert page.one("a", class_="action-first")["data-focus-key"] == "a"


def test_attack_on_allies_alone_is_not_the_thing_to_do(gm: User, gm_client: Client) -> None:
    """With a cutlass only the crew is in reach; the next action is filled."""
    pk = begun(gm, "cepheus", steps=6).pk
    page = read(gm_client.get(f"/encounters/{pk}/"))
    assert "Cannot hit any enemy" in page.one("a", id="act-attack").text
    (first,) = filled(page)
    assert not first.startswith("Attack")


@pytest.mark.slow
def test_attack_names_the_next_targets_with_their_own_chances(visit: Visit) -> None:
    """Each leads to the form for that target, which says the same chance."""
    side = state_of(visit.pk)[PIRATE].side
    for name in ("Corsair", "Raider", "Boss"):
        submit(visit.pk, Submission("join", {"block": "pirate_example", "name": name, "side": side}, by="gm"))
    page = visit.page()
    links = page.all("a", inside=page.one("ul", class_="others"))
    assert [re.sub(r"[\d.]+%", "", link.text).strip() for link in links] == ["Corsair", "Raider"]
    for link in links:
        query = dict(parse_qsl(link["href"].removeprefix("?")))
        form = visit.page(**query)
        (headline,) = [p.text for p in form.all("p", class_="odds-main")]
        assert headline.startswith(link.text.rsplit(" ", 1)[-1])
        inside = form.one("form", id="form-attack")
        assert "checked" in form.one("input", inside=inside, name="target", value=query["target"]).attrs


def test_first_aid_says_whom_it_helps_and_how_likely(visit: Visit) -> None:
    """Marcus is hurt more, but out of reach."""
    for who, by in ((ZARA, -30), (MARCUS, -60)):
        submit(visit.pk, Submission("adjust", {"target": who, "track": "hp", "by": by}, by="gm"))
    tile = visit.page().one("a", id="act-first_aid")
    found = sure(re.search(r"Zara ([\d.]+%)", tile.text))
    query = dict(parse_qsl(tile["href"].removeprefix("?")))
    assert query["target"] == ZARA
    (headline,) = [p.text for p in visit.page(**query).all("p", class_="odds-main")]
    assert headline.startswith(found[1])


def test_first_aid_is_for_the_dying_and_never_for_the_unhurt(visit: Visit) -> None:
    submit(visit.pk, Submission("place", {"target": MARCUS, "x": 4, "y": 4}, by="gm"))
    page = visit.page(do="first_aid")
    assert "Zara needs no first aid." in page.one(id="problem").text
    submit(visit.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "to": -1}, by="gm"))
    page = visit.page(do="first_aid")
    form = page.one("form", id="form-first_aid")
    assert "checked" in page.one("input", inside=form, name="target", value=MARCUS).attrs


@pytest.mark.slow
def test_help_for_a_dying_friend_comes_first(visit: Visit) -> None:
    """After a move if they are too far away, which the form then begins with; else at once."""
    submit(visit.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "to": -1}, by="gm"))
    page = visit.page()
    first = page.one("a", class_="action-first")
    found = re.fullmatch(r"Help Marcus 1 move, then first aid (\d+)%", first.text)
    assert found, first.text
    form = visit.page(**dict(parse_qsl(first["href"].removeprefix("?"))))
    assert "selected" in form.one("option", value=f"near:{MARCUS}").attrs
    assert len(form.all("form", class_="action-form")) == 1
    visit.do("move", combatant=ZARA, to=f"near:{MARCUS}", dice="app")
    first = visit.page().one("a", class_="action-first")
    assert first["id"] == "act-first_aid"
    assert first.text.startswith(f"First aid 1 Marcus {found[1]}%")


def test_no_help_is_promised_that_cannot_come(visit: Visit) -> None:
    submit(visit.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "to": -1}, by="gm"))
    submit(visit.pk, Submission("place", {"target": MARCUS, "x": 30, "y": 12}, by="gm"))
    assert not visit.page().all(id="act-help")


@pytest.mark.parametrize(("steps", "first"), [(1, "Attack"), (3, "Drive")])
def test_first_tile_of_a_driver_is_to_drive(gm: User, gm_client: Client, steps: int, first: str) -> None:
    fight = begun(gm, "cepheus", 1, steps)
    page = read(gm_client.get(f"/encounters/{fight.pk}/"))
    assert page.one("a", class_="action-first").text.startswith(first)


def test_roll_without_a_chance_is_not_the_thing_to_do(gm: User, gm_client: Client) -> None:
    pk = begun(gm, "cepheus", 1, 7).pk
    form = read(gm_client.get(f"/encounters/{pk}/?do=attack"))
    assert form.one("p", class_="odds-main").text.startswith("0%")
    assert form.one("button", id="roll-app")["class"] == "btn btn-large"


@every_demo
def test_what_leads_to_nothing_is_not_among_the_usual(slug: str, number: int) -> None:
    """Neither aid that helps nobody, nor an attack that reaches no enemy, nor putting something away."""
    system, left_out = ALL[slug], set()
    for state in [moment.after for moment in demo_moments(slug, number)]:
        if state.phase != "fight" or state.active not in state.combatants:
            continue
        offer = view_offer(system, state, state[state.active], {}, None)
        usual = {one.name: one for one in offer.usual}
        assert usual.keys().isdisjoint({"put_away", "drop"})
        assert all(one.chance not in ("", "0") for one in usual.values() if one.look == "aid")
        assert all(one.target != "any enemy" for one in usual.values())
        left_out |= {one.look for group in offer.groups for one in group.actions if one.chance == "0"}
    assert slug != "cepheus" or number or left_out >= {"aid", "attack"}


@every_demo
def test_attack_names_the_weapon_whose_chance_it_shows(slug: str, number: int) -> None:
    """Also while the first one in hand is a blade that does not reach the target."""
    system = ALL[slug]
    for state in [moment.after for moment in demo_moments(slug, number)]:
        if state.phase != "fight" or state.active not in state.combatants:
            continue
        offer = view_offer(system, state, state[state.active], {}, None)
        for tile in [one for one in offer.usual if one.look == "attack" and one.chance and one.brief]:
            usual = sure(find_usual(system, state, state.active, tile.name))
            using = getattr(usual.command, "weapon", "")
            names = [item.name for item in state[state.active].items if item.id == using]
            assert not names or tile.brief.startswith(names[0])


def test_attack_out_of_reach_is_not_among_the_usual(visit: Visit) -> None:
    """The pirate has a sword in hand, and nobody within its reach: they charge or move first."""
    submit(visit.pk, Submission("next_turn", by="gm"))
    state = state_of(visit.pk)
    assert state.active == PIRATE
    usual = [one.name for one in view_offer(find_system("cosmos"), state, state[PIRATE], {}, None).usual]
    assert "attack" not in usual
    assert {"charge", "move"} <= set(usual)


def view_turn(visit: Visit, who: str) -> Offer:
    """What someone can do in the present turn, which is theirs."""
    state = state_of(visit.pk)
    assert state.active == who
    return view_offer(find_system("cosmos"), state, state[who], {}, None)


def find_reason(offer: Offer, label: str) -> str:
    """Why an action is refused in the list below, by its label."""
    return next((one.refused for one in offer.not_now if label in [name for name, _ in one.named]), "")


def test_maneuver_in_reach_of_an_ally_alone_is_not_usual(visit: Visit) -> None:
    """It stays possible; with nobody near enough it is refused."""
    state = state_of(visit.pk)
    at, side = state[PIRATE].at, state[PIRATE].side
    submit(visit.pk, Submission("next_turn", by="gm"))
    offer = view_turn(visit, PIRATE)
    assert "grapple" not in [one.name for one in offer.usual]
    told = "Nobody is within reach: move next to someone first."
    assert [find_reason(offer, label) for label in ("Grapple", "Trip")] == [told, told]
    corsair = {"block": "pirate_example", "name": "Corsair", "side": side}
    submit(visit.pk, Submission("join", corsair, by="gm"))
    ally = next(one.id for one in state_of(visit.pk).combatants.values() if one.name == "Corsair")
    submit(visit.pk, Submission("place", {"target": ally, "x": at.x + 1, "y": at.y}, by="gm"))
    offer = view_turn(visit, PIRATE)
    assert "grapple" not in [one.name for one in offer.usual]
    assert "grapple" in [one.name for group in offer.groups for one in group.actions]


def test_those_who_cannot_move_are_offered_no_retreat(visit: Visit) -> None:
    """Breaking free leads for the held; the holder lets go first."""
    spot = state_of(visit.pk)[ZARA].at
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": spot.x + 1, "y": spot.y}, by="gm"))
    hold = {"target": ZARA, "kind": "grappled", "by": PIRATE}
    submit(visit.pk, Submission("give_condition", hold, by="gm"))
    offer = view_turn(visit, ZARA)
    assert offer.usual[0].name == "break_free"
    assert {"retreat", "reload"}.isdisjoint(one.name for one in offer.usual), "the pistol is full"
    assert find_reason(offer, "Fighting retreat") == "Zara is grappled: break free first."
    submit(visit.pk, Submission("next_turn", by="gm"))
    offer = view_turn(visit, PIRATE)
    assert "retreat" not in [one.name for one in offer.usual]
    assert find_reason(offer, "Fighting retreat") == "Pirate holds Zara: let go first, that is free."


def test_strike_in_a_retreat_that_reaches_nobody_is_not_usual(visit: Visit) -> None:
    """The pirate's sword does not reach those 4 m away, and a charge to them would be too short."""
    spot = state_of(visit.pk)[ZARA].at
    submit(visit.pk, Submission("next_turn", by="gm"))
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": spot.x + 4, "y": spot.y}, by="gm"))
    submit(visit.pk, Submission("place", {"target": MARCUS, "x": spot.x, "y": spot.y + 1}, by="gm"))
    usual = {one.name for one in view_turn(visit, PIRATE).usual}
    assert usual.isdisjoint({"attack", "charge", "retreat"})
    assert "move" in usual


def test_nobody_without_a_gun_is_told_to_reload(visit: Visit) -> None:
    submit(visit.pk, Submission("next_turn", by="gm"))
    state = state_of(visit.pk)
    pirate, system = state[PIRATE], find_system("cosmos")
    blades = tuple(item for item in pirate.items if item.loaded is None)
    state = replace(state, ground=(), combatants={**state.combatants, PIRATE: replace(pirate, items=blades)})
    offer = view_offer(system, state, state[PIRATE], {}, None)
    assert find_reason(offer, "Reload") == "Nothing here takes rounds."
    assert find_reason(offer, "Overwatch") == "There is nothing to shoot with."


@every_demo
def test_usual_actions_are_all_those_that_can_be_done(
    slug: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing usual ends at a choice without options, and no harm among them has only allies to choose."""
    system = ALL[slug]
    for state in [moment.after for moment in demo_moments(slug, number)]:
        if state.phase != "fight" or state.active not in state.combatants:
            continue
        who = state.active
        usual = [one.name for one in view_offer(system, state, state[who], {}, None).usual]
        with monkeypatch.context() as patch:
            for judge in ("helps_nobody", "leads_nowhere", "reaches_no_foe"):
                patch.setattr(action_groups, judge, lambda *_, **__: False)
            before = [one.name for one in view_offer(system, state, state[who], {}, None).usual]
        kinds = {name: system.kinds.of_action(name) for name in (*before, *usual)}
        for name in usual:
            fields = system.action(name).find_fields(state, who)
            assert not find_dead_end(system.action(name), fields), name
            assert kinds[name] not in HARM or can_be_done(system, state, who, name), name
        left_out = {*before} - {*usual}
        assert not [one for one in left_out if kinds[one] != AID and can_be_done(system, state, who, one)]


def can_be_done(system: System, state: State, who: str, name: str) -> bool:
    """Whether the rules allow any choice in the form of an action; as its target, any enemy."""
    action = system.action(name)
    fields = action.find_fields(state, who)
    needed = [field for field in fields if field.required and field.kind in ("target", "choice")]
    for picked in product(*[[one.value for one in f.options if not one.refused] for f in needed]):
        chosen = dict(zip([field.name for field in needed], picked, strict=True))
        target = state.combatants.get(chosen.get("target", ""))
        if target and target.side == state[who].side:
            continue
        data = {**prefilled(action, state, who), **chosen, "actor": who}
        if not why_refused(run, system, state, action, read_command(action, data), AutoDriver(Random(1))):
            return True
    return False


def test_one_button_is_filled_the_next_thing_to_do(visit: Visit) -> None:
    (first,) = filled(visit.page())
    assert first.startswith("Attack")
    (roll,) = filled(visit.page(do="attack"))
    assert roll.startswith("Roll")
    submit(visit.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2)))
    assert len(filled(visit.page())) == 1
    for pool in find_system("cosmos").turn.pools:
        submit(visit.pk, Submission("give_budget", {"target": ZARA, "pool": pool.key, "left": 0}, by="gm"))
    assert filled(visit.page()) == ["Next turn n"], "nothing is left"


WALL = [{"id": "w1", "kind": "wall", "x1": 30, "y1": -60, "x2": 30, "y2": 60}]


@pytest.mark.parametrize("slug", [*GAMES, "cepheus_quick"])
def test_end_turn_is_filled_once_nothing_useful_is_left(gm: User, gm_client: Client, slug: str) -> None:
    """What only takes something out of the hands is never the thing to do, whatever else is left."""
    pk = begun(gm, slug, steps=GAMES.get(slug, 1)).pk
    visit, system = Visit(gm_client, pk), find_system(slug)
    who = state_of(pk).active
    for walls in ([], WALL):
        submit(pk, Submission("set_map", {"map": {"walls": walls, "metres": [40, 30]}}))
        for pools in ({}, dict.fromkeys((pool.key for pool in system.turn.pools), 0)):
            spent = pools or {pool.key: 0 for pool in system.turn.pools if pool.main}
            for key in spent:
                submit(pk, Submission("give_budget", {"target": who, "pool": key, "left": 0}))
            page = visit.page()
            found = filled(page)
            assert len(found) == 1, found
            first = [one["id"] for one in page.all("a", class_="action-first")]
            assert not {"act-drop", "act-put_away", "act-let_go"} & {*first}
            state = state_of(pk)
            if propose(system, state, who) is None:
                assert found[0].startswith("Next turn"), found
        assert found[0].startswith("Next turn"), "with nothing left"
