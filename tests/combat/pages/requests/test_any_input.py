"""Any post and any query: never a server error, and no change when refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.gm.actions import GM_ACTIONS
from tests.combat.audience.test_unseen_pages import taken_back
from tests.combat.kept import keep
from tests.combat.visit import (
    DEMO,
    MARCUS,
    PIRATE,
    PISTOL,
    SLUG,
    ZARA,
    Visit,
    demo_fight,
    play,
    refusal,
    stored,
)

pytestmark = pytest.mark.usefixtures("no_verification")

ACTOR_ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


SYSTEM = find_system(SLUG)
COMMANDS = {**SYSTEM.actions.by_name, **GM_ACTIONS}
DECLARED = {f.name for action in COMMANDS.values() for f in msgspec.structs.fields(action.type)}
OF_THE_PAGE = {"version", "always", "dice", "combatant", "question", "value", "points", "sign", "next"}
ODD = {"to-free", *(f"face-{n}" for n in ("1", "2", "3", "", "x")), "option-max_attacks", "setting-light"}
NAMES = sorted(DECLARED | OF_THE_PAGE | ODD | {"confirm", "id"})
NUMBERS = ["", "0", "1", "2", "-1", "5", "10", "11", "9" * 20, "1e9", "nan", "²", "0.5", "1e400,1", "3,3"]
KEYS = ["hp", "prone", "dead", "quick", "light", "floor"]
THINGS = [ZARA, PIRATE, MARCUS, "f9", PISTOL, "f2-1", "f3-1", *KEYS]
SIGNS = ["zone:floor", f"near:{ZARA}", "app", "table", "auto", "true", "on", "yes", "MIG", "Tech", "\0"]
WORDS = st.one_of(st.sampled_from([*NUMBERS, *THINGS, *SIGNS]), st.text(max_size=20))
ACTIONS = sorted({*COMMANDS, "undo", "redo", "cancel", "answer", "suggest", "autoplay", "autoplay_all"})
PATHS = ["", "odds/", "log/", "prep/"]
ASKED = [ZARA, PIRATE, MARCUS, "f9", ""]
PREP = ["join", "zone", "remove_zone", "options", "name", "start", "delete", "fly"]
FORMS = st.dictionaries(
    st.one_of(st.sampled_from(NAMES), st.text(max_size=8)), st.lists(WORDS, max_size=3), max_size=12
)


@pytest.fixture(params=["in preparation", "in a fight", "waiting", "over"])
def stage(request: pytest.FixtureRequest, gm: User) -> int:
    """An encounter in each phase, and one with an open question."""
    made = demo_fight(gm, SLUG).pk
    keep(request.param, lambda: _bring(made, request.param))
    return made


def _bring(pk: int, stage: str) -> None:
    if stage == "over":
        play(pk, DEMO.script)
    elif stage != "in preparation":
        play(pk, DEMO.script[:8])
    if stage == "waiting":
        submit(pk, Submission("attack", ACTOR_ATTACK, typed=True))


Property = Callable[..., None]


def try_all(**given_by: Any) -> Callable[[Property], Property]:
    """Run a property for every encounter of `stage`; roll back what an example changes."""

    def decorate(test: Property) -> Property:
        examples = max(5, hypothesis_settings().max_examples // 8)  # each is requests, in four stages
        quiet = [HealthCheck.function_scoped_fixture]
        return hypothesis_settings(max_examples=examples, suppress_health_check=quiet)(
            given(**given_by)(test)
        )

    return decorate


def check_post(client: Client, pk: int, path: str, posted: dict[str, Any]) -> None:
    """Post anything: no server error, and a change only if it was accepted."""
    before = stored(pk)
    count = Encounter.objects.count()
    found = client.post(f"/encounters/{pk}/{path}", posted)
    assert found.status_code < 500
    if found.status_code not in (200, 303):
        assert stored(pk) == before
        assert Encounter.objects.count() == count
        assert found.status_code in (400, 403, 404, 409, 422)
        if found.status_code in (409, 422):
            said = refusal(found)
            assert said
            assert len(said) < 1000


@pytest.mark.slow
@try_all(do=st.one_of(st.sampled_from(ACTIONS), st.text(max_size=10)), form=FORMS)
def test_no_form_breaks_the_table(gm_client: Client, stage: int, do: str, form: dict[str, list[str]]) -> None:
    with taken_back():
        check_post(gm_client, stage, "", {**form, "do": do})


@pytest.mark.slow
@try_all(do=st.sampled_from(PREP), form=FORMS)
def test_no_form_breaks_the_preparation(
    gm_client: Client, stage: int, do: str, form: dict[str, list[str]]
) -> None:
    with taken_back():
        check_post(gm_client, stage, "prep/", {**form, "do": do})


@pytest.mark.slow
@try_all(
    path=st.sampled_from(PATHS), do=st.sampled_from(ACTIONS), combatant=st.sampled_from(ASKED), form=FORMS
)
def test_no_address_breaks_a_page(
    gm_client: Client, stage: int, path: str, do: str, combatant: str, form: dict[str, list[str]]
) -> None:
    before = stored(stage)
    query = {**form, "do": do, "combatant": combatant}
    assert gm_client.get(f"/encounters/{stage}/{path}", query).status_code in (200, 404)
    assert stored(stage) == before


@pytest.mark.slow
@try_all(action=st.sampled_from(sorted(SYSTEM.actions.by_name)), form=FORMS)
def test_no_change_of_a_real_form_breaks_the_table(
    gm_client: Client, stage: int, action: str, form: dict[str, list[str]]
) -> None:
    """A form as the page gives it, with some of its fields tampered with."""
    visit = Visit(gm_client, stage)
    page = visit.page(do=action, combatant=ZARA)
    found = page.all("form", id=f"form-{action}")
    real = page.fields(found[0]) if found else {"combatant": ZARA, "do": action}
    real.pop("csrfmiddlewaretoken", None)
    with taken_back():
        check_post(gm_client, stage, "", {**real, **form})
