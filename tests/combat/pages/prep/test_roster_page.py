"""Preparing the roster: a GM's own NPCs, groups as one block, the order of turns, undoing a step."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from characters.models import Character
from characters.services.character_service import create, keep_portrait
from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.gm.aliases import real_face, real_name
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.state.state import present
from cosmos_site.base.pictures import PORTRAIT, remake
from tests.combat.cast import Cast, come
from tests.combat.markup import Element, Page
from tests.combat.visit import SLUG, Visit, demo_fight, load, read, state_of, stored
from tests.site.pictures import picture
from tests.typed import Answer, sure

BLOCK = "pirate_example"


def prep(visit: Visit, **fields: Any) -> Answer:
    """Send a form of the preparation."""
    return visit.client.post(f"{visit.here}prep/", fields)


def join(visit: Visit, **fields: Any) -> Answer:
    return prep(visit, do="join", **{"block": BLOCK, "count": "1", "side": "enemies", **fields})


def look(visit: Visit) -> Page:
    return read(visit.client.get(f"{visit.here}prep/"))


@pytest.fixture
def docker(gm: User) -> Character:
    """An NPC of the GM's own."""
    block = sure(find_system(SLUG).book.find_block(BLOCK))
    return create(gm, SLUG, "Docker", block.sheet, npc=True, kind="Crew")


def test_own_npc_joins_so_many_times(room: Visit, docker: Character) -> None:
    offered = [option.text for option in look(room).all("option")]
    assert any(text.startswith("Docker (") for text in offered)
    assert join(room, block=f"npc:{docker.pk}", count="3", group="on").status_code == 303
    made = present(state_of(room.pk))
    assert [one.name for one in made] == ["Docker 1", "Docker 2", "Docker 3"]
    assert {one.marks["source"] for one in made} == {f"npc:{docker.pk}"}
    assert load(room.pk).steps == 1


def test_sheet_and_portrait_of_an_npc_are_on_the_table(room: Visit, docker: Character) -> None:
    drawn = remake(picture(), PORTRAIT)
    keep_portrait(docker.pk, drawn.digest, drawn.image, by="gm")
    join(room, block=f"npc:{docker.pk}")
    page = room.client.get(room.here).content.decode()
    assert f'href="/characters/{docker.pk}/"' in page
    assert drawn.digest in page


def test_portrait_of_an_npc_with_an_alias_is_for_the_gm(room: Visit, docker: Character) -> None:
    drawn = remake(picture(), PORTRAIT)
    keep_portrait(docker.pk, drawn.digest, drawn.image, by="gm")
    join(room, block=f"npc:{docker.pk}")
    (made,) = present(state_of(room.pk))
    watcher = come(load(room.pk), ShareLink.WATCH, "Wim")
    portrait = f"{room.here}portraits/{drawn.digest}.webp"
    assert watcher.get(portrait).status_code == 200
    room.do("alias", target=made.id, alias="Hooded figure")
    assert watcher.get(portrait).status_code == 404
    assert drawn.digest not in watcher.get(room.here).content.decode()
    assert drawn.digest in room.client.get(room.here).content.decode()


def test_own_npcs_are_found_by_words_and_stand_under_their_kind(room: Visit, docker: Character) -> None:
    page = read(room.client.get(f"{room.here}prep/?find=crew"))
    assert page.all("optgroup")[0]["label"] == "Your NPCs: Crew"
    assert "Docker" not in room.client.get(f"{room.here}prep/?find=pirate").content.decode()


def test_npc_changed_later_does_not_change_the_fight(room: Visit, docker: Character) -> None:
    join(room, block=f"npc:{docker.pk}", name="Boss")
    before = state_of(room.pk)
    room.client.post(f"/characters/{docker.pk}/", {"do": "delete"})
    assert state_of(room.pk) == before
    refused = join(room, block=f"npc:{docker.pk}")
    assert refused.status_code == 422
    assert len(present(state_of(room.pk))) == 1


def test_nobody_adds_an_npc_of_someone_else(
    room: Visit, docker: Character, cast: Cast, started: Encounter
) -> None:
    form = {"do": "join", "block": f"npc:{docker.pk}", "count": "1", "side": "enemies"}
    before = load(started.pk).steps
    for role, client in (("co_gm", cast.co_gm), ("player", cast.player), ("stranger", cast.stranger)):
        page = client.get(f"/encounters/{started.pk}/prep/").content.decode()
        assert "Docker" not in page, role
        assert client.post(f"/encounters/{started.pk}/prep/", form).status_code in (302, 404, 422), role
    assert load(started.pk).steps == before
    assert cast.gm.post(f"/encounters/{started.pk}/prep/", form).status_code == 303


