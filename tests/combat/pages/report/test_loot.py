"""After a fight at the table: the GM hands out, players ask, and nobody sees what they do not know."""

from __future__ import annotations

import pytest

from characters.gear.lists import find_average, say_average
from combat.models import Campaign, Encounter
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from tests.combat.cast import Cast, gather
from tests.combat.kept import keep
from tests.combat.visit import MARCUS, ZARA, combatant, read, state_of, stored

OTHERS = ("player", "other", "watcher")


def change(encounter: Encounter, do: str, /, **fields: object) -> None:
    submit(encounter.pk, Submission(do, fields))


@pytest.fixture
def field(over: Encounter) -> Encounter:
    """After the demo fight a soldier is dead, too, and so is a captain whom nobody saw."""
    keep("field", lambda: _fill(over))
    over.refresh_from_db()
    return over


def _fill(over: Encounter) -> None:
    change(over, "join", block="soldier", name="Guard", side="enemies")
    change(over, "join", block="pirate_captain", name="Captain Vex", side="enemies", hidden=True)
    for who in find_ids(over, "Guard", "Captain Vex"):
        change(over, "adjust", target=who, track="hp", by=-500)


@pytest.fixture
def people(field: Encounter) -> Cast:
    """Everyone after the fight: the player has Zara, the other one Marcus."""
    return gather(field, ZARA, MARCUS)


def find_ids(encounter: Encounter, *names: str) -> list[str]:
    known = {one.name: one.id for one in state_of(encounter.pk).combatants.values()}
    return [known[name] for name in names]


def find_thing(encounter: Encounter, owner: str, name: str) -> str:
    (who,) = find_ids(encounter, owner)
    return next(item.id for item in combatant(encounter.pk, who).items if item.name == name)


def names_of(encounter: Encounter, who: str) -> list[str]:
    return [item.name for item in combatant(encounter.pk, who).items]


def read_given(people: Cast, role: str, field: Encounter) -> list[str]:
    page = read(people[role].get(f"/encounters/{field.pk}/"))
    return [line.text for one in page.all("ul", class_="loot-given") for line in page.all("li", inside=one)]


@pytest.mark.slow
def test_who_gets_something_reads_it(people: Cast, field: Encounter) -> None:
    (guard,), rifle = find_ids(field, "Guard"), find_thing(field, "Guard", "Assault rifle")
    change(field, "hand_out", holder=guard, items=[rifle], to=ZARA)
    change(field, "share_money", holder="", to=[ZARA, MARCUS], amount=31)
    assert read_given(people, "player", field) == [
        "Zara gets 16 credits.",
        "Zara gets Guard's Assault rifle.",
    ]
    assert read_given(people, "other", field) == ["Marcus gets 15 credits."]
    assert read_given(people, "gm", field) == []
    undo(field.pk)
    assert read_given(people, "other", field) == []


def test_gm_hands_out_with_one_form_and_undoes_it(people: Cast, field: Encounter) -> None:
    rifle, (guard,) = find_thing(field, "Guard", "Assault rifle"), find_ids(field, "Guard")
    page = read(people.gm.get(f"/encounters/{field.pk}/"))
    assert page.one("details", id=f"loot-{guard}")
    form = {"do": "hand_out", "holder": guard, "items": rifle, "to": ZARA}
    assert people.gm.post(f"/encounters/{field.pk}/", form).status_code == 303
    assert "Assault rifle" in names_of(field, ZARA)
    again = people.gm.post(f"/encounters/{field.pk}/", {**form, "to": MARCUS})
    assert again.status_code == 409
    assert "Zara has Assault rifle now." in again.content.decode()
    undo(field.pk)
    assert "Assault rifle" not in names_of(field, ZARA)
    redo(field.pk)
    assert names_of(field, ZARA).count("Assault rifle") == 1


