"""Preparation: combatants, zones, table options, and deleting or copying an encounter."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, StoredStep
from combat.pages.prep import views as prep_views
from combat.pages.prep.forms import GROUPS
from combat.play.writing.encounter_service import (
    Submission,
    SubmissionResult,
    create_encounter,
    read_state,
    submit,
    undo,
)
from combat.rules import SYSTEMS, find_system
from combat.rules.core.space import count_steps
from combat.rules.core.state.state import present, replace
from tests.combat.markup import Page
from tests.combat.visit import PIRATE, SLUG, Visit, chosen_in, load, read, refusal, state_of, stored
from tests.typed import Answer

SYSTEM = find_system(SLUG)


def prep(visit: Visit, do: str, **fields: Any) -> Answer:
    """Send a form of the preparation."""
    return visit.client.post(f"{visit.here}prep/", {"do": do, **fields})


def send(visit: Visit, do: str, **fields: Any) -> str:
    """Send a form of the preparation that is accepted; return the address it leads to."""
    found = prep(visit, do, **fields)
    assert found.status_code == 303, refusal(found)
    return found["Location"]


def done(visit: Visit, do: str, **fields: Any) -> Page:
    """Send a form of the preparation that is accepted; return the page it leads to."""
    return read(visit.client.get(send(visit, do, **fields)))


def open_prep(visit: Visit, *opened: str) -> Page:
    """The page of the preparation, with these forms opened."""
    return read(visit.client.get(f"{visit.here}prep/", {"open": opened}))


# ---- Preparation: combatants ----


def test_combatants_join_by_the_number(room: Visit) -> None:
    done(room, "join", block="pirate_example", count="4", side="enemies")
    names = [f.name for f in present(state_of(room.pk))]
    assert names == [f"{names[0].rsplit(' ', 1)[0]} {n}" for n in (1, 2, 3, 4)]
    assert load(room.pk).steps == 1
    places = {(f.at.x, f.at.y) for f in present(state_of(room.pk))}
    assert len(places) == 4


def test_combatant_joins_named_hidden_as_a_character_in_a_zone(room: Visit) -> None:
    done(room, "zone", name="Vault", x="40", y="0", width="6", depth="6")
    rook = {"block": "pirate_example", "count": "1", "name": "Rook", "side": "crew", "zone": "vault"}
    page = done(room, "join", **rook, hidden="on", pc="on")
    (made,) = present(state_of(room.pk))
    assert (made.name, made.side, made.hidden, made.pc) == ("Rook", "crew", True, True)
    assert 40 <= made.at.x <= 46
    row = page.one("li", id=f"row-{made.id}")
    assert "hidden" in row.text
    assert "Vault" in row.text


def test_refused_combatants_keep_what_was_typed(room: Visit) -> None:
    found = prep(room, "join", block="pirate_example", count="50", name="Goon", side="dock")
    page = read(found)
    form = page.one(id="add")
    assert found.status_code == 422
    assert page.one("input", name="name", inside=form)["value"] == "Goon"
    assert chosen_in(page, "join-side") == "dock"
    assert "Must be 1 to 20." in form.text


def test_fight_is_begun_from_the_preparation(gm_client: Client, prepared: Encounter) -> None:
    visit = Visit(gm_client, prepared.pk)
    page = done(visit, "start", surprised=[PIRATE])
    assert page.one(id="h-turn").text in ("Zara", "Pirate", "Marcus")
    assert state_of(visit.pk).phase == "fight"


def test_empty_encounter_cannot_begin(room: Visit) -> None:
    found = prep(room, "start")
    assert found.status_code == 409
    assert refusal(found) == "Add combatants first: there is no one to fight."


# ---- Preparation: zones ----


ZONE = {"name": "Cargo bay", "x": "0", "y": "2.5", "width": "12", "depth": "8"}


@pytest.mark.slow
def test_zone_is_added_changed_and_removed(room: Visit) -> None:
    page = done(room, "zone", **ZONE, cover="light", light="dim", height="2", terrain=["rubble"])
    (zone,) = state_of(room.pk).scene.zones
    assert (zone.id, zone.name) == ("cargo-bay", "Cargo bay")
    assert (zone.x, zone.y, zone.width, zone.depth) == (0, 2.5, 12, 8)
    assert (zone.cover, zone.light, zone.height, zone.terrain) == ("light", "dim", 2, ("rubble",))
    assert "12 × 8 m · light cover · dim · rubble · 2 m high" in page.one(id="scene").text
    page = read(room.client.get(f"{room.here}prep/?edit=cargo-bay"))
    assert "open" in page.one("details", id="zone-fold").attrs
    assert page.one("path", class_="zone-edited")["d"], "it is lit on the map"
    posted = page.fields(page.one("form", id="zone"))
    shown = [posted[name] for name in ("name", "y", "cover", "terrain")]
    assert shown == ["Cargo bay", "2.5", "light", "rubble"]
    posted.pop("csrfmiddlewaretoken")
    send(room, "zone", **{**posted, "name": "Hold", "width": "20"})
    (zone,) = state_of(room.pk).scene.zones
    assert (zone.id, zone.name, zone.width, zone.terrain) == ("cargo-bay", "Hold", 20, ("rubble",))
    done(room, "remove_zone", id="cargo-bay")
    assert state_of(room.pk).scene.zones == ()
    undo(room.pk)
    assert len(state_of(room.pk).scene.zones) == 1


def test_zones_of_one_name_get_ids_of_their_own(room: Visit) -> None:
    for name in ("Bay", "Bay", "bay!", "§", "§"):
        send(room, "zone", **{**ZONE, "name": name})
    assert [z.id for z in state_of(room.pk).scene.zones] == ["bay", "bay-2", "bay-3", "zone", "zone-2"]
    assert "§ §" in open_prep(room).one(id="scene").text


def test_next_zone_begins_where_the_last_one_ends(room: Visit) -> None:
    page = done(room, "zone", **ZONE)
    assert page.fields(page.one("form", id="zone"))["x"] == "12"


def test_change_of_a_zone_keeps_what_the_form_does_not_show(room: Visit) -> None:
    zone: dict[str, Any] = {"id": "bay", "name": "Bay", "notes": "loud", "links": {"hold": 2}}
    zone["properties"] = [{"name": "Steam", "into": -2}]
    hold = {"id": "hold", "name": "Hold", "x": 10}
    submit(room.pk, Submission("set_scene", {"scene": {"zones": [zone, hold], "settings": {"light": "dim"}}}))
    before = state_of(room.pk).scene
    page = read(room.client.get(f"{room.here}prep/?edit=bay"))
    posted = page.fields(page.one("form", id="zone"))
    posted.pop("csrfmiddlewaretoken")
    done(room, "zone", **{**posted, "name": "Great bay"})
    wanted = replace(before, zones=(replace(before.zones[0], name="Great bay"), before.zones[1]))
    assert state_of(room.pk).scene == wanted


def test_refused_zone_keeps_what_was_typed(room: Visit) -> None:
    found = prep(room, "zone", **{**ZONE, "width": "0"}, cover="heavy")
    page = read(found)
    form = page.one("form", id="zone")
    assert found.status_code == 422
    kept = page.fields(form)
    assert (kept["name"], kept["width"], kept["cover"]) == ("Cargo bay", "0", "heavy")
    assert "Must be 1 to 1,000." in form.text


def test_zone_that_would_undo_someone_elses_is_refused(room: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other zone is added between reading the scene and writing it."""

    def come_second(pk: int, submission: Submission) -> SubmissionResult:
        submit(pk, Submission("set_scene", {"scene": {"zones": [{"id": "hold", "name": "Hold"}]}}))
        return submit(pk, submission)

    monkeypatch.setattr(prep_views, "submit", come_second)
    found = prep(room, "zone", **ZONE)
    assert found.status_code == 409
    assert "Someone acted first" in refusal(found)
    assert [zone.id for zone in state_of(room.pk).scene.zones] == ["hold"]