def test_group_is_one_block_hidden_shown_and_removed_at_once(room: Visit) -> None:
    join(room, count="4", group="on", name="Docker")
    (head,) = look(room).all("li", class_="cast-group")
    assert "Docker × 4" in " ".join(head.text.split())
    ids = [one.id for one in present(state_of(room.pk))]
    for hidden in ("true", "false"):
        room.client.post(room.here, {"do": "hide_each", "targets": ids, "hidden": hidden, "next": "prep"})
        assert {one.hidden for one in present(state_of(room.pk))} == {hidden == "true"}
    answer = room.client.post(room.here, {"do": "remove_each", "targets": ids, "next": "prep"})
    assert answer["Location"] == f"{room.here}prep/"
    assert not present(state_of(room.pk))
    room.client.post(room.here, {"do": "undo", "next": "prep"})
    assert len(present(state_of(room.pk))) == 4


def test_undo_says_what_it_takes_back(room: Visit) -> None:
    def find_undo() -> Element:
        return next(one for one in look(room).all("button", name="do") if one["value"] == "undo")

    join(room, name="Vox", side="foes")
    assert (find_undo().text, find_undo()["title"]) == ("Undo", "Undo: Vox joins (foes).")
    assert (
        look(room).one("span", class_="bar-word")["data-what"] == "Vox joins (foes)."
    )  # in sight, as at the table
    while "disabled" not in find_undo().attrs:
        room.client.post(room.here, {"do": "undo", "next": "prep"})
    assert (find_undo().text, find_undo()["title"]) == ("Undo last change", "")


@pytest.mark.slow
def test_forms_of_a_group_name_all_of_it_or_one_of_them(room: Visit) -> None:
    join(room, count="3", group="on", name="Docker")
    ids = [one.id for one in present(state_of(room.pk))]
    assert look(room).one("input", id=f"pick-{ids[0]}")["value"] == ",".join(ids)
    for query, named in ((f"row={ids[0]}", ids), (f"one={ids[1]}", ids[1:2])):
        page = read(room.client.get(f"{room.here}prep/?{query}"))
        form = page.all("form", class_="cast-form")[0]
        assert [box["value"] for box in page.all("input", inside=form) if box["name"] == "targets"] == named
    assert len(page.all("a", inside=page.one("li", class_="cast-group"))) >= 1


def test_one_without_the_tick_is_no_group(room: Visit) -> None:
    join(room, count="2")
    assert not look(room).all("li", class_="cast-group")
    assert not any(GROUP in one.marks for one in present(state_of(room.pk)))


def test_several_are_changed_at_once_and_undone_at_once(room: Visit) -> None:
    prep(room, do="zone", name="Vault", x="40", y="0", width="6", depth="6")
    join(room, count="4", name="Docker")
    before, ids = state_of(room.pk), [one.id for one in present(state_of(room.pk))]
    chosen = {"side": "crew", "zone": "vault", "hidden": "yes", "face": "pilot", "name": "Rook"}
    said = {"targets": [",".join(ids[:2]), ids[2]], **chosen}
    assert prep(room, do="arrange", **said).status_code == 303
    *changed, last = present(state_of(room.pk))
    assert [one.name for one in changed] == ["Rook 1", "Rook 2", "Rook 3"]
    assert {(one.side, one.hidden, one.marks["face"]) for one in changed} == {("crew", True, "pilot")}
    assert all(one.at.x >= 40 for one in changed)
    assert last == before.combatants[ids[3]]
    assert "faces.svg#pilot" in room.client.get(f"{room.here}prep/").content.decode()
    room.client.post(room.here, {"do": "undo", "next": "prep"})
    assert state_of(room.pk).combatants == before.combatants


def test_row_form_sent_as_it_is_changes_nothing(room: Visit) -> None:
    join(room, count="3", group="on", name="Docker", side="crew")
    who, before = present(state_of(room.pk))[0].id, stored(room.pk)
    page = read(room.client.get(f"{room.here}prep/?row={who}"))
    fields = page.fields(page.all("form", class_="cast-form")[0])
    assert (fields["name"], fields["side"], fields["hidden"]) == ("Docker", "crew", "no")
    refused = prep(room, **{**fields, "do": "arrange"})
    assert refused.status_code == 409
    assert "Nothing would change" in refused.content.decode()
    assert stored(room.pk) == before


def test_row_form_changes_only_what_was_changed_in_it(room: Visit) -> None:
    """A co-GM hides someone, gives them an alias and moves them to the other side meanwhile."""
    join(room, name="Captain Vey", side="crew")
    (vey,) = present(state_of(room.pk))
    page = read(room.client.get(f"{room.here}prep/?row={vey.id}"))
    fields = page.fields(page.all("form", class_="cast-form")[0])
    said = {
        "targets": vey.id,
        "side": "enemies",
        "hidden": "yes",
        "alias": "Hooded figure",
        "face": "captain",
    }
    prep(room, do="arrange", **said)
    assert prep(room, **{**fields, "do": "arrange", "name": "Vey"}).status_code == 303
    vey = state_of(room.pk)[vey.id]
    assert (real_name(vey), vey.name, vey.side, vey.hidden) == ("Vey", "Hooded figure", "enemies", True)


