"""Characters join a fight from their sheets, and their sheets are updated from it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.accounts.users import make_gm
from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, Participation
from combat.play.after.imports import copy_encounter
from combat.play.campaigns.npcs import find_fields
from combat.play.campaigns.roster import bring, bring_to_seat, find_ready, submission_to_join
from combat.play.writing.encounter_service import Submission, create_encounter, read_state, redo, submit, undo
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.state.state import Combatant
from combat.sharing.links import assign, revoke
from tests.combat.cast import come_by_account
from tests.combat.markup import Element
from tests.combat.visit import chosen_in, read
from tests.typed import Answer, sure

SLUG = "cosmos"
SHEET: dict[str, Any] = {
    "name": "Ada",
    "attributes": {"PRE": 3, "RES": 4, "INT": 3, "MIG": 5, "AWA": 3, "COO": 4},
    "skills": {"Combat": 3},
    "items": [{"id": "gun", "kind": "weapon", "entry": "pistol", "place": "held", "loaded": 15, "spares": 1}],
}


@pytest.fixture
def ada(gm: User) -> Character:
    """A character of the GM's own."""
    return character_service.create(gm, SLUG, "Ada", SHEET)


@pytest.fixture
def fight(gm: User) -> Encounter:
    """An encounter with one thug in it."""
    encounter = create_encounter(gm, SLUG, "The alley")
    submit(encounter.pk, Submission("join", {"block": "street_thug"}))
    return encounter


def combatant_named(encounter: Encounter, name: str) -> Combatant:
    encounter.refresh_from_db()
    return next(f for f in read_state(encounter).combatants.values() if f.name == name)


def test_gm_brings_an_own_character(gm_client: Client, fight: Encounter, ada: Character) -> None:
    answer = gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk, "side": "crew"})
    assert answer.status_code in (302, 303)
    combatant = combatant_named(fight, "Ada")
    assert (combatant.side, combatant.pc, combatant.tracks["hp"]) == ("crew", True, 96)


def test_rich_character_with_a_dear_item_joins(gm: User, gm_client: Client, fight: Encounter) -> None:
    catalogue = sure(find_system(SLUG).book.catalogue)
    pistol = sure(catalogue.find_entry("weapon", "pistol"))
    dear = {**pistol.record, "id": "own", "origin": "own", "name": "Heirloom", "cost": 10_000_000}
    items = [{"id": "i1", "kind": "weapon", "record": dear, "loaded": 15}]
    rich = character_service.create(gm, SLUG, "Rich", {**SHEET, "items": items, "credits": 1_000_000_000})
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": rich.pk, "side": "crew"})
    assert combatant_named(fight, "Rich").sheet["credits"] == 1_000_000_000


def test_character_joins_the_side_of_those_who_are_here(
    gm: User, gm_client: Client, fight: Encounter, ada: Character
) -> None:
    form = "/encounters/{}/prep/".format
    assert chosen_in(read(gm_client.get(form(fight.pk))), "bring-side") == "allies"
    submit(fight.pk, Submission("join", {"block": "pirate", "side": "crew", "pc": True}))
    assert chosen_in(read(gm_client.get(form(fight.pk))), "bring-side") == "crew"
    bring(fight, gm, str(ada.pk), side="", zone="", by="gm")
    assert combatant_named(fight, "Ada").side == "crew"


def test_character_joins_one_time_only(gm_client: Client, fight: Encounter, ada: Character) -> None:
    for _ in range(2):
        gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    fight.refresh_from_db()
    assert [f.name for f in read_state(fight).combatants.values()] == ["Street thug", "Ada"]


def test_character_joins_once_from_two_pages(gm: User, fight: Encounter, ada: Character) -> None:
    """Both pages were read before it joined."""
    old = Encounter.objects.get(pk=fight.pk)
    bring(fight, gm, str(ada.pk), side="", zone="", by="gm")
    with pytest.raises(Refused, match="not here yet"):
        bring(old, gm, str(ada.pk), side="", zone="", by="gm")


def sit_down(fight: Encounter, name: str = "ana") -> tuple[Client, Character]:
    """A player with an account, who has followed a link, and a character of theirs."""
    client = come_by_account(fight, "play", name)
    return client, character_service.create(User.objects.get(username=name), SLUG, "Zoe", SHEET)