# ---- Preparation: options ----


def posted_options(visit: Visit) -> dict[str, Any]:
    """What a browser posts for the options of the preparation as they stand there, all of them opened."""
    page, posted = open_prep(visit, *GROUPS), dict[str, Any]()
    for button in (one for one in page.all("button") if one["value"] == "options"):
        form = next(parent for parent in reversed(button.parents) if parent.tag == "form")
        posted |= page.fields(form)
    posted.pop("csrfmiddlewaretoken")
    return {**posted, "group": [*GROUPS]}


def options_form(visit: Visit) -> dict[str, Any]:
    """The fields of the options that someone sees, without what they were when the page was opened."""
    return {name: word for name, word in posted_options(visit).items() if not name.startswith("was-")}


@pytest.mark.slow
def test_options_saved_from_an_old_page_keep_others_changes(room: Visit) -> None:
    old = posted_options(room)
    send(room, "options", **{**posted_options(room), "option-typed_dice": "on", "setting-light": "dim"})
    send(room, "options", **{**old, "option-foe_health": "bar"})
    state = state_of(room.pk)
    assert (state.options, state.scene.settings["light"]) == (
        {"typed_dice": True, "foe_health": "bar"},
        "dim",
    )
    send(room, "options", **{**posted_options(room), "option-foe_health": "word"})
    assert state_of(room.pk).options["foe_health"] == "word"


