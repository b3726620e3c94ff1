"""Closing a fight keeps a recap for the players and prisoners for the GM: all that is selected or nothing."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, Note
from combat.play.campaigns.prisoners import find_prisoners
from combat.play.campaigns.table_notes import MAX_NOTE, SHARED
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules.core.state.state import present
from tests.combat.cast import gather
from tests.combat.evenings import make_evening, make_hero, prepare
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import read, state_of
from tests.typed import Answer, sure

HTMX = {"HX-Request": "true"}


@pytest.fixture
def over(gm: User) -> Encounter:
    """A fight of a campaign that is over: one thug gave up, one is dying, one is dead; a hero is hurt."""
    party = [make_hero(gm, name) for name in ("Zoe", "Ana")]
    made = prepare(make_evening(gm), "Dock 7", party, 3)
    submit(made.pk, Submission("start"))
    gave_up, dying, dead = find_thugs(made)
    submit(made.pk, Submission("surrender", {"target": gave_up}))
    submit(made.pk, Submission("adjust", {"target": gave_up, "track": "hp", "by": -9}))
    submit(made.pk, Submission("give_condition", {"target": dying, "kind": "dying"}))
    submit(made.pk, Submission("give_condition", {"target": dead, "kind": "dead"}))
    submit(made.pk, Submission("end_fight"))
    made.refresh_from_db()
    return made


def find_thugs(fight: Encounter) -> list[str]:
    return [one.id for one in present(state_of(fight.pk)) if not one.pc]


def find_heroes(fight: Encounter) -> list[str]:
    return [one.id for one in present(state_of(fight.pk)) if one.pc]


def open_part(client: Client, fight: Encounter) -> Page:
    return read(client.get(f"/encounters/{fight.pk}/home/?end", headers=HTMX))


def find_ticks(client: Client, fight: Encounter) -> set[str]:
    """The boxes for the recap and prisoners, selected or not."""
    boxes = open_part(client, fight).all("input", type="checkbox")
    return {
        one["id"] for one in boxes if one["name"] in ("recap", "prisoner") and "disabled" not in one.attrs
    }


def close(client: Client, fight: Encounter, **fields: object) -> Answer:
    return client.post(f"/encounters/{fight.pk}/home/?close", {"sheets": "shown", **fields}, headers=HTMX)


def read_shared(fight: Encounter) -> str:
    note = Note.objects.filter(campaign=fight.campaign, about=SHARED).first()
    return note.text if note else ""


# ---- Prisoners ----


def test_who_gave_up_or_lies_alive_can_stay_and_is_not_selected(gm_client: Client, over: Encounter) -> None:
    gave_up, dying, _ = find_thugs(over)
    assert find_ticks(gm_client, over) == {"recap", f"prisoner-{gave_up}", f"prisoner-{dying}"}
    page = open_part(gm_client, over)
    assert not [one for one in page.all("input", name="prisoner") if "checked" in one.attrs]
    assert len(page.all("button", class_="btn-primary")) == 0, "the one filled button closes the fight"


def test_prisoner_joins_the_campaign_wounded_and_without_loot(
    gm: User, gm_client: Client, over: Encounter
) -> None:
    gave_up, dying, _ = find_thugs(over)
    one = state_of(over.pk).combatants[gave_up]
    zoe, (club, knife) = find_heroes(over)[0], one.items[:2]
    answer = close(gm_client, over, prisoner=gave_up, **{f"to.{club.id}": zoe})
    assert answer["HX-Redirect"] == f"/encounters/{over.pk}/report/"
    (npc,) = character_service.find_npcs(gm)
    assert (npc.name, npc.kind) == (one.name, "Prisoner")
    assert npc.campaigns.get().campaign == over.campaign
    assert npc.sheet["tracks"]["hp"] == one.tracks["hp"]
    assert [thing["entry"] for thing in npc.sheet["items"]] == [knife.data["id"]], "the club is Zoe's"
    undo(over.pk, by="gm")
    assert find_ticks(gm_client, over) == {"recap", f"prisoner-{dying}"}, "nobody twice"
    refused = close(gm_client, over, prisoner=gave_up)
    assert (refused.status_code, character_service.find_npcs(gm).count()) == (409, 1)
    character_service.delete(npc)
    assert f"prisoner-{gave_up}" in find_ticks(gm_client, over), "who was deleted can be kept again"


def test_no_one_else_is_kept_and_then_nothing_is_done(gm: User, gm_client: Client, over: Encounter) -> None:
    gave_up, _, dead = find_thugs(over)
    zoe = Character.objects.get(name="Zoe")
    for wrong in ([gave_up, dead], [gave_up, "f99"], ["<b>"]):
        answer = close(gm_client, over, prisoner=wrong, sheet=zoe.pk, recap="1")
        assert answer.status_code == 409, wrong
        assert "no prisoner now" in answer.content.decode()
    assert not character_service.find_npcs(gm).exists()
    assert read_shared(over) == ""
    zoe.refresh_from_db()
    assert "closed" not in state_of(over.pk).marks


def test_only_the_owner_keeps_prisoners(over: Encounter) -> None:
    gave_up, *_ = find_thugs(over)
    people = gather(over, *find_heroes(over))
    assert f"prisoner-{gave_up}" in find_ticks(people.gm, over)
    assert find_ticks(people.co_gm, over) == {"recap"}
    for role in ("player", "other"):
        assert find_ticks(people[role], over) == set(), role
    owner = sure(over.owner)
    for role, status in {"co_gm": 409, "player": 403, "other": 403, "watcher": 403, "stranger": 404}.items():
        answer = people[role].post(
            f"/encounters/{over.pk}/home/?close", {"prisoner": gave_up, "recap": "1"}, headers=HTMX
        )
        assert answer.status_code == status, role
    assert not character_service.find_npcs(owner).exists()
    assert read_shared(over) == ""


def test_alias_stays_with_the_fight(gm: User, gm_client: Client, over: Encounter) -> None:
    gave_up, *_ = find_thugs(over)
    name = state_of(over.pk).combatants[gave_up].name
    submit(over.pk, Submission("alias", {"target": gave_up, "alias": "A stranger"}))
    close(gm_client, over, prisoner=gave_up)
    assert character_service.find_npcs(gm).get().name == name


@every_slug
def test_every_game_can_keep_its_stat_blocks(gm: User, gm_client: Client, slug: str) -> None:
    made = prepare(make_evening(gm), "Dock 7", [make_hero(gm, "Zoe", slug)], 1, slug)
    submit(made.pk, Submission("start"))
    (thug,) = find_thugs(made)
    submit(made.pk, Submission("surrender", {"target": thug}))
    submit(made.pk, Submission("end_fight"))
    assert [one.id for one in find_prisoners(state_of(made.pk))] == [thug]
    assert close(gm_client, made, prisoner=thug).status_code == 204
    assert character_service.find_npcs(gm).get().system == slug


# ---- The recap ----


def test_recap_is_in_shared_notes_once_and_tells_what_all_know(gm_client: Client, over: Encounter) -> None:
    submit(over.pk, Submission("join", {"block": "warlord", "name": "Mastermind", "hidden": True}))
    assert "checked" in open_part(gm_client, over).one("input", id="recap").attrs
    assert close(gm_client, over, recap="1").status_code == 204
    told = read_shared(over)
    assert told.startswith("# Dock 7")
    assert "Zoe" in told
    assert "Mastermind" not in told
    people = gather(over, *find_heroes(over))
    assert "Who fought" in people.player.get(f"/encounters/{over.pk}/notes/").content.decode()
    undo(over.pk, by="gm")
    assert "recap" not in find_ticks(people.gm, over)
    assert close(people.gm, over, recap="1").status_code == 204
    assert read_shared(over) == told


def test_recap_is_added_below_the_notes_and_only_if_selected(gm_client: Client, over: Encounter) -> None:
    Note.objects.create(campaign=over.campaign, about=SHARED, text="Our ship: the Lantern", revision=4)
    close(gm_client, over)
    assert read_shared(over) == "Our ship: the Lantern"
    undo(over.pk, by="gm")
    close(gm_client, over, recap="1")
    assert read_shared(over).startswith("Our ship: the Lantern\n\n# Dock 7")
    assert Note.objects.get(about=SHARED).revision == 5


def test_full_notes_say_so_and_close_nothing(gm_client: Client, over: Encounter) -> None:
    Note.objects.create(campaign=over.campaign, about=SHARED, text="x" * (MAX_NOTE - 5), revision=1)
    box = open_part(gm_client, over).one("input", id="recap")
    assert ("disabled" in box.attrs, "checked" in box.attrs) == (True, False)
    answer = close(gm_client, over, recap="1")
    assert (answer.status_code, "at most 10,000 characters" in answer.content.decode()) == (422, True)
    assert "closed" not in state_of(over.pk).marks
    assert close(gm_client, over).status_code == 204


def test_fight_without_sheets_and_campaign_can_keep_prisoners(
    gm: User, gm_client: Client, over: Encounter
) -> None:
    Encounter.objects.filter(pk=over.pk).update(campaign=None)
    for hero in find_heroes(over):
        submit(over.pk, Submission("remove", {"target": hero}))
    over.refresh_from_db()
    gave_up, dying, _ = find_thugs(over)
    assert find_ticks(gm_client, over) == {f"prisoner-{gave_up}", f"prisoner-{dying}"}
    page = read(gm_client.get(f"/encounters/{over.pk}/"))
    assert (
        page.one("button", class_="btn-primary", inside=page.one(id="ending-ask")).text == "Close the fight"
    )
    assert not page.all(class_="btn-primary", inside=page.one("div", class_="finish"))
    assert close(gm_client, over, prisoner=[gave_up, dying]).status_code == 204
    assert character_service.find_npcs(gm).count() == 2