def test_what_a_seat_gets_while_its_player_brings_someone_stays(fight: Encounter) -> None:
    _, mine = sit_down(fight)
    seat = fight.seats.get()
    assign(fight, ["f1"], fight.seats.get())
    bring_to_seat(fight, seat, sure(mine.owner), str(mine.pk))
    assert fight.seats.get().combatants == ["f1", "f2"]


def test_nobody_is_brought_to_a_seat_that_has_ended(fight: Encounter) -> None:
    _, mine = sit_down(fight)
    seat = fight.seats.get()
    revoke(sure(seat.link))
    with pytest.raises(Refused, match="given up"):
        bring_to_seat(fight, seat, sure(mine.owner), str(mine.pk))
    fight.refresh_from_db()
    assert list(read_state(fight).combatants) == ["f1"]


def test_nobody_brings_the_character_of_someone_else(gm_client: Client, fight: Encounter) -> None:
    other = User.objects.create_user("other")
    theirs = character_service.create(other, SLUG, "Theirs", SHEET)
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": theirs.pk})
    fight.refresh_from_db()
    assert len(read_state(fight).combatants) == 1


def test_player_brings_an_own_character_to_the_seat(fight: Encounter) -> None:
    client, mine = sit_down(fight)
    client.post(f"/encounters/{fight.pk}/bring/", {"character": mine.pk})
    combatant = combatant_named(fight, "Zoe")
    assert fight.seats.get().combatants == [combatant.id]


def test_player_who_comes_late_brings_a_character_into_the_fight(fight: Encounter) -> None:
    submit(fight.pk, Submission("start"))
    client, theirs = sit_down(fight)
    page = client.get(f"/encounters/{fight.pk}/").content.decode()
    assert f'<option value="{theirs.pk}">Zoe</option>' in page
    page = client.post(
        f"/encounters/{fight.pk}/bring/", {"character": theirs.pk}, follow=True
    ).content.decode()
    assert 'name="character"' not in page
    assert combatant_named(fight, "Zoe").id in read_state(fight).order


def wear_down(fight: Encounter) -> None:
    """Ada loses 10 HP, bleeds, and fires a round."""
    ada = combatant_named(fight, "Ada")
    submit(fight.pk, Submission("adjust", {"target": ada.id, "track": "hp", "by": -10}))
    submit(fight.pk, Submission("give_condition", {"target": ada.id, "kind": "fatigued"}))


def bring_and_wear_down(client: Client, fight: Encounter, ada: Character) -> None:
    client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    wear_down(fight)


def boxes_of(client: Client, fight: Encounter) -> dict[str, Element]:
    """The labels of the changes that the page offers."""
    page = read(client.get(f"/encounters/{fight.pk}/home/"))
    words = {label["for"]: label.text for label in page.all("label")}
    return {words[box["id"]]: box for box in page.all("input", type="checkbox")}


def take_home(client: Client, fight: Encounter, who: Character, *wanted: str) -> Answer:
    """Write the changes with these labels onto a sheet."""
    boxes = boxes_of(client, fight)
    posted = {f"change-{who.pk}": [boxes[words]["value"] for words in wanted]}
    return client.post(f"/encounters/{fight.pk}/home/", posted, follow=True)


def take_all_home(client: Client, fight: Encounter, who: Character) -> Answer:
    """Write everything that the page offers."""
    return take_home(client, fight, who, *boxes_of(client, fight))