def test_saving_the_options_as_they_stand_changes_nothing(room: Visit) -> None:
    before = stored(room.pk)
    done(room, "options", **options_form(room))
    assert stored(room.pk) == before


@pytest.mark.slow
def test_every_option_is_saved_and_set_back(room: Visit) -> None:
    """Those whose number has a bit are changed together: of any two, one is changed without the other."""
    options = SYSTEM.book.all_options
    usual, defaults = options_form(room), {one.key: one.default for one in options}
    for bit in range(len(options).bit_length()):
        changed, wanted = dict(usual), dict(defaults)
        for number, option in enumerate(options, 1):
            if number >> bit & 1:
                wanted[option.key] = change(changed, option)
        done(room, "options", **changed)
        assert defaults | state_of(room.pk).options == wanted
        assert options_form(room) == changed
    send(room, "options", **usual)
    assert defaults | state_of(room.pk).options == defaults


def change(form: dict[str, Any], option: Any) -> Any:
    """Set an option in a form to something else than usual; returns it."""
    key = f"option-{option.key}"
    if isinstance(option.default, bool):
        form[key] = str(not option.default)
        return not option.default
    wanted = next(choice for choice in reversed(option.choices) if choice != option.default)
    form[key] = str(wanted)
    return wanted


@pytest.mark.slow
def test_what_is_changed_stands_beside_what_is_usual(room: Visit) -> None:
    def told(group: str) -> str:
        return open_prep(room, group).one("details", id=f"options-{group}").text

    assert "Usual:" not in "".join(map(told, GROUPS))
    send(room, "options", **{**options_form(room), "option-foe_health": "bar"})
    assert told("table").startswith("At the table Players see the health of others as: bar 1 changed")
    assert "Usual: word." in told("table")
    assert told("turns").startswith("Turns as in the book 0 changed")


def test_options_that_are_not_opened_stay(room: Visit) -> None:
    send(room, "options", **{**options_form(room), "option-typed_dice": "on"})
    before = state_of(room.pk).options
    page = open_prep(room, "attacks")
    (button,) = [one for one in page.all("button") if one["value"] == "options"]
    posted = page.fields(next(parent for parent in reversed(button.parents) if parent.tag == "form"))
    assert "option-typed_dice" not in posted
    send(room, "options", **posted)
    assert state_of(room.pk).options == before


def test_number_that_is_none_of_the_choices_stays(room: Visit) -> None:
    submit(room.pk, Submission("set_option", {"key": "minion_hp", "value": 35}))
    done(room, "options", **options_form(room))
    assert state_of(room.pk).options == {"minion_hp": 35}


def test_one_option_that_is_refused_refuses_all(room: Visit) -> None:
    before = stored(room.pk)
    form = options_form(room)
    found = prep(room, "options", **{**form, "option-fumbles": "on", "setting-light": "purple"})
    assert found.status_code == 422
    assert stored(room.pk) == before


@pytest.mark.slow
def test_environment_asks_only_about_rules_that_the_table_plays(gm: User, gm_client: Client) -> None:
    visit = Visit(gm_client, create_encounter(gm, "cepheus_quick", "Room").pk, htmx=False)

    def asked() -> set[str]:
        table = read(gm_client.get(visit.here))
        forms = [table.fields(form) for form in table.all("form", class_="scene-line")]
        both = (
            {f"setting-{form['key']}" for form in forms},
            {one["name"] for one in open_prep(visit).all("button")},
        )
        here, there = ({name for name in names if name.startswith("setting-")} for names in both)
        assert here == there
        return here

    assert asked() == {"setting-distances"}
    submit(visit.pk, Submission("set_option", {"key": "use_zero_gravity", "value": True}))
    assert asked() == {"setting-distances", "setting-gravity"}