def test_row_form_gives_an_alias_and_takes_it_away(room: Visit) -> None:
    join(room, name="Captain Vey")
    (vey,) = present(state_of(room.pk))
    fields = {
        "targets": vey.id,
        "was": "Captain Vey",
        "name": "Captain Vey",
        "side": "enemies",
        "hidden": "no",
    }
    assert prep(room, **fields, do="arrange", alias="Hooded figure", face="captain").status_code == 303
    vey = state_of(room.pk)[vey.id]
    assert (vey.name, real_name(vey), real_face(vey)) == ("Hooded figure", "Captain Vey", "captain")
    page = read(room.client.get(f"{room.here}prep/?row={vey.id}"))
    form = page.fields(page.all("form", class_="cast-form")[0])
    assert (form["name"], form["alias"], form["face"]) == ("Captain Vey", "Hooded figure", "captain")
    assert prep(room, **{**form, "do": "arrange", "alias": ""}).status_code == 303
    vey = state_of(room.pk)[vey.id]
    assert (vey.name, real_name(vey), vey.marks["face"]) == ("Captain Vey", "Captain Vey", "captain")


NONSENSE: list[tuple[str, dict[str, Any]]] = [
    ("arrange", {"targets": [], "side": "crew"}),
    ("arrange", {"targets": ["f99"], "side": "crew"}),
    ("arrange", {"targets": ["f1"], "face": "nobody"}),
    ("arrange", {"targets": ["f1"], "name": "x" * 61}),
    ("arrange", {"targets": ["f1"], "side": "a\0b"}),
    ("duplicate_each", {"targets": ["f1,f99"]}),
    ("remove_each", {"targets": ["f99"]}),
]


@pytest.mark.slow
def test_nonsense_in_rows_is_refused(room: Visit) -> None:
    join(room)
    before = stored(room.pk)
    for do, fields in NONSENSE:
        assert prep(room, do=do, **fields).status_code in (409, 422), (do, fields)
        assert stored(room.pk) == before, (do, fields)


def test_selected_are_duplicated_and_removed(room: Visit) -> None:
    join(room, count="2", name="Docker")
    ids = [one.id for one in present(state_of(room.pk))]
    prep(room, do="arrange", targets=ids, face="medic")
    assert prep(room, do="duplicate_each", targets=ids).status_code == 303
    made = present(state_of(room.pk))
    assert len({one.name for one in made}) == 4
    assert all(one.name.startswith("Docker") for one in made)
    assert {one.marks["face"] for one in made} == {"medic"}
    assert prep(room, do="remove_each", targets=ids).status_code == 303
    assert len(present(state_of(room.pk))) == 2


@pytest.mark.slow
def test_checklist_says_what_is_missing(room: Visit) -> None:
    def tell() -> list[str]:
        return [" ".join(one.text.split()) for one in look(room).all("li") if "check-" in one["class"]]

    assert tell()[1] == "Missing: Two sides nobody yet Add people"
    join(room, side="allies", pc="on")
    join(room, count="3")
    prep(room, do="zone", name="Vault", x="40", y="40", width="6", depth="6")
    assert tell()[2] == "Ready: All placed 4 in 1 zone"
    submit(room.pk, Submission("place", {"target": "f1", "x": 0, "y": 0}))
    scene, sides, places, players, *_ = tell()
    assert scene.startswith("Ready: Scene 1 zone")
    assert sides == "Ready: 2 sides 1 against 3"
    assert places.startswith("Missing: 1 outside the zones")
    assert players.startswith("Optional: Players 1 of 1 without a player")


def test_ready_scene_is_chosen_by_its_picture(room: Visit) -> None:
    keys = [one["value"] for one in look(room).all("button", name="ready")]
    assert "docking_bay" in keys
    sent = {"do": "ready", "ready": "docking_bay", "next": "prep"}
    assert room.client.post(f"{room.here}scene/", sent)["Location"] == f"{room.here}prep/"
    (shown,) = [one["value"] for one in look(room).all("button", name="ready") if one["aria-pressed"]]
    assert shown == "docking_bay"