@pytest.mark.slow
def test_player_asks_and_the_gm_gives_with_one_tap(people: Cast, field: Encounter) -> None:
    rifle, address = find_thing(field, "Guard", "Assault rifle"), f"/encounters/{field.pk}/"
    for role, who in (("player", ZARA), ("other", MARCUS)):
        ask = {"do": "ask_for", "combatant": who, "item": rifle, "want": "true"}
        assert people[role].post(address, ask).status_code == 303
    told = read(people.player.get(address)).one("section", class_="loot").text
    assert "take back" in told
    assert "Marcus asks for it" in told
    page = read(people.gm.get(address))
    give = next(form for form in page.all("form") if "Assault rifle to Zara" in form.text)
    posted = dict(page.fields(give))
    posted.pop("csrfmiddlewaretoken", None)
    assert people.gm.post(address, {**posted, "do": "hand_out"}).status_code == 303
    assert "Assault rifle" in names_of(field, ZARA)
    assert "asks for" not in read(people.gm.get(address)).one("section", class_="loot").text
    late = people.other.post(address, {"do": "ask_for", "combatant": MARCUS, "item": rifle})
    assert (late.status_code, "Zara has that now: ask them." in late.content.decode()) == (409, True)


@pytest.mark.slow
def test_gm_reads_whether_a_wanted_weapon_beats_the_one_in_hand(people: Cast, field: Encounter) -> None:
    """The GM alone: what someone else's weapon does, players learn with it."""
    rifle, address = find_thing(field, "Guard", "Assault rifle"), f"/encounters/{field.pk}/"
    assert "verage" not in read(people.gm.get(address)).one("div", class_="finish-loot").text, "nobody asks"
    ask = {"do": "ask_for", "combatant": ZARA, "item": rifle, "want": "true"}
    assert people.player.post(address, ask).status_code == 303
    loot = read(people.gm.get(address)).one("div", class_="finish-loot").text
    pistol = next(item for item in combatant(field.pk, ZARA).items if item.name == "Pistol")
    assert pistol.place == "held"
    taken = next(item for item in combatant(field.pk, find_ids(field, "Guard")[0]).items if item.id == rifle)
    own, better = (find_average(one.data["damage"]) for one in (pistol, taken))
    words = f"verage {say_average(better)}, their Pistol {say_average(own)}"
    assert f"Zara: a{words}" in loot
    assert f"A{words}" in read(people.gm.get(address)).one("ul", class_="loot-asks").text
    for role in ("player", "other", "watcher"):
        assert "their Pistol" not in people[role].get(address).content.decode(), role
    change(field, "correct", target=ZARA, items={pistol.id: {"damage": "9d8"}})
    assert "their Pistol" not in people.gm.get(address).content.decode(), "no more than what they hold"


def test_what_players_do_not_know_is_in_no_byte(people: Cast, field: Encounter) -> None:
    address = f"/encounters/{field.pk}/"
    shown = people.gm.get(address).content.decode()
    assert all(word in shown for word in ("First aid kit", "Captain Vex", "Rapier"))
    for role in OTHERS:
        page = people[role].get(address).content.decode()
        assert not [word for word in ("First aid kit", "Captain Vex", "Rapier") if word in page], role
    assert "Assault rifle" in people.player.get(address).content.decode()
    kit, rapier = find_thing(field, "Guard", "First aid kit"), find_thing(field, "Captain Vex", "Rapier")
    told = []
    for item in (kit, rapier, "f0-1"):
        answer = people.player.post(address, {"do": "ask_for", "combatant": ZARA, "item": item})
        told.append((answer.status_code, answer.content.decode().count("not there to take")))
    assert told[0] == told[1] == told[2]
    assert told[0][0] == 422
    change(field, "search", target=find_ids(field, "Guard")[0])
    assert "First aid kit" in people.player.get(address).content.decode()


def test_money_is_shared_from_the_page(people: Cast, field: Encounter) -> None:
    address = f"/encounters/{field.pk}/"
    form = {"do": "share_money", "holder": "", "amount": "101", "to": [ZARA, MARCUS]}
    assert people.gm.post(address, form).status_code == 303
    assert [combatant(field.pk, who).marks["money"] for who in (ZARA, MARCUS)] == [51, 50]
    for amount in ("-5", "many", "", "0"):
        answer = people.gm.post(address, {**form, "amount": amount})
        assert answer.status_code in (409, 422), amount
    assert combatant(field.pk, ZARA).marks["money"] == 51


