"""Rights are checked at the moment of writing: they may go after a page was read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from zeal import zeal_ignore

from combat.audience.rights import Grant
from combat.display.forms.fields import prefilled
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table import submissions
from combat.pages.table import views as table_views
from combat.play import autopilot
from combat.play.campaigns import roster
from combat.play.writing import encounter_service, locking
from combat.play.writing.encounter_service import Submission, SubmissionResult, submit
from combat.play.writing.step_cache import state_at
from combat.play.writing.verification import read_step, verify
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.actions import GM_ACTIONS, SEAT_ACTIONS
from combat.rules.core.state.state import State, is_acting, present
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from tests.combat.cast import come
from tests.combat.visit import begun, load, state_of, stored
from tests.thinning import thin

FIRST = next(iter(SYSTEMS))
DONE, REFUSED = {200, 303}, {403, 409, 410, 422}
SAID: dict[str, dict[str, Any]] = {  # fields of the GM's own actions, beside their targets
    "join": {"block": "", "name": "Newcomer"},
    "rename": {"name": "Renamed"},
    "alias": {"alias": "Hooded figure"},
    "adjust": {"track": "", "by": -1},
    "adjust_each": {"track": "", "by": -1, "targets": []},
    "remove_each": {"targets": []},
    "hide_each": {"targets": []},
    "place_each": {"targets": [], "x": 3, "y": 3},
    "gather": {"targets": []},
    "give_condition": {"kind": ""},
    "take_condition": {"condition": "k1"},
    "place": {"x": 3, "y": 3},
    "set_initiative": {"score": 5},
    "give_budget": {"pool": "", "left": 1},
    "set_option": {"key": "foe_health", "value": "number"},
    "set_setting": {"key": "", "value": ""},
    "set_scene": {},
    "note": {"text": "A remark."},
    "gm_roll": {"term": "2d6"},
    "gm_word": {"text": "Now."},
    "end_fight": {},
}


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer with a status alone: what is done, and by whom, does not depend on the page that tells of it."""
    monkeypatch.setattr(table_views, "render_table", answer_barely)


def answer_barely(
    request: HttpRequest, context: ViewerContext, refused: Refused | None = None
) -> HttpResponse:
    """The status of the table's answer, without its page."""
    return HttpResponse(status=status_of(refused) if refused else 200)


def sit_down(encounter: Encounter) -> tuple[Client, str]:
    """A player at a seat who plays one of those whose turn it is."""
    who = state_of(encounter.pk).active
    client = come(encounter, ShareLink.PLAY, "Pia")
    Seat.objects.filter(name="Pia").update(combatants=[who])
    return client, who


def actions_of(system: System) -> list[Action]:
    """All that a seat can do, and the end of a turn."""
    own = [action for action in system.actions.by_name.values() if action.who != "gm"]
    return [*own, *SEAT_ACTIONS.values(), system.action(system.actions.advance)]


def form_of(action: Action, state: State, who: str) -> dict[str, Any]:
    """The data that a page without scripts posts for an action, but without its version."""
    if action.name in SEAT_ACTIONS:
        rule = next(iter(find_system(state.system).rulebook.rules))
        return {
            "do": action.name,
            "combatant": who,
            "rule_id": rule,
            "value": "x",
            "word": "luck",
            "term": "d6",
        }
    if action.who == "gm":
        return {"do": action.name, "target": who if state.sharing else ""}
    return {"do": action.name, "combatant": who, "dice": "app", **prefilled(action, state, who)}


def at_once(*posts: Callable[[], int]) -> list[int]:
    """The statuses of several posts that start together."""
    gate, found = threading.Barrier(len(posts)), []

    def run(post: Callable[[], int]) -> None:
        gate.wait()
        try:
            with zeal_ignore():
                found.append(post())
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(post,)) for post in posts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


def twin_of(client: Client) -> Client:
    """The same browser in another tab."""
    twin = Client()
    twin.cookies = client.cookies
    return twin


def rewind(encounter: Encounter) -> None:
    """Restore everything as it was when the encounter was read."""
    changed = "version public seated phase round combatants state steps undone open_command"
    names = changed.split()
    Encounter.objects.filter(pk=encounter.pk).update(**{name: getattr(encounter, name) for name in names})
    encounter.log.filter(number__gt=encounter.steps).delete()
    encounter.log.update(struck=False)


def acting(state: State) -> set[str]:
    return {state.active, *state.sharing} - {""}


def find_trespasses(encounter: Encounter, mine: set[str]) -> list[str]:
    """The steps since then that the player of these combatants may not do."""
    system, found = find_system(encounter.system), []
    for row in encounter.log.filter(number__gt=encounter.steps).order_by("number"):
        step, before = read_step(row), state_at(encounter, row.number - 1)
        ended = acting(before) - acting(state_at(encounter, row.number))
        own = ended <= mine if step.name == system.actions.advance else step.command.get("actor") in mine
        found += [] if own else [f"{step.name} {step.command} ended {ended}"]
    return found