def test_page_asks_as_often_for_many_as_for_few(
    room: Visit, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    join(room, pc="on")
    with CaptureQueriesContext(connection) as few:
        look(room)
    asked = len(few)
    join(room, count="20")
    join(room, count="20", group="on", side="crew")
    with django_assert_max_num_queries(asked):
        look(room)


def test_order_of_a_fight_is_changed_by_buttons(plain_visit: Visit) -> None:
    order = state_of(plain_visit.pk).order
    page = look(plain_visit)
    rows = [row["data-order-id"] for row in page.all("li") if row["data-order-id"]]
    assert rows == list(order)
    third = page.all("form", inside=[row for row in page.all("li") if row["data-order-id"]][2])[0]
    earlier, later = page.all("button", inside=third)
    assert (earlier["value"], "disabled" in later.attrs) == (order[0], len(order) == 3)
    posted = {**page.fields(third), "after": earlier["value"]}
    posted.pop("csrfmiddlewaretoken")
    assert plain_visit.client.post(plain_visit.here, posted)["Location"] == f"{plain_visit.here}prep/"
    assert state_of(plain_visit.pk).order == (order[0], order[2], order[1], *order[3:])
    plain_visit.client.post(plain_visit.here, {"do": "undo", "next": "prep"})
    assert state_of(plain_visit.pk).order == order


def test_gathered_group_follows_its_first(plain_visit: Visit) -> None:
    order = state_of(plain_visit.pk).order
    plain_visit.client.post(
        plain_visit.here, {"do": "gather", "targets": [order[0], order[2]], "next": "prep"}
    )
    assert state_of(plain_visit.pk).order[:2] == (order[0], order[2])


def test_before_a_fight_there_is_no_order(room: Visit) -> None:
    join(room)
    assert "Turn order" not in room.client.get(f"{room.here}prep/").content.decode()


@pytest.mark.slow
def test_ready_scenes_stand_in_groups_with_the_scenes_group_open(room: Visit) -> None:
    def groups() -> dict[str, tuple[bool, int]]:
        page = look(room)
        folds = [
            one
            for one in page.all("details")
            if one["id"].startswith("ready-") and one["id"] != "ready-yours"
        ]
        return {
            one["id"]: ("open" in one.attrs, len(page.all("button", inside=one, name="ready")))
            for one in folds
        }

    assert [name for name, (is_open, _) in groups().items() if is_open] == ["ready-ship"]
    room.client.post(f"{room.here}scene/", {"do": "ready", "ready": "canyon", "next": "prep"})
    found = groups()
    assert [name for name, (is_open, _) in found.items() if is_open] == ["ready-wild"]
    assert min(count for _, count in found.values()) >= 3


def test_pictures_of_ready_scenes_come_when_their_group_opens(room: Visit) -> None:
    pictures = [one for one in look(room).all("svg") if one["id"].startswith("ready-picture-")]
    empty = [one["id"] for one in pictures if not one.text and one["viewbox"] == "0 0 2 1"]
    assert "ready-picture-canyon" in empty
    assert set(empty) == {one["id"] for one in pictures}, "the open group too: once it is in sight"
    answer = room.client.get(f"{room.here}prep/scenes/", {"group": "Wild"}, headers={"HX-Request": "true"})
    late = [one for one in read(answer).all("svg") if one["hx-swap-oob"]]
    assert "ready-picture-canyon" in {one["id"] for one in late}
    assert set(empty) > {one["id"] for one in late}


@pytest.mark.parametrize(
    ("slug", "track", "by", "whole", "hurt"),
    [
        (SLUG, "hp", -10, "168 HP", "158 of 168 HP"),
        ("starshock", "damage", 10, "0 of 41 damage", "10 of 41 damage"),
    ],
)
def test_head_of_a_side_says_how_many_they_are_and_their_health(
    gm: User, gm_client: Client, slug: str, track: str, by: int, whole: str, hurt: str
) -> None:
    room = Visit(gm_client, demo_fight(gm, slug).pk)
    crew = [one.id for one in present(state_of(room.pk)) if one.side == "crew"]

    def head() -> str:
        return look(room).all(class_="side-head")[0].text

    assert head() == f"Crew {len(crew)} combatants · {whole}"
    submit(room.pk, Submission("adjust", {"target": crew[0], "track": track, "by": by}))
    assert head() == f"Crew {len(crew)} combatants · {hurt}"


def test_bar_of_a_group_is_that_of_its_worst_who_stands(visit: Visit) -> None:
    join(visit, count="3", name="Docker", group="on")
    people = [one for one in present(state_of(visit.pk)) if one.name.startswith("Docker")]
    for one, by in zip(people[1:], (-20, -200), strict=True):
        submit(visit.pk, Submission("adjust", {"target": one.id, "track": "hp", "by": by}))
    page = read(visit.client.get(f"{visit.here}prep/"))
    row = page.one("li", id=f"row-{people[0].id}")
    assert page.one("span", inside=row, class_="cast-health").text == "60 / 80"
    assert "2 standing" in row.text
