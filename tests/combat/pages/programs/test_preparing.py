"""A GM's program prepares a fight: a ready scene, people from notes, then the start."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from characters.services import character_service
from combat.models import Encounter
from combat.play.campaigns.campaigns import create_campaign, move_encounter, set_rules
from combat.play.scenes.ready import find_ready_scenes
from combat.play.writing.encounter_service import create_encounter
from combat.rules.core.state.state import present
from combat.sharing.programs import find_tokens_of
from tests.combat.cast import Cast, seat_named
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.visit import SLUG, state_of

pytestmark = pytest.mark.usefixtures("patience")
NOTES = "2 street thugs; 1 pirate (example) (allies)"


@pytest.fixture
def empty(gm: User) -> Encounter:
    return create_encounter(gm, SLUG, "The dock")


def stamp(program: Program) -> str:
    found = program.get("state")["stamp"]
    assert isinstance(found, str)
    return found


def test_gms_program_prepares_a_fight_and_begins_it(empty: Encounter) -> None:
    bot = make_program(empty)
    listed = bot.get("scenes")["scenes"]
    assert [one["scene"] for one in listed] == [one.key for one in find_ready_scenes()]
    assert not any(one["used"] for one in listed)
    ready = listed[0]
    done = bot.post("scenes", scene=ready["scene"], stamp=stamp(bot))
    assert (done["missing"], state_of(empty.pk).scene.name) == ("nobody yet", ready["name"])
    assert [one["scene"] for one in bot.get("scenes")["scenes"] if one["used"]] == [ready["scene"]]
    done = bot.post("people", notes=f"{NOTES}\n3 xyzzies", stamp=done["stamp"])
    assert len(done["added"]) == 3
    assert "xyzzies" in done["not_understood"]
    assert done["missing"] == ""
    state = state_of(empty.pk)
    assert len({one.side for one in present(state)}) == 2
    bot.act("start")
    assert state_of(empty.pk).phase == "fight"


def test_owners_program_creates_and_fully_prepares_an_encounter(gm: User, empty: Encounter) -> None:
    campaign = create_campaign(gm, "Docks")
    set_rules(campaign, SLUG, [("turn_seconds", 30)])
    move_encounter(empty.pk, campaign)
    empty.refresh_from_db()
    made = make_program(empty).post("encounters", name=" The  hold ")
    found = Encounter.objects.get(pk=made["encounter"])
    assert (found.name, found.owner, found.campaign, found.system) == ("The hold", gm, campaign, SLUG)
    assert state_of(found.pk).options["turn_seconds"] == 30
    assert made["page"] == f"/encounters/{found.pk}/"
    bot = Program(made["token"])
    done = bot.post("scenes", scene=find_ready_scenes()[0].key, stamp=stamp(bot))
    done = bot.post("people", notes=NOTES, stamp=done["stamp"])
    bot.act("start")
    assert state_of(found.pk).phase == "fight"
    assert state_of(empty.pk).phase == "prep"
    assert find_tokens_of(gm).count() == 2


def test_only_the_owners_program_creates(cast: Cast, started: Encounter, empty: Encounter) -> None:
    bot, before = make_program(empty), Encounter.objects.count()
    assert "choose one of" in bot.post("encounters", 422, name="The hold", game="chess")["problem"]
    assert "Name the encounter" in bot.post("encounters", 422, name=" ")["problem"]
    assert bot.post("encounters", 422, name="x" * 101)["code"] == "bad_value"
    for name in ("Pia", "Cleo"):
        told = make_program(started, seat_named(name)).post("encounters", 403, name="Mine")
        assert told["code"] == "not_allowed", name
    assert Encounter.objects.count() == before


def test_people_can_be_hidden_or_late_and_may_be_own_npcs(gm: User, empty: Encounter) -> None:
    sheet = {"attributes": dict.fromkeys(("PRE", "RES", "INT", "MIG", "AWA", "COO"), 4)}
    character_service.create(gm, SLUG, "Quuxor", sheet, npc=True)
    bot = make_program(empty)
    bot.post("people", notes="1 Quuxor", side="crew", hidden=True, stamp=stamp(bot))
    (one,) = present(state_of(empty.pk))
    assert (one.name, one.side, one.hidden) == ("Quuxor", "crew", True)
    bot.post("people", notes="2 street thugs", later=True, stamp=stamp(bot))
    state = state_of(empty.pk)
    assert len(present(state)) == 1
    assert len(state.all_reserves[0].who) == 2


@pytest.mark.parametrize(
    ("what", "body", "status", "said"),
    [
        ("people", {"notes": "3 xyzzies"}, 422, "Nobody is understood"),
        ("people", {"notes": ""}, 422, "Nothing to read"),
        ("people", {"notes": NOTES, "zone": "nowhere"}, 422, "There is no such zone"),
        ("people", {"notes": NOTES, "stamp": "old"}, 409, "Someone acted first"),
        ("people", {"notes": NOTES, "more": 1}, 422, "more"),
        ("scenes", {"scene": "nowhere"}, 422, "There is no such scene"),
        ("scenes", {"scene": find_ready_scenes()[0].key, "stamp": "old"}, 409, "Someone acted first"),
    ],
)
def test_what_cannot_be_prepared_says_why_and_changes_nothing(
    empty: Encounter, what: str, body: dict[str, object], status: int, said: str
) -> None:
    bot = make_program(empty)
    before = state_of(empty.pk)
    told = bot.post(what, status, **{"stamp": stamp(bot), **body})
    assert said in told["problem"]
    assert state_of(empty.pk) == before


def test_players_program_prepares_nothing(started: Encounter, cast: Cast) -> None:
    bot = make_program(started, seat_named("Pia"))
    now = stamp(bot)
    bot.get("scenes", 403)
    bot.post("scenes", 403, scene=find_ready_scenes()[0].key, stamp=now)
    bot.post("people", 403, notes=NOTES, stamp=now)
    assert stamp(make_program(started, seat_named("Cleo"), "Helper"))


def test_co_gms_program_prepares(started: Encounter, cast: Cast) -> None:
    bot = make_program(started, seat_named("Cleo"))
    assert bot.post("people", notes="1 street thug", stamp=stamp(bot))["added"]