# ---- Preparation: the encounter itself ----


def test_rename_archive_and_bring_back(room: Visit) -> None:
    page = done(room, "name", name="  The   Airlock ")
    assert page.one("h1").text == "The Airlock"
    page = done(room, "archive")
    assert page.one("h1").text == "Encounters"
    assert "The Airlock" not in page.one("main").text
    archive = read(room.client.get("/encounters/?show=archived"))
    assert "The Airlock" in archive.one("main").text
    page = done(room, "archive")
    assert "The Airlock" in page.one("main").text


def test_copy_is_prepared_and_says_what_it_is(gm_client: Client, over: Encounter) -> None:
    page = done(Visit(gm_client, over.pk), "copy")
    assert page.one("h1").text == f"{over.name} (copy)"
    copy = Encounter.objects.latest("pk")
    assert (copy.phase, copy.combatants, copy.demo) == ("prep", 3, False)
    assert read_state(copy).scene == read_state(over).scene


@pytest.mark.slow
def test_removing_needs_the_name_and_takes_the_whole_log(gm_client: Client, over: Encounter) -> None:
    visit = Visit(gm_client, over.pk)
    for wrong in ("", "Docking", over.name.lower()):
        found = prep(visit, "delete", confirm=wrong)
        assert found.status_code == 422
        assert "Type the encounter's name to delete it and its log." in refusal(found)
    page = done(visit, "delete", confirm=f" {over.name} ")
    assert f"“{over.name}” is deleted." in page.one("main").text
    assert not Encounter.objects.exists()
    assert not StoredStep.objects.exists()
    assert visit.get().status_code == 404


# ---- Preparation: values that some games keep for zones ----

ROOM = {"x": "0", "y": "0", "width": "5", "depth": "5"}


@pytest.fixture
def ring(gm: User, gm_client: Client) -> Visit:
    """An empty encounter of a game with steps between zones, and made-up properties."""
    slug = next(
        s
        for s in SYSTEMS
        if find_system(s).space.zones.link_rule and find_system(s).space.zones.property_rule
    )
    return Visit(gm_client, create_encounter(gm, slug, "Ring deck").pk, htmx=False)


@pytest.mark.slow
def test_zone_gets_properties_of_the_gms_own(ring: Visit) -> None:
    made_up = {"property-0-name": "Steam", "property-0-into": "-2", "property-1-name": "Humming"}
    send(ring, "zone", name="Dock", **ROOM, **made_up, **{"property-1-inside": "-1"})
    (zone,) = state_of(ring.pk).scene.zones
    assert [(p.name, p.into, p.out, p.inside) for p in zone.properties] == [
        ("Steam", -2, 0, 0),
        ("Humming", 0, 0, -1),
    ]
    form = read(ring.client.get(f"{ring.here}prep/?edit=dock"))
    posted = form.fields(form.one("form", id="zone"))
    assert (posted["property-0-name"], posted["property-0-into"]) == ("Steam", "\N{MINUS SIGN}2")
    done(ring, "zone", **{**posted, "property-0-name": "", "property-0-into": ""})
    (zone,) = state_of(ring.pk).scene.zones
    assert [p.name for p in zone.properties] == ["Humming"]


@pytest.mark.slow
def test_zone_says_which_zones_are_next_to_it(ring: Visit) -> None:
    send(ring, "zone", name="Dock", **ROOM)
    done(ring, "zone", name="Spire", **{**ROOM, "x": "90"}, **{"link-dock": "3"})
    scene = state_of(ring.pk).scene
    assert scene.zones[1].links == {"dock": 3}
    assert count_steps(scene, "dock", "spire") == 3
    form = read(ring.client.get(f"{ring.here}prep/?edit=dock"))
    posted = form.fields(form.one("form", id="zone"))
    posted.pop("was")  # it is sent several times
    assert posted["link-spire"] == "3", "a link holds in both directions, also in the form"
    done(ring, "zone", **{**posted, "link-spire": "2"})
    assert count_steps(state_of(ring.pk).scene, "spire", "dock") == 2
    done(ring, "zone", **{**posted, "link-spire": ""})
    assert [zone.links for zone in state_of(ring.pk).scene.zones] == [{}, {}]
    done(ring, "zone", **posted)
    done(ring, "remove_zone", id="spire")
    assert [zone.links for zone in state_of(ring.pk).scene.zones] == [{}]