@pytest.mark.slow
def test_nothing_to_take_has_a_sentence(over: Encounter) -> None:
    for who in state_of(over.pk).combatants.values():
        if not who.pc:
            change(over, "remove", target=who.id)
    submit(over.pk, Submission("leave_items", {"items": [item.id for item in state_of(over.pk).ground]}))
    people = gather(over, ZARA, MARCUS)
    assert "Nothing lies open to take." in people.player.get(f"/encounters/{over.pk}/").content.decode()


def test_gm_takes_all_as_set_out_or_nothing_if_a_part_is_refused(people: Cast, field: Encounter) -> None:
    """Everything goes to someone, first to those who asked; each part is undone alone."""
    rifle, kit = find_thing(field, "Guard", "Assault rifle"), find_thing(field, "Guard", "First aid kit")
    address = f"/encounters/{field.pk}/"
    people.other.post(address, {"do": "ask_for", "combatant": MARCUS, "item": rifle, "want": "true"})
    page = read(people.gm.get(address))
    posted = page.fields(page.one("form", class_="loot-all"))
    posted.pop("csrfmiddlewaretoken", None)
    assert posted[f"to.{rifle}"] == MARCUS
    assert {posted[name] for name in posted if name.startswith("to.")} == {ZARA, MARCUS}
    before = stored(field.pk)
    for name, value, status in (
        (f"to.{rifle}", "f99", 422),
        ("to.f1-99", ZARA, 409),
        ("version", "0.0", 409),
    ):
        refused = people.gm.post(address, {**posted, "do": "hand_all", name: value})
        assert refused.status_code >= 400, (name, status)
        assert stored(field.pk) == before, name
    assert people.player.post(address, {**posted, "do": "hand_all"}).status_code >= 400
    assert stored(field.pk) == before
    taken = {**posted, "do": "hand_all", f"to.{kit}": "leave"}
    assert people.gm.post(address, taken).status_code == 303
    assert "Assault rifle" in names_of(field, MARCUS)
    assert "First aid kit" not in names_of(field, MARCUS) + names_of(field, ZARA)
    assert people.gm.post(address, {"do": "hand_all"}).status_code >= 400, "nothing is set out"


def test_gm_gives_all_to_one(people: Cast, field: Encounter) -> None:
    address = f"/encounters/{field.pk}/"
    page = read(people.gm.get(address))
    fields = {**page.fields(page.one("form", class_="loot-all")), "all": ZARA}
    before = names_of(field, MARCUS)
    assert people.gm.post(address, fields).status_code == 303
    assert names_of(field, MARCUS) == before
    assert {"Assault rifle", "First aid kit"} <= set(names_of(field, ZARA))


def test_end_leads_its_owner_to_the_next_fight_of_the_campaign(people: Cast, field: Encounter) -> None:
    campaign = Campaign.objects.create(owner=field.owner, name="The Long Drift")
    Encounter.objects.filter(pk=field.pk).update(campaign=campaign)
    address, other = f"/encounters/{field.pk}/", Encounter.objects.get(pk=field.pk)
    assert "Next: " not in people.gm.get(address).content.decode()
    other.pk, other.name, other.phase = None, "Berth 3", "prep"
    other.save()
    assert "Next: Berth 3" in people.gm.get(address).content.decode()
    assert "Berth 3" not in people.player.get(address).content.decode()


def test_end_of_the_gm_is_in_no_byte_of_others(people: Cast, field: Encounter) -> None:
    shown = people.gm.get(f"/encounters/{field.pk}/").content.decode()
    assert all(word in shown for word in ("finish-head", "loot-grid", "Captain Vex"))
    for role in OTHERS:
        page = people[role].get(f"/encounters/{field.pk}/").content.decode()
        assert not [word for word in ("finish-head", "loot-grid", "Captain Vex") if word in page], role
        for part in ("end", "points"):
            told = people[role].get(f"/encounters/{field.pk}/report/?as={part}").content.decode()
            assert "Captain Vex" not in told, (role, part)
            assert ("What if from here" in told) <= (role != "watcher"), (role, part)


