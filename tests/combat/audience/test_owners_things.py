"""Who may name what a campaign holds: every way that names a thing of it, and everyone at the table."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from combat.audience.things import MAY_NAME, OWNER
from combat.models import Campaign, Encounter, HandoutShowing, Seat
from combat.pages.prep.views import BUTTONS, FILLED
from combat.pages.programs.decisions import list_decisions
from combat.pages.table.submissions import FOR_GM
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.campaigns.handouts import create_handout
from combat.play.campaigns.own_conditions import keep_condition
from combat.play.campaigns.random_tables import read_table, save_table
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.gm.actions import GM_ACTIONS
from tests.combat.cast import ROLES, Cast, come_by_account
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.rules.every_game.test_ids import OF_OWNERS, find_named_fields
from tests.combat.visit import PIRATE, SLUG, load, read, state_of, stored
from tests.typed import Answer

COMBAT = Path(__file__).resolve().parents[3] / "combat"
CAMPAIGN, HANDOUT, TABLE, CONDITION = "The long haul", "Wanted poster", "Streets at night", "Cursed by Rhea"
NONE = "Nothing of that name"
PROGRAMS = ("program of the owner", "program of Cleo", "program of Pia")
EVERYONE = (*ROLES, *PROGRAMS)


@dataclass(frozen=True)
class Scene:
    """A fight in a campaign, and everyone at it."""

    cast: Cast
    encounter: Encounter
    campaign: Campaign
    handout: int
    programs: dict[str, Program]

    def post(self, who: str, address: str, fields: dict[str, Any]) -> Answer | None:
        """What someone gets for a form; for a program, what its action gets. None if it has no such way."""
        if who not in self.programs:
            return self.cast[who].post(f"/encounters/{self.encounter.pk}/{address}", fields)
        if address:
            return None
        program, rest = self.programs[who], {k: v for k, v in fields.items() if k != "do"}
        body = {"action": fields["do"], "fields": rest, "stamp": program.get("state")["stamp"]}
        return Client().post("/api/table/actions/", body, "application/json", headers=program.headers)


@dataclass(frozen=True)
class Way:
    """A form that names a thing: where it is sent, with which fields, and who may send it."""

    thing: str
    address: str
    make: Callable[[Scene, str], dict[str, Any]]
    name: str
    allowed: tuple[str, ...] = ("gm", PROGRAMS[0])
    status: tuple[int, ...] = (303, 200)


CLOCK = {"name": "Alarm", "acts": "start"}
# A thing, the `do` of the table or the address of a page, and the fields that name it
WAYS = (
    Way("handout", "", lambda s, name: {"do": "start_clock", **CLOCK, "handout": name}, HANDOUT),
    Way(
        "handout",
        "",
        lambda s, name: {
            "do": "change_clock",
            **CLOCK,
            "clock": state_of(s.encounter.pk).all_clocks[0].id,
            "handout": name,
        },
        HANDOUT,
    ),
    Way("handout", "handouts/", lambda s, name: {"handout": s.handout if name == HANDOUT else 9999}, HANDOUT),
    Way("condition", "", lambda s, name: {"do": "take_own", "own": name}, CONDITION),
    Way("table", "prep/who/", lambda s, name: {"table": f"own:{name}"}, TABLE),
    Way(
        "name",
        "prep/",
        lambda s, name: {"do": "campaign", "campaign": s.campaign.pk if name == CAMPAIGN else 9999},
        CAMPAIGN,
    ),
)


@pytest.fixture
def scene(cast: Cast, started: Encounter, gm: User) -> Scene:
    campaign = create_campaign(gm, CAMPAIGN)
    handout = create_handout(campaign, HANDOUT, "Rook, alive: 5,000 credits", None)
    save_table(campaign, read_table(TABLE, "1d6", "1-6 4 thugs"))
    keep_condition(campaign, find_system(SLUG), {"name": CONDITION})
    submit(started.pk, Submission("start_clock", {"name": "Alarm"}))
    move_encounter(started.pk, campaign)
    started = load(started.pk)
    seats = {one.name: one for one in Seat.objects.filter(encounter=started)}
    of = dict(zip(PROGRAMS, (None, seats["Cleo"], seats["Pia"]), strict=True))
    programs = {
        who: make_program(started, seat, name=f"Bot {number}")
        for number, (who, seat) in enumerate(of.items())
    }
    return Scene(cast, started, campaign, handout.pk, programs)


def send(scene: Scene, who: str, way: Way, name: str) -> tuple[int, str] | None:
    """The status and the message that someone gets; nothing of it stays."""
    with transaction.atomic():
        answer = scene.post(who, way.address, way.make(scene, name))
        transaction.set_rollback(True)
    if answer is None:
        return None
    if answer.status_code in (200, 303):
        return answer.status_code, ""
    html = "json" not in answer["Content-Type"]
    text = (
        " ".join(a.text for a in read(answer).all("p", class_="alert")) if html else answer.json()["problem"]
    )
    return answer.status_code, text


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=[f"{way.thing}-{number}" for number, way in enumerate(WAYS)])
def test_only_the_owner_names_a_thing_and_others_learn_nothing(scene: Scene, way: Way) -> None:
    for who in EVERYONE:
        there, nothing = send(scene, who, way, way.name), send(scene, who, way, NONE)
        if there is None:
            continue
        if who in way.allowed:
            assert there[0] in way.status, (who, there)
            assert nothing is not None
            assert nothing[0] in (409, 422), (who, nothing)
        else:
            assert there[0] not in way.status, (who, there)
            assert there == nothing, who


def test_every_kind_of_thing_for_the_owner_alone_has_a_way_here() -> None:
    """Fights and NPCs of the campaign are listed on pages, and no form at an encounter names one."""
    owners = {thing for thing, who in MAY_NAME.items() if who == OWNER}
    assert owners - {way.thing for way in WAYS} == {"npc", "fight"}


# ---- What the pages show ----


def test_pages_of_a_co_gm_name_nothing_of_the_campaign(scene: Scene) -> None:
    secrets, pages = (
        (CAMPAIGN, HANDOUT, TABLE, CONDITION),
        ("", "prep/", "prep/who/", "handouts/", "prep/people/"),
    )
    texts = {
        role: "".join(
            scene.cast[role]
            .get(f"/encounters/{scene.encounter.pk}/{page}", {"row": "condition", "combatant": PIRATE})
            .content.decode()
            for page in pages
        )
        for role in ("gm", "co_gm")
    }
    assert [word for word in secrets if word not in texts["gm"]] == []
    assert [word for word in secrets if word in texts["co_gm"]] == []


def test_list_of_a_co_gm_does_not_tell_the_campaign(scene: Scene, started: Encounter) -> None:
    helper = come_by_account(started, "co-gm", "helper")
    for query in ({}, {"q": "haul"}, {"campaign": scene.campaign.pk}):
        mine = scene.cast.gm.get("/encounters/", query).content.decode()
        theirs = helper.get("/encounters/", query).content.decode()
        assert started.name in mine, query
        assert CAMPAIGN not in theirs, query
        assert (f"/encounters/{started.pk}/" in theirs) == (not query), query


def test_a_co_gm_changes_a_clock_and_leaves_its_handout(scene: Scene) -> None:
    pk = scene.encounter.pk
    fields = {"do": "start_clock", "name": "Flood", "acts": "start", "first": "9", "handout": HANDOUT}
    assert scene.cast.gm.post(f"/encounters/{pk}/", fields).status_code == 303
    form = read(scene.cast.co_gm.get(f"/encounters/{pk}/"))
    clock = state_of(pk).all_clocks[-1]
    (kept,) = [one for one in form.all("input") if one["name"] == "handout" and one["value"] == HANDOUT]
    assert kept["type"] == "hidden"
    changed = {**fields, "do": "change_clock", "clock": clock.id, "name": "Deluge"}
    assert scene.cast.co_gm.post(f"/encounters/{pk}/", changed).status_code == 303
    now = state_of(pk).all_clocks[-1]
    assert (now.name, now.acts and now.acts.handout) == ("Deluge", HANDOUT)


def test_a_branch_of_a_co_gm_shows_no_handout_either(scene: Scene) -> None:
    """What is tried in a branch is named when it becomes real."""
    here, pk = scene.cast.co_gm, scene.encounter.pk
    begun = here.post(f"/encounters/{pk}/whatif/", {"do": "begin", "step": "now"})["Location"]
    version = read(here.get(begun)).one(id="table")["data-version"]
    tried = here.post(begun, {"do": "start_clock", "version": version, **CLOCK, "handout": HANDOUT})
    before = stored(pk)
    assert tried.status_code == 303
    version = read(here.get(f"{begun}real/")).one("input", name="version")["value"]
    real = here.post(f"{begun}real/", {"version": version})
    assert real.status_code == 422
    assert "no handout of that title" in real.content.decode()
    assert stored(pk) == before
    assert not HandoutShowing.objects.exists()


# ---- A new way is asked ----


def test_every_action_that_names_an_owners_thing_has_a_row() -> None:
    named = find_named_fields(OF_OWNERS)
    assert named == {("start_clock", "handout"), ("change_clock", "handout")}, "add a row to WAYS, then here"


# What the table, its programs and the page of preparing can be asked besides the actions of the game. If one
# of them names a handout, table, condition, NPC or fight of the campaign, it needs a row in WAYS
KNOWN = frozenset(
    {
        *(
            "answer",
            "answer_all",
            "autoplay",
            "autoplay_all",
            "cancel",
            "define_condition",
            "fog",
            "hand_all",
            "join_squad",
        ),
        *(
            "hide_area",
            "move_to_deck",
            "overrule",
            "pass_turns",
            "push_thing",
            "remove_thing",
            "redo",
            "reveal_area",
            "roll_dice",
            "send_word",
            "take_own",
        ),
        *("undo", "looked", "say_ready", "change_face"),
        *("hand_over", "swap_players"),
        *("let_in", "close_again"),
        *("ask_wish", "drop_wish", "take_offer", "leave_offer", "correct", "correct_own"),
        *("keep_plan", "drop_plan", "do_planned"),
        *("offer_wish", "rule_wish", "rule_again", "let_work", "help_wish", "refuse_wish"),
    }
)
PREPARING = frozenset(
    {
        *(
            "arrange",
            "archive",
            "campaign",
            "change_arrival",
            "copy",
            "delete",
            "duplicate_each",
            "hold_back",
        ),
        *("join", "name", "options", "party", "people", "place", "place_by_side", "read", "remove_each"),
        *("remove_zone", "set_boss", "start", "start_area", "use", "with", "zone"),
    }
)


def test_every_form_is_known() -> None:
    assert FOR_GM.keys() | (list_decisions().keys() - GM_ACTIONS.keys()) == KNOWN, (
        "does a new form name an owner's thing?"
    )
    assert FILLED.keys() | BUTTONS.keys() == PREPARING, "does a new form name an owner's thing?"


# Functions that read the campaign of an encounter without asking audience/things.py, and why they may
UNASKED = {
    ("combat/audience/things.py", "find_campaign_id"): "the door itself",
    ("combat/sharing/viewer_context.py", "find_campaign"): "behind the door",
    ("combat/pages/home/shapes.py", "_say_detail"): "asked a line before",
    ("combat/pages/prep/views.py", "_find_campaigns"): "asked a line before",
    ("combat/pages/campaigns/cards.py", "_list_fights"): "campaigns of the person's own",
    ("combat/play/campaigns/prisoners.py", "keep_prisoners"): "asked where the fight is closed",
    ("combat/pages/npcs/views.py", "_save"): "an encounter of the person's own",
    ("combat/play/after/imports.py", "copy_encounter"): "the owner's copy",
    ("combat/play/after/imports.py", "import_encounter"): "the owner's new encounter",
    ("combat/play/campaigns/campaigns.py", "move_encounter"): "a form of the owner's",
    ("combat/play/campaigns/campaigns.py", "find_party"): "asked where it is called",
    ("combat/play/campaigns/members.py", "join_campaign"): "those who join belong to it",
    ("combat/play/campaigns/members.py", "_find_last_seat"): "for the party, asked where it is called",
    ("combat/pages/prep/starting.py", "begin_next"): "for the owner alone",
    ("combat/pages/prep/views.py", "_rename"): "a form of the owner's",
    ("combat/pages/sharing/join.py", "_find_newer"): "only tables where the visitor has a seat",
    ("combat/play/campaigns/rulings.py", "keep_rulings"): "the app, as a fight ends",
    ("combat/play/campaigns/rulings.py", "_bring"): "the app, as a fight begins",
    ("combat/play/writing/due_handouts.py", "show_due"): "the app, for a clock whose author was asked",
    ("combat/audience/removals.py", "_find_seats"): "whom a GM removed, told to nobody",
    (
        "combat/audience/doors.py",
        "_tell_elsewhere",
    ): "pages of those who have a seat there, told nothing of it",
    ("combat/audience/doors.py", "find_next"): "only fights where the visitor has a seat",
}


def find_readers() -> Iterator[tuple[str, str]]:
    """The functions that read `.campaign` or `.campaign_id` of an encounter."""
    for path in sorted(COMBAT.rglob("*.py")):
        if (
            "rules" in path.parts
            or "migrations" in path.parts
            or "packs" in str(path)
            or path.name == "models.py"
        ):
            continue
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and node.attr in ("campaign", "campaign_id"):
                    of = ast.unparse(node.value)
                    if of.endswith(("encounter", "fresh", "made", "copy", "one")):
                        yield str(path.relative_to(COMBAT.parent)), function.name


@pytest.mark.slow
def test_nobody_reads_the_campaign_of_an_encounter_past_the_door() -> None:
    assert {*find_readers()} == UNASKED.keys()