# ---- Twice at once ----


# They need a ruling, a door, a way, or a table that allows them, or wait for no turn
SELDOM = {"use_ruling", "drop_ruling", "correct_own", "send_word", "door", "way"}


def enough(slug: str, many: int) -> int:
    """So many actions, or half of those of a game with few."""
    return min(many, len({one.name for one in actions_of(find_system(slug))} - SELDOM) // 2)


@pytest.mark.slow
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos"))
def test_each_action_twice_at_once_is_done_by_right_only(transactional_db: None, gm: User, slug: str) -> None:
    """Both without a version and with it; with it, one of the two is told.

    No game nor action has a say in versions: of the first game each third is tried in both ways, of all
    others each in one.
    """
    encounter = begun(gm, slug)
    client, who = sit_down(encounter)
    encounter = load(encounter.pk)
    here, done = f"/encounters/{encounter.pk}/", 0
    stamps = ("", encounter.stamp(is_gm=False, is_seated=True))
    for number, action in enumerate(actions_of(find_system(slug))):
        form = form_of(action, state_of(encounter.pk), who)
        ways = stamps[: 1 + (number % 3 == 0)] if slug == FIRST else stamps[number % 2 :][:1]
        for stamp in ways:
            tabs = [twin_of(client), twin_of(client)]
            f = {**form, "version": stamp}
            posts = [lambda tab=tab, f=f: tab.post(here, f).status_code for tab in tabs]
            statuses = at_once(*posts)
            assert len(statuses) == 2, f"{action.name}: no answer"
            assert set(statuses) <= DONE | REFUSED, f"{action.name}: {statuses}"
            assert not find_trespasses(encounter, {who}), action.name
            done += any(status in DONE for status in statuses)
            assert not (stamp and statuses.count(303) > 1), f"{action.name} was done twice from one page"
            verify(load(encounter.pk))
            rewind(encounter)
    assert done > enough(slug, 8) // (1 if slug == FIRST else 2)  # not all are refused for another reason


@pytest.mark.slow
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos"))
def test_each_gm_action_sent_twice_at_once_keeps_history_sound(
    transactional_db: None, gm: User, gm_client: Client, slug: str
) -> None:
    """The first game tries all; the others their own, and in turn those that every game has."""
    encounter = begun(gm, slug)
    here, system = f"/encounters/{encounter.pk}/", find_system(slug)
    other = present(state_of(encounter.pk))[-1].id
    shared = [*GM_ACTIONS, "undo", "redo", "cancel", "autoplay"]
    if slug != FIRST:
        shared = shared[list(SYSTEMS).index(slug) - 1 :: len(SYSTEMS) - 1]
    for name in [*(a.name for a in system.actions.by_name.values() if a.who == "gm"), *shared]:
        said = {key: value or find_value(system, key) for key, value in SAID.get(name, {}).items()}
        form = {"do": name, "target": other, "dice": "app", **said}
        form = form if name not in ("note", "end_fight", "join") else {"do": name, **said}
        tabs = [twin_of(gm_client), twin_of(gm_client)]
        posts = [lambda tab=tab, f=form: tab.post(here, f).status_code for tab in tabs]
        statuses = at_once(*posts)
        assert len(statuses) == 2, f"{name}: no answer"
        assert set(statuses) <= DONE | REFUSED, f"{name}: {statuses}"
        verify(load(encounter.pk))
        rewind(encounter)


def find_value(system: System, key: str) -> Any:
    """A value of a game that fits a field of the GM's; a game without settings refuses any."""
    settings, conditions = system.book.settings, system.characters.conditions
    return {
        "block": next(iter(system.book.find_blocks())),
        "track": system.characters.tracks[0].key,
        "pool": system.turn.pools[0].key,
        "kind": "prone" if "prone" in conditions else next(iter(conditions)),
        "key": settings[0].key if settings else "none",
        "value": settings[0].choices[-1][0] if settings else "none",
        "targets": ["f1", "f2"],
    }.get(key, "")


def test_several_ends_of_a_turn_at_once_end_one(transactional_db: None, gm: User) -> None:
    encounter = begun(gm, next(iter(SYSTEMS)))
    client, who = sit_down(encounter)
    tabs = [twin_of(client) for _ in range(4)]
    here = f"/encounters/{encounter.pk}/"
    posts = [lambda tab=tab: tab.post(here, {"do": "next_turn"}).status_code for tab in tabs]
    assert sorted(at_once(*posts)) == [303, 403, 403, 403]
    assert load(encounter.pk).steps == encounter.steps + 1
    assert state_of(encounter.pk).active not in (who, "")


# ---- Between reading and writing ----


class Between:
    """Does something at the last moment before a submission is written."""

    def __init__(self, pk: int, happens: Callable[[], object]) -> None:
        self.pk, self.happens = pk, happens
        self.then: tuple[Any, ...] = ()

    def submit(self, pk: int, submission: Submission) -> SubmissionResult:
        """The same check as the real one, but too late."""
        with zeal_ignore():
            self.happens()
            self.then = stored(pk)
        return submit(pk, submission)


def pass_turns(pk: int) -> None:
    """End the turns of all who act."""
    system, state = find_system(load(pk).system), state_of(pk)
    submit(pk, Submission(system.actions.advance, {"whole": True} if state.sharing else {}))
    if load(pk).open_command:
        encounter_service.cancel(pk)


def try_each(
    monkeypatch: pytest.MonkeyPatch, encounter: Encounter, happens: Callable[[], object]
) -> Iterator[tuple[Action, int, bool]]:
    """Each action of a player, with its status and whether it was done, when this happens in between."""
    client, who = sit_down(encounter)
    encounter = load(encounter.pk)
    seats = list(Seat.objects.values("pk", "combatants", "ended"))
    for action in actions_of(find_system(encounter.system)):
        form = form_of(action, state_of(encounter.pk), who)
        between = Between(encounter.pk, happens)
        monkeypatch.setattr(submissions, "submit", between.submit)
        status = client.post(f"/encounters/{encounter.pk}/", form).status_code
        if between.then:  # else its form was refused already
            yield action, status, stored(encounter.pk) != between.then
        rewind(encounter)
        for seat in seats:
            Seat.objects.filter(pk=seat["pk"]).update(combatants=seat["combatants"], ended=seat["ended"])


@pytest.mark.slow
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos"))
def test_who_has_just_lost_the_turn_does_nothing_in_it(
    monkeypatch: pytest.MonkeyPatch, gm: User, slug: str
) -> None:
    encounter, tried = begun(gm, slug), 0
    for action, status, is_done in try_each(monkeypatch, encounter, lambda: pass_turns(encounter.pk)):
        if action.on_turn or action.who == "gm":
            tried += 1
            assert status in REFUSED, action.name
            assert not is_done, f"{action.name} was done though the turn had passed"
    assert tried > enough(slug, 10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "loss"),
    # without a seat nobody gets as far as the rules of a game
    [(FIRST, "ended"), *((slug, "combatants") for slug in SYSTEMS)],
)
def test_who_has_just_lost_the_seat_does_nothing_from_it(
    monkeypatch: pytest.MonkeyPatch, gm: User, slug: str, loss: str
) -> None:
    """The GM takes the combatant back, or removes the player's seat."""
    encounter, tried = begun(gm, slug), 0
    lost: dict[str, Any] = {"combatants": []} if loss == "combatants" else {"ended": encounter.created}
    for action, status, is_done in try_each(
        monkeypatch, encounter, lambda: Seat.objects.filter(name="Pia").update(**lost)
    ):
        tried += 1
        assert status in REFUSED, action.name
        assert not is_done, f"{action.name} was done from a seat that was lost"
    assert tried > enough(slug, 10)