def test_equal_things_are_one_row_and_allies_things_stay_theirs(people: Cast, field: Encounter) -> None:
    (guard,), address = find_ids(field, "Guard"), f"/encounters/{field.pk}/"
    for _ in range(3):
        change(field, "give_item", target=guard, entry="weapon/club")
    change(field, "join", block="soldier", name="Scout", side="crew")
    change(field, "adjust", target=find_ids(field, "Scout")[0], track="hp", by=-500)
    page = read(people.gm.get(address))
    grid = page.one("table", class_="loot-grid")
    rows = [row.text for row in page.all("tr", inside=grid)]
    assert len([row for row in rows if "Club × 3" in row]) == 1
    assert len([row for row in rows if "Of fallen allies" in row]) == 1
    posted = page.fields(page.one("form", class_="loot-all"))
    posted.pop("csrfmiddlewaretoken", None)
    name = next(name for name in posted if name.count(",") == 2)
    rifle = find_thing(field, "Scout", "Assault rifle")
    assert posted[f"to.{rifle}"] == "leave", "what an ally had stays theirs"
    assert people.gm.post(address, {**posted, "do": "hand_all", name: ZARA}).status_code == 303
    assert names_of(field, ZARA).count("Club") == 3


def test_player_reads_equal_things_in_one_row_and_asks_for_one(people: Cast, field: Encounter) -> None:
    (guard,), address = find_ids(field, "Guard"), f"/encounters/{field.pk}/"
    for _ in range(3):
        change(field, "give_item", target=guard, entry="weapon/club")
    change(field, "search", target=guard)

    def read_clubs(role: str) -> list[str]:
        rows = read(people[role].get(address)).all("li")
        return [row.text for row in rows if row.text.startswith("Club")]

    (row,) = read_clubs("player")
    assert row.startswith("Club × 3")
    assert "Ask for one" in row
    for role, who in (("player", ZARA), ("other", MARCUS)):
        page = read(people[role].get(address))
        ask = next(form for form in page.all("form") if "Ask for one: Club" in form.text)
        fields = page.fields(ask)
        assert people[role].post(address, {**fields, "do": "ask_for"}).status_code == 303
        assert fields["combatant"] == who
    mine, theirs, free = read_clubs("player")
    assert "take back" in mine
    assert "Marcus asks for it" in theirs
    assert free.startswith("Club carried Ask for it")
    clubs = [item.id for item in combatant(field.pk, guard).items if item.name == "Club"]
    change(field, "hand_out", holder=guard, items=clubs, to=ZARA)
    assert read_given(people, "player", field) == ["Zara gets Guard's Club × 3."]


def test_report_counts_what_the_end_hands_out(people: Cast, field: Encounter) -> None:
    """What a fallen ally has is theirs, also their money, until someone asks for it."""
    address = f"/encounters/{field.pk}/"
    (guard,) = find_ids(field, "Guard")
    change(field, "join", block="soldier", name="Scout", side="crew")
    (scout,) = find_ids(field, "Scout")
    for who, amount in ((guard, 20), (scout, 500)):
        change(field, "share_money", to=[who], amount=amount)
    change(field, "adjust", target=scout, track="hp", by=-500)

    def read_next() -> str:
        page = read(people.gm.get(f"{address}report/"))
        return next(one.text for one in page.all(class_="btn-primary") if one.text.startswith("Hand out"))

    def read_end() -> dict[str, str]:
        page = read(people.gm.get(address))
        posted = page.fields(page.one("form", class_="loot-all"))
        posted.pop("csrfmiddlewaretoken", None)
        return posted

    def count_due(posted: dict[str, str]) -> int:
        rows = [name for name, to in posted.items() if name.startswith("to.") and to != "leave"]
        return sum(name.count(",") + 1 for name in rows)

    posted = read_end()
    assert read_next() == f"Hand out loot ({count_due(posted)})"
    rifle = find_thing(field, "Scout", "Assault rifle")
    change(field, "search", target=scout)
    ask = {"do": "ask_for", "combatant": MARCUS, "item": rifle, "want": "true"}
    assert people.other.post(address, ask).status_code == 303
    asked = read_end()
    assert count_due(asked) == count_due(posted) + 1
    assert read_next() == f"Hand out loot ({count_due(asked)})"
    coins = read(people.gm.get(address)).one("section", class_="finish-money").text
    assert coins.startswith("20 credits")
    assert people.gm.post(address, {**asked, "do": "hand_all", "money": "all"}).status_code == 303
    assert combatant(field.pk, scout).marks["money"] == 500
    assert "Hand out" not in people.gm.get(f"{address}report/").content.decode()