def test_bad_property_or_step_is_refused(ring: Visit) -> None:
    send(ring, "zone", name="Dock", **ROOM)
    before = stored(ring.pk)
    for field, value, says in [
        ("property-0-into", "-2", "Called: Enter what these points come from."),
        ("property-0-inside", "99", "Checks inside: Must be −20 to 20."),
        ("link-dock", "0", "Steps to Dock: Must be 1 to 20."),
    ]:
        answer = ring.client.post(f"{ring.here}prep/", {"do": "zone", "name": "Hold", **ROOM, field: value})
        assert answer.status_code == 422, (field, value, says)
        assert says in refusal(answer), (field, value, says)
        assert stored(ring.pk) == before, (field, value, says)


def test_game_without_such_rules_has_no_such_fields(room: Visit) -> None:
    page = open_prep(room, "zone")
    names = {field["name"] for field in page.all("input")}
    assert not [name for name in names if name.startswith(("link-", "property-"))]


def test_new_zone_has_the_usual_size_of_its_game(room: Visit, ring: Visit) -> None:
    for visit in (room, ring):
        page = open_prep(visit, "zone")
        size = find_system(load(visit.pk).system).space.zones.side
        fields = page.fields(page.one("form", id="zone"))
        assert (fields["width"], fields["depth"]) == (str(size), str(size))
        send(visit, "zone", **{**fields, "name": "Dock"})
        log = visit.client.get(f"{visit.here}log/").content.decode()
        assert "up to 5 m" not in log


# ---- Adding several ----


def test_next_combatant_comes_from_the_same_block_and_place(visit: Visit) -> None:
    zone = state_of(visit.pk).scene.zones[-1].id
    found = visit.client.post(
        f"{visit.here}prep/",
        {"do": "join", "block": "pirate_example", "count": "+2", "side": "crew", "zone": zone},
    )
    assert (found.status_code, found["Location"].endswith("#add")) == (303, True)
    page = read(visit.client.get(found["Location"]))
    for field, value in (("join-side", "crew"), ("join-zone", zone), ("join-block", "pirate_example")):
        chosen = [o for o in page.all("option", inside=page.one(id=field)) if "selected" in o.attrs]
        assert [option["value"] for option in chosen] == [value]
    assert (
        "Added to crew: Pirate of the worked example 1, Pirate of the worked example 2."
        in page.one(id="messages").text
    )
    assert "open" not in page.one("details", id="zone-fold").attrs, "the zone is chosen, not edited"


def test_form_that_was_sent_is_where_the_page_comes_back(visit: Visit) -> None:
    zone = {"do": "zone", "name": "Hold", "x": "0", "y": "50", "width": "5", "depth": "5"}
    assert visit.client.post(f"{visit.here}prep/", zone)["Location"].endswith("/prep/?open=zone#zone")
    assert visit.client.post(f"{visit.here}prep/", {"do": "options"})["Location"].endswith("/prep/#options")


@pytest.mark.slow
def test_stat_blocks_are_found_by_words(visit: Visit) -> None:
    whole = read(visit.client.get(f"{visit.here}prep/"))
    for find, count in [("PIRATE example", 1), ("", 0), ("no such thing", 0)]:
        page = read(visit.client.get(f"{visit.here}prep/", {"find": find, "side": "crew"}))
        blocks = page.all("option", inside=page.one(id="join-block"))
        everything = whole.all("option", inside=whole.one(id="join-block"))
        assert page.one("input", id="find")["value"] == find, (find, count)
        assert chosen_in(page, "join-side") == "crew", (find, count)
        assert len(blocks) == (count if find else len(everything)), (find, count)
        assert ("No stat block has these words" in page.one(id="div_join-block").text) == (not blocks), (
            find,
            count,
        )


def test_combatants_join_on_open_ground_until_there_are_zones(room: Visit) -> None:
    def first() -> str:
        page = open_prep(room)
        return page.all("option", inside=page.one(id="join-zone"))[0].text

    assert first() == "open ground"
    send(room, "zone", **ZONE)
    assert first() == "first zone"


def test_adding_from_an_empty_list_says_what_to_do(room: Visit) -> None:
    page = read(prep(room, "join", count="1", side="enemies"))
    assert "Stat block: choose one from the list." in page.one(id="messages").text
