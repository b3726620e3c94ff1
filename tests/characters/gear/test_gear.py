"""The catalog's pages: search and filters, one item, side by side, onto a character."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.games import make_combatant
from characters.gear import catalogue
from characters.gear.item_service import save_own
from characters.gear.lists import find_mean
from characters.gear.models import OwnItem
from characters.models import Character
from characters.services.character_service import create, duplicate
from combat.rules import SYSTEMS, find_system
from tests.characters.conftest import bare_of, words_of
from tests.combat.markup import Page
from tests.combat.visit import read
from tests.typed import sure

SYSTEM = find_system("cosmos")
CATALOGUE = sure(SYSTEM.book.catalogue)
HTMX = {"HX-Request": "true"}


def found(client: Client, **query: str) -> list[str]:
    """The names on the first page of a search."""
    return [item.entry.name for item in client.get("/gear/", query).context["page"]]


@pytest.fixture
def heirloom(ana: User) -> OwnItem:
    pistol = sure(CATALOGUE.find_entry("weapon", "pistol"))
    return save_own(
        ana, SYSTEM, "weapon", {**pistol.record, "name": "Heirloom", "cost": 900, "era": "Cosmic"}
    )


# ---------------------------------------------------------------- search and filters


def test_catalogue_shows_everything_in_pages(ana_client: Client) -> None:
    page = ana_client.get("/gear/").context["page"]
    catalogues = {id(c): c for slug in SYSTEMS if (c := find_system(slug).book.catalogue)}
    assert page.paginator.count == sum(len(c.find_entries()) for c in catalogues.values())
    assert len(page) == 30


def test_with_no_game_chosen_a_shared_catalogue_is_listed_once(ana: User) -> None:
    twin = msgspec.structs.replace(SYSTEM, slug="twin", name="Twin")
    items = catalogue.find_items(ana, [SYSTEM, twin])
    entries = CATALOGUE.find_entries()
    assert len(items) == 2 * len(entries)
    listed = catalogue.search(items, catalogue.Filters())
    assert [item.entry.id for item in listed] == [entry.id for entry in entries]
    assert {tuple(game.name for game in item.also) for item in listed} == {("Twin",)}
    chosen = catalogue.search(items, catalogue.Filters(game="twin"))
    assert {item.system.slug for item in chosen} == {"twin"}
    assert len(chosen) == len(entries)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"q": "laser"}, ["Laser pistol", "Laser rifle"]),
        ({"q": "LASER pis"}, ["Laser pistol"]),
        ({"q": "suit of clubs"}, []),
        ({"q": "3d10"}, ["Gravity hammer", "Quantum rifle", "Rocket launcher"]),
        ({"kind": "shield", "most": "200"}, ["Buckler", "Riot shield"]),
        ({"kind": "armor", "age": "Stellar"}, ["Ceramic composite", "Power armor"]),
        ({"trait": "stunning", "kind": "weapon", "most": "150"}, ["Stun baton"]),
        ({"kind": "spaceship"}, []),
    ],
)
def test_search_and_filters_narrow_the_list(
    ana_client: Client, query: dict[str, str], names: list[str]
) -> None:
    assert found(ana_client, game="cosmos", **query) == names


def test_price_filter_leaves_out_what_has_no_price(ana_client: Client) -> None:
    assert "Claws" in found(ana_client, q="claws")
    assert found(ana_client, q="claws", most="100") == []


def test_filter_answers_htmx_with_the_list_alone(ana_client: Client) -> None:
    part = ana_client.get("/gear/?q=laser&game=cosmos", headers=HTMX).content.decode()
    assert part.lstrip().startswith('<div id="found"')
    assert 'data-announce="2 items found."' in part


def test_lists_to_filter_by_follow_the_game(ana_client: Client) -> None:
    query = {"game": "guardians", "listed": "", "kind": "drug", "age": "Stellar"}
    answer = ana_client.get("/gear/", query, headers=HTMX)
    filters = answer.context["filters"]
    assert (filters.game, filters.kind, filters.age) == ("guardians", "", "")
    part = read(answer)
    choices = part.one("div", id="choices")
    assert choices["hx-swap-oob"] == "true"
    assert part.one("input", name="listed")["value"] == "guardians"
    assert not [option for option in part.all("option") if option["value"] == "drug"]
    again = ana_client.get(
        "/gear/", {**query, "listed": "guardians", "kind": "weapon", "age": ""}, headers=HTMX
    )
    assert again.context["filters"].kind == "weapon"
    assert not read(again).all("div", id="choices")
    assert "listed" not in again.context["query"]


def test_pages_keep_the_filters(ana_client: Client) -> None:
    page = ana_client.get("/gear/?kind=weapon&q=kinetic&page=1").content.decode()
    links = re.findall(r'href="(\?[^"]*page=2)"', page)
    assert links == []  # one page holds them all
    page = ana_client.get("/gear/?kind=weapon").content.decode()
    assert 'href="?kind=weapon&amp;page=2"' in page


def test_own_items_come_first_and_can_be_seen_alone(ana_client: Client, heirloom: OwnItem) -> None:
    assert found(ana_client)[0] == "Heirloom"
    assert found(ana_client, own="on") == ["Heirloom"]
    assert found(ana_client, age="Cosmic", most="1000") == ["Heirloom"]


def test_newcomer_begins_an_own_item_with_one_of_each_kind(ana_client: Client) -> None:
    page = read(ana_client.get("/gear/?own=on"))
    begin = page.one("ul", class_="gear-begin")
    assert len({item.text for item in page.all("small", inside=begin)}) == 6, "six kinds"
    for link in page.all("a", inside=begin):
        made = ana_client.get(link["href"]).content.decode()
        assert "(own)" in made, link["href"]
    assert not page.all("nav", class_="gear-rail"), "there is nothing to choose from"
    assert not read(ana_client.get("/gear/?q=unobtainium")).all("ul", class_="gear-begin")


def test_own_item_that_no_longer_fits_is_left_out(ana_client: Client, heirloom: OwnItem) -> None:
    OwnItem.objects.update(record={**heirloom.record, "traits": ["gone"]})
    assert found(ana_client, own="on") == []
    assert ana_client.get(f"/gear/item/own-{heirloom.pk}/").status_code == 404


def test_nothing_found_says_what_to_do(ana_client: Client) -> None:
    page = ana_client.get("/gear/?q=unobtainium").content.decode()
    assert "No items found" in page
    assert "Show all items" in page


FUZZ = st.dictionaries(
    st.sampled_from(words_of("q kind age trait most own page for game pick")),
    st.sampled_from(
        ["", "1", "-1", "99999999999999999999", "x", "weapon", "\x00", "²", "Stellar", "%", "<b>"]
    ),
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=3 * settings().max_examples // 5
)
@given(FUZZ)
def test_whatever_is_asked_gives_a_page(ana_client: Client, query: dict[str, str]) -> None:
    assert ana_client.get("/gear/", query).status_code == 200
    assert ana_client.get("/gear/compare/", query).status_code == 200


# ---------------------------------------------------------------- one item, several items


def test_item_shows_figures_traits_and_source(ana_client: Client) -> None:
    page = bare_of(ana_client.get("/gear/item/cosmos-weapon-laser_pistol/").content.decode())
    assert re.search(r'<th scope="row">Damage</th><td>1d8\+1', page)
    assert re.search(r'<th scope="row">Magazine</th><td>50 rounds', page)
    assert "usable while grappled" in page
    assert "From the game: equipment and gear." in page


def test_item_names_the_figures_that_are_ours(ana_client: Client) -> None:
    page = bare_of(ana_client.get("/gear/item/cosmos-weapon-grenade/").content.decode())
    assert re.search(r"From the game: [^.]*\.\s+Ours: range, price, blast radius\.", page)


def test_kinds_that_games_call_the_same_are_one_choice(ana_client: Client) -> None:
    for game in ("", *(system.slug for system in catalogue.find_stocked_games())):
        page = read(ana_client.get("/gear/", {"game": game}))
        shown = page.all("a", inside=page.one("nav", class_="gear-rail"))
        links = {link.text.rsplit(" ", 1)[0]: link["href"] for link in shown}
        assert len(links) == len(shown), game
        answer = ana_client.get(f"/gear/{links['Other gear']}")
        kinds = {item.kind.plural for item in answer.context["page"].paginator.object_list}
        assert kinds == {"Other gear"}, game
    everything = ana_client.get("/gear/", {"kind": "gear"}).context["page"].paginator.object_list
    assert {item.entry.kind for item in everything} == {"gear", "item"}


def test_card_beside_the_list_has_the_figures_of_what_is_chosen(ana_client: Client) -> None:
    """It is the first item at first; by its own address it is the whole page, which works without scripts."""
    address = "/gear/item/cosmos-weapon-grenade/"
    first = read(ana_client.get("/gear/?game=cosmos"))
    shown = first.one("aside", id="shown")
    assert first.all("b", inside=shown)[0].text == first.all("a", inside=first.all("tbody")[0])[0].text
    card = ana_client.get(address, headers=HTMX).content.decode()
    assert "<html" not in card
    assert "is-chosen" in card
    assert "Stats of Fragmentation grenade" in bare_of(card)
    assert "Stats of Fragmentation grenade" in bare_of(ana_client.get(address).content.decode())


def test_traits_are_called_the_same_everywhere(ana_client: Client) -> None:
    key = "cosmos-weapon-hunting_rifle"
    pages = [
        ana_client.get(address, query)
        for address, query in (
            ("/gear/", {"game": "cosmos", "q": "Long rifle"}),
            (f"/gear/item/{key}/", {}),
            ("/gear/compare/", {"pick": [key, "cosmos-weapon-pistol"]}),
        )
    ]
    for page in pages:
        assert "Two-handed" in page.content.decode()
        assert "two handed" not in page.content.decode()
    assert found(ana_client, trait="two_handed", kind="weapon", q="long rifle") == ["Long rifle"]
    assert "Long rifle" in found(ana_client, q="two-handed long")


@pytest.mark.slow
def test_every_item_of_the_catalogue_has_a_page_in_good_english(ana_client: Client) -> None:
    for entry in CATALOGUE.find_entries():
        answer = ana_client.get(f"/gear/item/cosmos-{entry.kind}-{entry.id}/")
        assert answer.status_code == 200, entry.id
        text = read(answer).one("main").text
        assert not re.search(r"Engine\. [.a-z]|\b1 (?:rounds|minutes|hours)|(?<!\w)-\d", text), entry.id


@pytest.mark.parametrize(
    "key",
    [
        "cosmos-weapon-nuke",
        "chess-piece-queen",
        "cosmos",
        "own-999",
        "own-x",
        "cosmos-armor-none",
        "cosmos-weapon-unarmed",
    ],
)
def test_item_that_is_not_there_is_not_found(ana_client: Client, key: str) -> None:
    assert ana_client.get(f"/gear/item/{key}/").status_code == 404


def test_items_are_compared_side_by_side(ana_client: Client) -> None:
    picks = ["cosmos-weapon-pistol", "cosmos-weapon-laser_pistol", "cosmos-weapon-bow", "cosmos-weapon-knife"]
    answer = ana_client.get("/gear/compare/", {"pick": picks})
    assert [item.entry.name for item in answer.context["items"]] == ["Pistol", "Laser pistol", "Bow"]
    rows = {column.label: (values, differs) for column, values, differs in answer.context["rows"]}
    assert rows["Use"] == (["Ranged", "Ranged", "Ranged"], False)
    assert rows["Range"] == ([30, 50, 50], True)
    assert "Reach" not in rows


def test_comparing_one_item_asks_for_another(ana_client: Client) -> None:
    page = ana_client.get(
        "/gear/compare/?pick=cosmos-weapon-pistol&pick=cosmos-weapon-pistol"
    ).content.decode()
    assert "Select 2 or 3 items" in page


def test_items_of_different_kinds_can_be_compared(ana_client: Client) -> None:
    answer = ana_client.get("/gear/compare/?pick=cosmos-armor-kevlar&pick=cosmos-shield-buckler")
    assert "Protection" in [column.label for column, _, _ in answer.context["rows"]]


# ---------------------------------------------------------------- onto a character


def add(client: Client, character: Character, key: str, **more: str) -> Any:
    return client.post(f"/gear/item/cosmos-{key}/add/", {"character": character.pk, **more})


def items(character: Character) -> list[dict[str, Any]]:
    return list(Character.objects.get(pk=character.pk).sheet["items"])


def test_item_is_taken_full_into_the_free_hand(ana_client: Client, zara: Character) -> None:
    assert add(ana_client, zara, "weapon-laser_pistol")["Location"] == f"/characters/{zara.pk}/"
    fresh = {"id": "i6", "kind": "weapon", "entry": "laser_pistol", "place": "held", "loaded": 50}
    assert items(zara)[-1] == fresh
    assert Character.objects.get().changes.all()[0].what == "Took Laser pistol"


def test_item_is_bought_for_its_price(ana_client: Client, zara: Character) -> None:
    add(ana_client, zara, "weapon-pistol", pay="1", count="2")
    sheet = Character.objects.get().sheet
    assert (sheet["credits"], len(sheet["items"])) == (100, 7)
    assert Character.objects.get().changes.all()[0].what == "Bought Pistol × 2"


def test_what_is_too_dear_is_refused_and_nothing_changes(ana_client: Client, zara: Character) -> None:
    answer = ana_client.post(
        "/gear/item/cosmos-weapon-laser_pistol/add/", {"character": zara.pk, "pay": "1"}, headers=HTMX
    )
    assert answer.status_code == 409
    assert (
        "Laser pistol costs 1,000, you have 500 credits: take it without paying." in answer.content.decode()
    )
    assert Character.objects.get().version == 1


def test_doses_are_counted_in_one_line(ana_client: Client, zara: Character) -> None:
    add(ana_client, zara, "drug-adrenaline", count="3")
    add(ana_client, zara, "drug-antitoxin", count="2")
    assert [(i["entry"], i.get("count", 1)) for i in items(zara) if i["kind"] == "drug"] == [
        ("adrenaline", 5),
        ("antitoxin", 2),
    ]


@pytest.mark.parametrize("count", ["0", "100", "-1", "x", "", "9" * 30])
def test_impossible_numbers_are_refused(ana_client: Client, zara: Character, count: str) -> None:
    answer = add(ana_client, zara, "weapon-knife", count=count)
    assert (answer.status_code, Character.objects.get().version) == (422, 1)
    page = read(answer)
    assert page.one("p", role="alert").text.startswith("Quantity ")
    assert page.one("input", id="count")["value"] == count[:20]
    (chosen,) = [one for one in page.all("input", name="character") if "checked" in one.attrs]
    assert chosen["value"] == str(zara.pk)


@pytest.mark.parametrize(
    ("key", "held", "words"),
    [
        ("weapon-knife", [{"kind": "weapon", "entry": "knife"}] * 190, "holds at most 200 items"),
        ("drug-adrenaline", [{"kind": "drug", "entry": "adrenaline", "count": 990}], "at most 999 × Adrenal"),
    ],
)
def test_sheet_that_has_no_room_says_so(
    ana_client: Client, make: Any, key: str, held: list[dict[str, Any]], words: str
) -> None:
    full = make(items=[{**thing, "id": f"i{n}"} for n, thing in enumerate(held)], credits=10**6)
    answer = add(ana_client, full, key, count="11", pay="1")
    assert (answer.status_code, Character.objects.get().version) == (409, 1)
    assert words in read(answer).one("p", role="alert").text


def test_item_and_list_lead_back_to_whom_they_are_for(ana_client: Client, zara: Character, ana: User) -> None:
    item = read(ana_client.get(f"/gear/item/cosmos-weapon-knife/?for={zara.pk}"))
    assert item.one("a", href=f"/gear/?for={zara.pk}").text == "Gear"
    npc = duplicate(zara, ana, as_npc=True)
    assert read(ana_client.get(f"/gear/?for={npc.pk}")).one("a", href="/characters/npcs/").text == "NPCs"
    faces = read(ana_client.get("/gear/item/cosmos-weapon-knife/")).all("label", class_="take-face")
    assert [face.text for face in faces] == ["Zara", f"{npc.name} NPC"]


def test_buyer_sees_what_is_left(ana_client: Client, zara: Character) -> None:
    assert "500 credits left." in ana_client.get(f"/gear/?for={zara.pk}").content.decode()
    fields = {"character": zara.pk, "pay": "1"}
    answer = ana_client.post("/gear/item/cosmos-weapon-knife/add/", fields, headers=HTMX)
    said = answer.content.decode()
    assert "Zara has Knife now. It is in hand. 480 credits left." in said
    assert "480 credits left." in said


def test_catalogue_opened_from_a_sheet_is_for_that_character(ana_client: Client, zara: Character) -> None:
    page = ana_client.get(f"/gear/?for={zara.pk}&q=knife").content.decode()
    assert "Gear for Zara" in page
    assert f'name="character" value="{zara.pk}"' in page
    answer = add(ana_client, zara, "weapon-knife", stay="1")
    assert answer["Location"] == f"/gear/?for={zara.pk}"


def test_own_item_is_carried_with_its_record(ana_client: Client, zara: Character, heirloom: OwnItem) -> None:
    ana_client.post(f"/gear/item/own-{heirloom.pk}/add/", {"character": zara.pk})
    carried = items(zara)[-1]
    assert (carried["record"]["name"], carried.get("entry", "")) == ("Heirloom", "")
    heirloom.delete()
    combatant = SYSTEM.characters.make_combatant("f1", "Zara", "", Character.objects.get().sheet, {})
    assert "Heirloom" in [item.name for item in combatant.items]
    assert "Heirloom" in ana_client.get(f"/characters/{zara.pk}/").content.decode()


def test_compare_lists_every_column_once() -> None:
    entries = [catalogue.CatalogueItem(SYSTEM, entry) for entry in CATALOGUE.find_entries()][:3]
    labels = [column.key for column, _, _ in catalogue.compare(entries)]
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize(
    ("key", "count", "place"),
    [
        ("weapon-laser_pistol", "1", "It is in hand."),
        ("weapon-laser_pistol", "2", "One is in hand, the rest is put away."),
        ("weapon-laser_rifle", "1", "No hand is free, so it is put away"),
        ("armor-kevlar", "1", "It is not worn yet"),
    ],
)
def test_taking_an_item_says_where_it_is(
    ana_client: Client, zara: Character, key: str, count: str, place: str
) -> None:
    answer = add(ana_client, zara, key, stay="1", count=count)
    assert place in ana_client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(
    ("game", "one_handed", "two_handed"),
    [
        ("cosmos", "knife", "laser_rifle"),
        ("cepheus", "dagger", "rifle"),
        ("starshock", "dagger", "beam_rifle"),
        ("guardians", "knife", "assault_rifle"),
    ],
)
def test_weapon_is_taken_into_as_many_hands_as_are_free(
    ana: User, ana_client: Client, game: str, one_handed: str, two_handed: str
) -> None:
    block = next(iter(find_system(game).book.find_blocks().values()))
    npc = create(ana, game, "Bo", {**block.sheet, "items": [], "weapons": [], "gear": []}, npc=True)
    for key in (one_handed, two_handed, one_handed, one_handed):
        ana_client.post(f"/gear/item/{game}-weapon-{key}/add/", {"character": npc.pk})
    assert [one.get("place", "") for one in items(npc) if one["kind"] == "weapon"] == ["held", "", "held", ""]
    combatant = make_combatant(find_system(game), "Bo", Character.objects.get().sheet)
    taken = [item.place for item in combatant.items if item.kind == "weapon"]
    assert taken[:4] == ["held", "carried", "held", "carried"]


# ---------------------------------------------------------------- the list


def test_rail_counts_the_kinds_and_a_game_brings_its_own_figures(ana_client: Client) -> None:
    page = read(ana_client.get("/gear/", {"game": "cosmos", "kind": "weapon"}))
    rail = {link.text for link in page.all("a", inside=page.one("nav", class_="gear-rail"))}
    kinds = {
        kind.plural: len([e for e in CATALOGUE.find_entries() if e.kind == kind.key])
        for kind in CATALOGUE.kinds
    }
    assert {f"{label} {count}" for label, count in kinds.items()} <= rail
    heads = [head.text for head in page.all("th", class_="fig")]
    assert heads == ["Use", "Damage", "Damage type", "Bonus to hit", "Range"]
    page = read(ana_client.get("/gear/", {"game": "cepheus", "kind": "armor"}))
    assert page.all("th", class_="fig")[0].text == "Armor"
    page = read(ana_client.get("/gear/"))
    assert not page.all("th", class_="fig")
    games = [link.text for link in page.all("a", inside=page.one("nav", class_="gear-games"))]
    assert games[:2] == ["All games", "Cosmos Engine"]


@pytest.mark.parametrize(
    ("notation", "mean"), [("1d8", "4.5"), ("2d6+1", "8"), ("3", ""), ("none", ""), (None, "")]
)
def test_average_of_dice_is_said_beside_them(notation: str | None, mean: str) -> None:
    assert find_mean(notation) == mean


def test_two_items_stand_side_by_side_beside_the_list(ana_client: Client) -> None:
    def ask(*keys: str) -> str:
        return ana_client.get("/gear/compare/", {"pick": keys}, headers=HTMX).content.decode()

    pistol, laser = "cosmos-weapon-pistol", "cosmos-weapon-laser_pistol"
    assert "Tap + at two items" in ask()
    assert "Pistol is the first" in ask(pistol)
    both = Page(ask(pistol, laser)).one(class_="gear-versus").text
    assert "4.5 on average (differs) 5.5" in both
    assert "<html" not in ask(pistol, laser)
    assert "Knife" not in ask("cosmos-weapon-knife", pistol, laser), "the last two"
    part = Page(ask(pistol, laser))
    link = part.one("a", inside=part.one("p", class_="gear-bar"))["href"]
    assert "Laser pistol" in ana_client.get(link).content.decode(), "the way to their own page"


def test_address_of_the_list_keeps_what_is_compared(ana_client: Client) -> None:
    pair = ["cosmos-weapon-knife", "cosmos-weapon-sword"]
    shown = {"HX-Current-URL": "http://x/gear/?game=cosmos&kind=weapon&pick=cosmos-weapon-club", **HTMX}
    said = ana_client.get("/gear/compare/", {"pick": pair}, headers=shown)
    page = read(ana_client.get(said["HX-Replace-Url"]))
    checked = [one["value"] for one in page.all("input", name="pick") if "checked" in one.attrs]
    assert checked == pair
    assert page.one("section", class_="gear-versus")
    assert [one["value"] for one in page.all("input", name="kind")] == ["weapon"]


def test_few_holders_are_faces_to_tap(ana_client: Client, zara: Character, ana: User) -> None:
    address = "/gear/item/cosmos-weapon-laser_pistol/"
    other = duplicate(zara, ana)
    page = read(ana_client.get(address, {"hands": other.pk}))
    faces = page.all("a", inside=page.one("nav", class_="gear-choose"))
    assert {one["href"] for one in faces} == {f"?hands={zara.pk}", f"?hands={other.pk}"}
    assert [one["href"] for one in faces if one["aria-current"]] == [f"?hands={other.pk}"]
    for _ in range(7):
        duplicate(zara, ana)
    many = read(ana_client.get(address))
    assert not many.all("nav", class_="gear-choose")
    assert many.one("select", name="hands")
