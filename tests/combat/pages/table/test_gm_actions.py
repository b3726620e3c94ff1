"""The GM's actions: each of every game is offered, opens and can be done."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import SYSTEMS, find_system
from tests.combat.markup import Page
from tests.combat.visit import PIRATE, Visit, refusal, stored

PHASES = ("prep", "fight", "over")
CASES = [(slug, phase) for slug in SYSTEMS for phase in PHASES]


@pytest.fixture
def scene(request: pytest.FixtureRequest, gm: User) -> Encounter:
    """Two foes of a game, before, in or after their fight."""
    slug, phase = request.param
    made = create_encounter(gm, slug, "The bay")
    system = find_system(slug)
    blocks = list(system.book.find_blocks())
    for block, side in zip(blocks[:2], ("allies", "enemies"), strict=True):
        submit(made.pk, Submission("join", {"block": block, "side": side}))
    if phase != "prep":
        submit(made.pk, Submission(system.actions.start, {}))
    if phase == "over":
        submit(made.pk, Submission("end_fight", {}))
    made.refresh_from_db()
    return made


def names_of(encounter: Encounter) -> list[str]:
    """The GM's actions that have a form: what starts a fight or a turn has a button."""
    system = find_system(encounter.system)
    own = (system.actions.start, system.actions.advance)
    return [a.name for a in system.actions.by_name.values() if a.who == "gm" and a.name not in own]


def names_to_open(encounter: Encounter) -> list[str]:
    """Those whose forms are opened: those of no other game before. Wild fights send the others' commands."""
    actions, games = find_system(encounter.system).actions.by_name, list(SYSTEMS)
    before = map(find_system, games[: games.index(encounter.system)])
    known = {action.type for other in before for action in other.actions.by_name.values()}
    return [name for name in names_of(encounter) if actions[name].type not in known]


@pytest.mark.slow
@pytest.mark.parametrize("scene", CASES, indirect=True, ids=["-".join(case) for case in CASES])
def test_each_gm_action_has_a_form_to_post_or_a_reason(gm_client: Client, scene: Encounter) -> None:
    visit = Visit(gm_client, scene.pk)
    page = visit.page()
    visit.stay()
    panels = page.all("details", id="gm-actions")
    assert len(panels) == bool(names_of(scene))
    offered = {
        link["href"].removeprefix("?do=") for d in panels for link in page.all("a", d, class_="action")
    }
    not_now = [page.one("summary", fold).text for fold in page.all("details", id="gm-not-now")]
    count = sum(int(text.removeprefix("Not now (").removesuffix(")")) for text in not_now)
    assert len(offered) + count == len(names_of(scene))
    for name in names_to_open(scene):
        opened = visit.page(do=name)
        forms = opened.all("form", id=f"form-{name}")
        assert forms or name not in offered
        if forms:
            assert forms[0].text
            with transaction.atomic():
                post_as_it_opens(visit, name, opened.fields(forms[0]))
                transaction.set_rollback(True)


def post_as_it_opens(visit: Visit, name: str, fields: dict[str, Any]) -> None:
    """Send a form unchanged: it is done, or refused without effect, and not because the page is old."""
    before = stored(visit.pk)
    posted = fields | {"dice": "app", "version": visit.version()}
    answer = visit.client.post(visit.here, posted)  # without htmx: what is done is not drawn
    assert answer.status_code in (303, 409, 422), name
    assert (stored(visit.pk) != before) == (answer.status_code == 303), name
    assert "Someone acted first" not in refusal(answer), name


def test_condition_from_someone_says_whom(gm_client: Client, gm: User) -> None:
    made = create_encounter(gm, next(iter(SYSTEMS)), "The bay")
    submit(made.pk, Submission("join", {"block": "street_thug", "count": 2}))
    page = Page(gm_client.get(f"/encounters/{made.pk}/?combatant=f1&row=condition").content.decode())
    sources = [option["value"] for option in page.all("option", page.one(id="row-by"))]
    assert sources == ["", "f2"]
    submission = {
        "do": "give_condition",
        "target": "f1",
        "kind": "frightened",
        "by": "f2",
        "level": "1",
        "turns": "0",
    }
    assert gm_client.post(f"/encounters/{made.pk}/", submission).status_code == 303


def test_undo_names_what_it_takes_back(visit: Visit) -> None:
    """To the GM only; a what-if or a player's page has no such button."""
    visit.do("adjust", target=PIRATE, track="hp", points="7", sign="-")
    (button,) = [one for one in visit.page().all("button", name="do") if one["value"] == "undo"]
    assert button["title"].startswith("Undo: Pirate loses 7 HP")
    visit.do("undo")
    (button,) = [one for one in visit.page().all("button", name="do") if one["value"] == "undo"]
    assert "Pirate loses" not in button["title"]