def test_what_the_fight_left_is_shown_before_anything_is_written(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    bring_and_wear_down(gm_client, fight, ada)
    page = read(gm_client.get(f"/encounters/{fight.pk}/home/"))
    words, way = page.one("main").text, page.one("nav", class_="crumbs").text
    assert "HP: 96 → 86" in words
    assert "Fatigued: new" in words
    assert way == f"Encounters {fight.name} Update sheets"
    ada.refresh_from_db()
    assert ada.sheet.get("tracks", {}) == {}


def test_sheet_is_brought_up_to_date_and_can_be_undone(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    bring_and_wear_down(gm_client, fight, ada)
    take_all_home(gm_client, fight, ada)
    ada.refresh_from_db()
    assert ada.sheet["tracks"] == {"hp": 86}
    assert [c["kind"] for c in ada.sheet["conditions"]] == ["fatigued"]
    fresh = find_system(SLUG).characters.make_combatant("f1", "Ada", "crew", ada.sheet, {})
    assert fresh.tracks["hp"] == 86
    character_service.undo(ada.pk, by="gm")
    ada.refresh_from_db()
    assert ada.sheet.get("tracks", {}) == {}


UP_TO_DATE = "The sheet is up to date"


def test_sheet_that_has_all_of_it_says_so(gm_client: Client, fight: Encounter, ada: Character) -> None:
    bring_and_wear_down(gm_client, fight, ada)
    home = f"/encounters/{fight.pk}/home/"
    assert UP_TO_DATE not in gm_client.get(home).content.decode()
    page = take_all_home(gm_client, fight, ada).content.decode()
    assert UP_TO_DATE in page
    assert "HP: " not in page


def test_second_fight_is_compared_with_the_sheet_of_today(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    """Healed in the second fight, she is as she first joined; her sheet is not."""
    bring_and_wear_down(gm_client, fight, ada)
    who = combatant_named(fight, "Ada").id
    take_all_home(gm_client, fight, ada)
    submit(fight.pk, Submission("adjust", {"target": who, "track": "hp", "by": 10}))
    submit(fight.pk, Submission("give_condition", {"target": who, "kind": "fatigued", "level": 2}))
    boxes = boxes_of(gm_client, fight)
    assert "HP: 86 → 96" in boxes
    assert "Fatigued: level 1 → level 2" in boxes
    take_all_home(gm_client, fight, ada)
    ada.refresh_from_db()
    assert ada.sheet["tracks"] == {}
    assert ada.sheet["conditions"][0]["level"] == 2


def test_what_was_bought_and_sold_meanwhile_stays_so(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    bring_and_wear_down(gm_client, fight, ada)
    knife = {"id": "blade", "kind": "weapon", "entry": "knife", "place": "carried"}
    character_service.change(ada.pk, "bought", sheet={**ada.sheet, "items": [*ada.sheet["items"], knife]})
    take_all_home(gm_client, fight, ada)
    ada.refresh_from_db()
    assert [thing["id"] for thing in ada.sheet["items"]] == ["gun", "blade"]
    character_service.change(ada.pk, "sold", sheet={**ada.sheet, "items": ada.sheet["items"][1:]})
    take_all_home(gm_client, fight, ada)
    ada.refresh_from_db()
    assert [thing["id"] for thing in ada.sheet["items"]] == ["blade"]
    assert ada.sheet["tracks"] == {"hp": 86}


def test_what_was_lost_in_the_fight_is_gone(gm_client: Client, fight: Encounter, ada: Character) -> None:
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    drop_the_gun(fight)
    take_all_home(gm_client, fight, ada)
    ada.refresh_from_db()
    assert ada.sheet["items"] == []


@pytest.mark.usefixtures("fives")  # a critical hit would ask for its effect
def test_ammunition_goes_home_too(gm_client: Client, fight: Encounter, ada: Character) -> None:
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk, "side": "crew"})
    me, thug = combatant_named(fight, "Ada"), combatant_named(fight, "Street thug")
    submit(fight.pk, Submission("place", {"target": me.id, "x": 0, "y": 0}))
    submit(fight.pk, Submission("place", {"target": thug.id, "x": 5, "y": 0}))
    submit(fight.pk, Submission("start"))
    if combatant_named(fight, "Ada").id != read_state(fight).active:
        submit(fight.pk, Submission("next_turn"))
    gun = next(i for i in me.items if i.data.get("id") == "pistol")
    submit(fight.pk, Submission("attack", {"actor": me.id, "target": thug.id, "weapon": gun.id}))
    assert "Pistol, rounds: 15 → 14" in boxes_of(gm_client, fight)


def drop_the_gun(fight: Encounter) -> None:
    submit(fight.pk, Submission("start"))
    who = combatant_named(fight, "Ada")
    if who.id != read_state(fight).active:
        submit(fight.pk, Submission("next_turn"))
    gun = next(item for item in who.items if item.data.get("id") == "pistol")
    submit(fight.pk, Submission("drop", {"actor": who.id, "item": gun.id}))


def test_only_what_is_selected_is_written(gm_client: Client, fight: Encounter, ada: Character) -> None:
    bring_and_wear_down(gm_client, fight, ada)
    drop_the_gun(fight)
    boxes = boxes_of(gm_client, fight)
    left = "Pistol: left on the ground"
    assert {words: "checked" in box.attrs for words, box in boxes.items()} == {
        "HP: 96 → 86": True,
        "Fatigued: new": True,
        left: False,  # it may be picked up again
    }
    take_home(gm_client, fight, ada, "HP: 96 → 86")
    ada.refresh_from_db()
    assert ada.sheet["tracks"] == {"hp": 86}
    assert ada.sheet["conditions"] == []
    assert [(thing["id"], thing["place"]) for thing in ada.sheet["items"]] == [("gun", "held")]
    assert list(boxes_of(gm_client, fight)) == ["Fatigued: new", left]


def test_nothing_selected_writes_nothing(gm_client: Client, fight: Encounter, ada: Character) -> None:
    bring_and_wear_down(gm_client, fight, ada)
    answer = gm_client.post(f"/encounters/{fight.pk}/home/", {"character": ada.pk})
    assert answer.status_code == 422
    assert "Nothing is selected" in answer.content.decode()
    ada.refresh_from_db()
    assert ada.version == 1


def test_change_that_is_another_one_now_is_not_written(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    bring_and_wear_down(gm_client, fight, ada)
    chosen = [box["value"] for box in boxes_of(gm_client, fight).values()]
    who = combatant_named(fight, "Ada").id
    submit(fight.pk, Submission("adjust", {"target": who, "track": "hp", "by": -1}))
    posted = {f"change-{ada.pk}": chosen}
    answer = gm_client.post(f"/encounters/{fight.pk}/home/", posted)
    assert answer.status_code == 409
    assert "The fight or the sheet changed: check, then try again." in answer.content.decode()
    ada.refresh_from_db()
    assert ada.version == 1


@pytest.mark.parametrize("keeps", [False, True])
def test_gm_writes_of_a_players_character_as_the_table_allows(
    gm_client: Client, fight: Encounter, keeps: bool
) -> None:
    client, mine = sit_down(fight)
    Character.objects.filter(pk=mine.pk).update(name="Ada")
    client.post(f"/encounters/{fight.pk}/bring/", {"character": mine.pk})
    submit(fight.pk, Submission("set_option", {"key": "gm_keeps_tracks", "value": keeps}))
    submit(fight.pk, Submission("set_option", {"key": "sheets_after", "value": "players"}))
    wear_down(fight)
    drop_the_gun(fight)
    open_to_gm = [words for words, box in boxes_of(gm_client, fight).items() if "disabled" not in box.attrs]
    assert open_to_gm == (["HP: 96 → 86", "Fatigued: new"] if keeps else [])
    assert len([box for box in boxes_of(client, fight).values() if "disabled" not in box.attrs]) == 3
    assert take_all_home(gm_client, fight, mine).status_code == 403  # with gear that is not theirs
    mine.refresh_from_db()
    assert mine.version == 1
    answer = take_home(gm_client, fight, mine, "HP: 96 → 86")
    mine.refresh_from_db()
    assert (answer.status_code, mine.sheet["tracks"]) == ((200, {"hp": 86}) if keeps else (403, {}))
    assert not keeps or mine.changes.all()[0].by == "gm"


def test_copied_encounter_keeps_groups_and_its_owners_npc_sheets(
    fight: Encounter, gm: User, ada: Character
) -> None:
    guard = character_service.create(gm, SLUG, "Guard", SHEET, npc=True)
    theirs = character_service.create(make_gm("else"), SLUG, "Wren", SHEET)
    submit(fight.pk, Submission("join", {**find_fields(gm, SLUG, str(guard.pk)), "count": 3, "group": True}))
    bring(fight, gm, str(ada.pk), side="allies", zone="", by="gm")
    submit(fight.pk, submission_to_join(theirs, side="allies", by="else"))
    fight.refresh_from_db()
    copy = copy_encounter(fight, gm, "Once more")
    copy.refresh_from_db()
    state = read_state(copy)
    guards = tuple(f for f in state.combatants.values() if f.name.startswith("Guard"))
    assert len(guards) == 3
    assert len({f.marks["group"] for f in guards}) == 1
    assert {f.marks["source"] for f in guards} == {f"npc:{guard.pk}"}
    (row,) = Participation.objects.exclude(encounter=fight)
    assert (row.character, state.combatants[row.combatant].name) == (ada, "Ada")
    assert theirs in find_ready(sure(theirs.owner), state)  # their owner brings them


# ---- Figures of NPCs ----


def test_corrected_npc_figures_are_offered_to_that_npc_alone(
    gm_client: Client, fight: Encounter, gm: User, ada: Character
) -> None:
    sheet = {**SHEET, "skills": {"Combat": 1}}
    kessa = character_service.create(gm, SLUG, "Kessa Guard", sheet, npc=True)
    theirs = character_service.create(make_gm("else"), SLUG, "Wren", sheet, npc=True)
    client, _ = sit_down(fight)
    submit(fight.pk, Submission("join", {**find_fields(gm, SLUG, str(kessa.pk)), "count": 2}))
    stolen = {"sheet": sheet, "name": "Wren", "source": f"npc:{theirs.pk}"}
    submit(fight.pk, Submission("join", stolen))
    guards = [f.id for f in read_state(reloaded(fight)).combatants.values() if "Kessa" in f.name]
    wren = combatant_named(fight, "Wren").id
    submit(fight.pk, Submission("adjust", {"target": guards[0], "track": "hp", "by": -10}))
    assert boxes_of(gm_client, fight) == {}, "an NPC that nothing was corrected of has no row"
    figures = {"numbers": {"skills.Combat": 3}, "chosen": {"species": "etherean"}}
    for who in (guards[1], wren):
        submit(fight.pk, Submission("correct", {"target": who, **figures}))
    boxes = boxes_of(gm_client, fight)
    assert set(boxes) == {"Combat: 1 → 3", "Species: Terran → Etherean"}
    assert all("checked" not in box.attrs for box in boxes.values())
    page = gm_client.get(f"/encounters/{fight.pk}/home/").content.decode()
    assert "Save to your NPC Kessa Guard" in page
    assert "Write selected changes" in page
    assert "Wren" not in read(gm_client.get(f"/encounters/{fight.pk}/home/")).one("main").text
    assert boxes_of(client, fight) == {}, "players learn nothing of it"
    token = {f"change-{kessa.pk}": [box["value"] for box in boxes.values()]}
    assert client.post(f"/encounters/{fight.pk}/home/", token).status_code == 422
    other = {f"change-{theirs.pk}": [box["value"] for box in boxes.values()]}
    assert gm_client.post(f"/encounters/{fight.pk}/home/", other).status_code == 422
    take_home(gm_client, fight, kessa, "Combat: 1 → 3")
    kessa.refresh_from_db()
    theirs.refresh_from_db()
    assert (kessa.sheet["skills"], theirs.sheet["skills"]) == ({"Combat": 3}, {"Combat": 1})
    assert (kessa.sheet["species"], kessa.sheet["tracks"]) == ("terran", {})
    assert set(boxes_of(gm_client, fight)) == {"Species: Terran → Etherean"}
    character_service.undo(kessa.pk, by="gm")
    kessa.refresh_from_db()
    assert kessa.sheet["skills"] == {"Combat": 1}


def test_corrected_health_and_items_are_offered_to_the_sheet(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    one = combatant_named(fight, "Ada")
    (pistol,) = [item for item in one.items if item.name == "Pistol"]
    size = pistol.data["magazine"]
    figures = {"health": 100, "items": {pistol.id: {"magazine": size + 3}}}
    submit(fight.pk, Submission("correct", {"target": one.id, **figures}))
    words = f"Pistol: Magazine {size} → Magazine {size + 3}"
    assert set(boxes_of(gm_client, fight)) == {"HP at most: 96 → 100", words}
    take_all_home(gm_client, fight, ada)
    ada.refresh_from_db()
    (kept,) = ada.sheet["items"]
    assert (kept["record"]["magazine"], "entry" in kept) == (size + 3, False)
    assert ada.sheet["abilities"]["hp"] == 4
    assert boxes_of(gm_client, fight) == {}
    form = gm_client.get(f"/encounters/{fight.pk}/", {"combatant": one.id, "row": "figures"})
    assert "was 96" in form.content.decode()
    assert f"was {size}" in form.content.decode()


def reloaded(fight: Encounter) -> Encounter:
    fight.refresh_from_db()
    return fight


# ---- What was handed out ----


@pytest.fixture
def handed(gm_client: Client, fight: Encounter, ada: Character) -> Encounter:
    """Ada got the dead thug's club and 30 credits."""
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    who = combatant_named(fight, "Ada").id
    (thug,) = [one for one in read_state(fight).combatants.values() if not one.pc]
    club = next(item.id for item in thug.items if item.name == "Club")
    submit(fight.pk, Submission("hand_out", {"holder": thug.id, "items": [club], "to": who}))
    submit(fight.pk, Submission("share_money", {"amount": 30, "to": [who]}))
    return fight


def test_what_was_handed_out_goes_home_once_and_can_be_undone(
    gm_client: Client, handed: Encounter, ada: Character
) -> None:
    before = ada.sheet
    assert set(boxes_of(gm_client, handed)) == {"Club: new", "Credits: 0 → 30"}
    take_all_home(gm_client, handed, ada)
    ada.refresh_from_db()
    assert [thing.get("entry") for thing in ada.sheet["items"]] == ["pistol", "club"]
    assert ada.sheet["credits"] == 30
    assert boxes_of(gm_client, handed) == {}
    character_service.undo(ada.pk, by="gm")
    ada.refresh_from_db()
    assert ada.sheet == before
    assert len(boxes_of(gm_client, handed)) == 2
    character_service.redo(ada.pk, by="gm")
    assert boxes_of(gm_client, handed) == {}


def test_what_was_handed_out_and_sold_does_not_come_back(
    gm_client: Client, handed: Encounter, ada: Character
) -> None:
    take_all_home(gm_client, handed, ada)
    ada.refresh_from_db()
    pistol, _ = ada.sheet["items"]
    character_service.change(ada.pk, "Sold", sheet={**ada.sheet, "items": [pistol], "credits": 75})
    assert boxes_of(gm_client, handed) == {}
    submit(handed.pk, Submission("share_money", {"amount": 5, "to": [combatant_named(handed, "Ada").id]}))
    assert set(boxes_of(gm_client, handed)) == {"Credits: 75 → 80"}


def test_what_a_fight_gave_is_known_after_many_later_changes(
    gm_client: Client, handed: Encounter, ada: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(character_service, "MAX_CHANGES", 5)
    take_all_home(gm_client, handed, ada)
    for amount in range(10):
        ada.refresh_from_db()
        character_service.change(ada.pk, "Spent", sheet={**ada.sheet, "credits": amount})
    assert boxes_of(gm_client, handed) == {}
    while character_service.find_undoable(ada):  # never the fight: what came next is gone
        character_service.undo(ada.pk)
    ada.refresh_from_db()
    assert ada.sheet["credits"] > 5
    submit(handed.pk, Submission("share_money", {"amount": 5, "to": [combatant_named(handed, "Ada").id]}))
    (box,) = boxes_of(gm_client, handed)
    now = ada.sheet["credits"]
    assert box == f"Credits: {now} → {now + 5}"


def test_what_the_gm_takes_back_leaves_the_sheet(
    gm_client: Client, handed: Encounter, ada: Character
) -> None:
    take_all_home(gm_client, handed, ada)
    undo(handed.pk)
    undo(handed.pk)
    assert set(boxes_of(gm_client, handed)) == {"Club: gone", "Credits: 30 → 0"}
    take_all_home(gm_client, handed, ada)
    ada.refresh_from_db()
    assert [thing["id"] for thing in ada.sheet["items"]] == ["gun"]
    assert boxes_of(gm_client, handed) == {}
    redo(handed.pk)
    assert set(boxes_of(gm_client, handed)) == {"Club: new"}


def test_what_was_left_behind_and_picked_up_again_comes_back(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    drop_the_gun(fight)
    take_all_home(gm_client, fight, ada)
    undo(fight.pk)  # it is in hand again
    assert set(boxes_of(gm_client, fight)) == {"Pistol: new"}
    take_all_home(gm_client, fight, ada)
    ada.refresh_from_db()
    assert [(gun["id"], gun["loaded"]) for gun in ada.sheet["items"]] == [("gun", 15)]
    assert set(boxes_of(gm_client, fight)) == {"Pistol: carried → held"}


def test_what_would_undo_a_later_sheet_change_is_not_selected(
    gm: User, gm_client: Client, fight: Encounter, ada: Character
) -> None:
    """Ada is in two fights at once, and the first has gone home."""
    other = create_encounter(gm, SLUG, "The roof")
    gm_client.post(f"/encounters/{other.pk}/bring/", {"character": ada.pk})
    wear_down(other)
    bring_and_wear_down(gm_client, fight, ada)
    who = combatant_named(fight, "Ada").id
    submit(fight.pk, Submission("adjust", {"target": who, "track": "hp", "by": -5}))
    submit(fight.pk, Submission("share_money", {"amount": 30, "to": [who]}))
    take_all_home(gm_client, other, ada)
    late = "HP: 86 → 81 changed on the sheet meanwhile"
    boxes = boxes_of(gm_client, fight)
    assert {words: "checked" in box.attrs for words, box in boxes.items()} == {
        late: False,
        "Credits: 0 → 30": True,
    }
    take_home(gm_client, fight, ada, late)
    submit(fight.pk, Submission("adjust", {"target": who, "track": "hp", "by": -1}))
    assert "checked" in boxes_of(gm_client, fight)["HP: 81 → 80"].attrs


def test_several_conditions_of_a_kind_are_named(gm_client: Client, fight: Encounter, ada: Character) -> None:
    injury = {"kind": "injury", "note": "Broken arm"}
    character_service.change(ada.pk, "hurt", sheet={**ada.sheet, "conditions": [injury]})
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    assert boxes_of(gm_client, fight) == {}
    submit(
        fight.pk, Submission("give_condition", {"target": combatant_named(fight, "Ada").id, "kind": "injury"})
    )
    assert set(boxes_of(gm_client, fight)) == {"Severe injury: Broken arm → Severe injury and Broken arm"}
    take_all_home(gm_client, fight, ada)
    assert boxes_of(gm_client, fight) == {}


def test_gm_gives_experience_once_per_fight_to_all_brought(
    gm_client: Client, fight: Encounter, ada: Character
) -> None:
    client, mine = sit_down(fight)
    assign(fight, ["f1"], fight.seats.get())
    bring_to_seat(fight, fight.seats.get(), sure(mine.owner), str(mine.pk))
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": ada.pk})
    home = f"/encounters/{fight.pk}/home/"
    assert "Experience for Ada, Zoe" in read(gm_client.get(home)).one("main").text
    assert not read(client.get(home)).all("input", name="experience")

    def points() -> list[int]:
        people = Character.objects.filter(pk__in=[ada.pk, mine.pk])
        return [sum(line["points"] for line in one.story.get("bought", [])) for one in people]

    assert client.post(home, {"experience": "9"}).status_code == 422
    for wrong in ("", "0", "-3", "many", "10000"):
        assert gm_client.post(home, {"experience": wrong}).status_code == 422
    assert points() == [0, 0]
    for _ in range(2):  # also from two pages
        gm_client.post(home, {"experience": "3"})
    assert points() == [3, 3]
    mine.refresh_from_db()
    assert mine.story["bought"][0]["what"] == "The alley"
    assert mine.changes.all()[0].by == "gm"
    client.post(f"/characters/{mine.pk}/", {"do": "undo"})
    gm_client.post(home, {"experience": "4"})
    assert sorted(points()) == [3, 4]


def test_gm_gives_no_experience_where_each_player_is_asked(gm_client: Client, fight: Encounter) -> None:
    submit(fight.pk, Submission("set_option", {"key": "sheets_after", "value": "players"}))
    _, mine = sit_down(fight)
    bring_to_seat(fight, fight.seats.get(), sure(mine.owner), str(mine.pk))
    home = f"/encounters/{fight.pk}/home/"
    assert not read(gm_client.get(home)).all("input", name="experience")
    assert gm_client.post(home, {"experience": "3"}).status_code == 409
    mine.refresh_from_db()
    assert mine.story == {}