BLOCK = next(iter(find_system(next(iter(SYSTEMS))).book.find_blocks()))


@pytest.mark.parametrize("do", ["undo", "redo", "cancel", "autoplay", "note", "answer", "join"])
def test_co_gm_who_is_seen_out_in_between_does_nothing(
    monkeypatch: pytest.MonkeyPatch, gm: User, do: str
) -> None:
    encounter = begun(gm, next(iter(SYSTEMS)))
    client = come(encounter, ShareLink.CO_GM, "Cleo")
    locked, before = locking.locked, stored(encounter.pk)

    def too_late(pk: int, *known: Any, **more: Any) -> Any:
        Seat.objects.filter(name="Cleo").update(ended=encounter.created)
        return locked(pk, *known, **more)

    monkeypatch.setattr(encounter_service, "locked", too_late)
    monkeypatch.setattr(autopilot, "locked", too_late)
    monkeypatch.setattr(roster, "locked", too_late)
    monkeypatch.setattr(encounter_service, "locked", too_late)
    form = {"text": "Hm", "question": 0, "value": "x", "block": BLOCK, "count": 1, "side": "enemies"}
    page = "prep/" if do == "join" else ""
    answer = client.post(f"/encounters/{encounter.pk}/{page}", {"do": do, **form})
    assert answer.status_code == 410
    assert stored(encounter.pk) == before


def test_seat_moved_to_another_browser_gives_this_one_no_right(gm: User) -> None:
    encounter = begun(gm, next(iter(SYSTEMS)))
    sit_down(encounter)
    seat = Seat.objects.get(name="Pia")
    grant = Grant(seat=seat.pk, digest=seat.digest)
    Seat.objects.filter(pk=seat.pk).update(digest="other")
    with pytest.raises(Refused, match="given up"):
        submit(encounter.pk, Submission("next_turn", grant=grant))
    assert is_acting(state_of(encounter.pk), seat.combatants[0])
