"""Rest together at the end of a fight: what it may bring, what it brings, and back; in every game."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec.structs import replace

from combat.audience.viewer import Viewer
from combat.models import Campaign, Encounter, StoredStep
from combat.pages.prep import rest_view
from combat.pages.prep.rest_view import SIZES, find_rests
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.rulebook import load_rulebook
from combat.rules.core.gm.actions import GM_ACTIONS  # noqa: F401 - all actions are there
from combat.rules.core.odds.resting import foresee_rest
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import State, present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.evenings import make_hero, prepare
from tests.combat.visit import load, read, state_of

GAMES = [slug for slug in SYSTEMS if find_rests(find_system(slug))]


def fought(campaign: Campaign, slug: str) -> Encounter:
    """A fight of two heroes that is over, one of them hurt."""
    gm = campaign.owner
    made = prepare(campaign, "Yard", [make_hero(gm, "Vega", slug), make_hero(gm, "Oslo", slug)], 1, slug)
    submit(made.pk, Submission("start", {}))
    system = find_system(slug)
    state = state_of(made.pk)
    hero = next(one for one in present(state) if one.pc)
    track = system.characters.tracks[0]
    by = 3 if track.low == 0 and not hero.tracks[track.key] else -3
    submit(made.pk, Submission("adjust", {"target": hero.id, "track": track.key, "by": by}))
    submit(made.pk, Submission("end_fight", {}))
    return load(made.pk)


@pytest.mark.parametrize("slug", GAMES)
def test_each_game_has_its_rests_with_their_rules(slug: str) -> None:
    system = find_system(slug)
    rests = find_rests(system)
    assert [one.size for one in rests] == list(SIZES)
    assert all(
        one.rule in load_rulebook(find_system(slug.removesuffix("_quick")).folder).rules for one in rests
    )


@pytest.mark.parametrize("slug", GAMES)
def test_what_a_rest_brings_lies_within_what_was_said(campaign: Campaign, slug: str) -> None:
    encounter = fought(campaign, slug)
    system, before = find_system(slug), state_of(encounter.pk)
    client = Client()
    client.force_login(campaign.owner)
    here = f"/encounters/{encounter.pk}/rest/"
    for rest in find_rests(system):
        ((low, high),) = foresee_rest(system, before, rest, 1)
        page = read(client.get(here, {"size": rest.size}))
        assert page.one("button", name="do", value="rest").text == f"Rest: {rest.label}"
        stamp = page.one("input", name="version")["value"]
        answer = client.post(here, {"do": "rest", "size": rest.size, "version": stamp})
        assert answer.status_code == 303, answer.content.decode()
        after = state_of(encounter.pk)
        for one in present(before):
            worst, real, best = (
                system.characters.health(each.combatants[one.id]).now for each in (low, after, high)
            )
            assert min(worst, best) <= real <= max(worst, best)
        done = read(client.get(answer["Location"]))
        number, stamp = (done.one("input", name=name)["value"] for name in ("number", "version"))
        twice = client.post(
            here, {"do": "rest", "size": rest.size, "version": page.one("input", name="version")["value"]}
        )
        assert twice.status_code == 409  # the second tap on the same page
        assert client.post(here, {"do": "undo", "number": number, "version": stamp}).status_code == 303
        assert state_of(encounter.pk).combatants == before.combatants


def test_a_fight_that_goes_on_has_no_rest(started: Encounter, gm_client: Client) -> None:
    here = f"/encounters/{started.pk}/rest/"
    assert gm_client.get(here)["Location"] == f"/encounters/{started.pk}/"
    assert gm_client.post(here, {"do": "rest", "size": "night"}).status_code in (302, 422)
    assert load(started.pk).version == started.version


@pytest.mark.parametrize(
    "sent", [{"do": "rest"}, {"do": "rest", "size": "year"}, {"do": "undo", "number": "1"}, {}]
)
def test_what_makes_no_sense_changes_nothing(
    campaign: Campaign, gm_client: Client, sent: dict[str, str]
) -> None:
    encounter = fought(campaign, "cosmos")
    before = encounter.version
    assert gm_client.post(f"/encounters/{encounter.pk}/rest/", sent).status_code in (409, 422)
    assert load(encounter.pk).version == before


def test_only_the_gm_rests_with_all(campaign: Campaign, gm: User, gm_client: Client) -> None:
    encounter = fought(campaign, "cosmos")
    here = f"/encounters/{encounter.pk}/rest/"
    other = Client()
    other.force_login(User.objects.create_user("other"))
    assert gm_client.get(here).status_code == 200
    assert other.get(here).status_code == 404
    assert other.post(here, {"do": "rest", "size": "night"}).status_code == 404
    assert f'href="{here}"' in gm_client.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert f"{here}?end" in gm_client.get(f"/encounters/{encounter.pk}/").content.decode()


def test_the_bars_show_what_is_sure_and_what_the_dice_may_add(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those of the players' side who live, heroes first; also where a rest may hurt."""
    pk = fought(campaign, "cosmos").pk
    side = next(one.side for one in present(state_of(pk)) if one.pc)
    for name, pc in (("Droid", False), ("Late", True), ("Ghost", True)):
        submit(pk, Submission("join", {"block": "pirate", "name": name, "side": side, "pc": pc}))
    ids = {one.name: one.id for one in present(state_of(pk))}
    submit(pk, Submission("give_condition", {"target": ids["Ghost"], "kind": "dead"}))
    submit(pk, Submission("adjust", {"target": ids["Vega"], "track": "hp", "by": -10}))
    state, system, rest = state_of(pk), find_system("cosmos"), find_rests(find_system("cosmos"))[0]

    def change(by: int) -> State:
        vega = state[ids["Vega"]]
        tracks = {**vega.tracks, "hp": vega.tracks["hp"] + by}
        return replace(state, combatants={**state.combatants, vega.id: replace(vega, tracks=tracks)})

    now = system.characters.health(state[ids["Vega"]])
    context = ViewerContext(load(pk), Viewer("gm"), None)
    for low, high in ((-4, 6), (6, -4)):
        monkeypatch.setattr(
            rest_view, "foresee_rest", lambda *_, low=low, high=high: ((change(low), change(high)),)
        )
        rows, problem = rest_view._foresee(context, rest)
        assert ([one.name for one in rows], problem) == (["Vega", "Oslo", "Late", "Droid"], "")
        vega, others = rows[0], rows[1:]
        assert (vega.was, vega.least, vega.most) == (now.now, now.now - 4, now.now + 6)
        sure, most = (round(100 * hp / now.most) for hp in (vega.least, vega.most))
        assert (vega.sure, vega.may) == (sure, most - sure)
        assert 0 < sure < most < 100
        assert [one.is_full for one in rows] == [False, True, True, True]
        assert {(one.was - one.least, one.most - one.least, one.sure, one.may) for one in others} == {
            (0, 0, 100, 0)
        }

    monkeypatch.setattr(rest_view, "foresee_rest", lambda *_: ((change(-999), change(999)),))
    rows, _ = rest_view._foresee(context, rest)
    assert (rows[0].sure, rows[0].may) == (0, 100), "no bar is longer than its frame"

    def refuse(*_: object) -> None:
        raise Refused("not_allowed", "No rest now.")

    monkeypatch.setattr(rest_view, "foresee_rest", refuse)
    rows, problem = rest_view._foresee(context, rest)
    assert ([one.is_full for one in rows], problem) == ([True] * 4, "No rest now.")
    assert rest_view._foresee(context, None) == (
        [],
        f"{system.name} has no rests: let time pass at the table.",
    )


def test_the_last_rest_is_undone_while_nothing_came_after_it(
    campaign: Campaign, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pk = fought(campaign, "cosmos").pk
    here = f"/encounters/{pk}/rest/"

    def find_last() -> int | None:
        last = rest_view._find_last(ViewerContext(load(pk), Viewer("gm"), None))
        return last.number if last else None

    assert find_last() is None
    answer = gm_client.post(here, {"do": "rest", "size": "night"})
    assert answer.status_code == 303
    shown: list[object] = []

    def tell(context: ViewerContext, step: StoredStep) -> list[object]:
        shown.append(step.number)
        return []

    monkeypatch.setattr(rest_view, "_tell", tell)
    for where, told in ((here, []), (answer["Location"], [load(pk).steps])):
        shown.clear()
        gm_client.get(where)
        assert shown == told, where
    assert find_last() == load(pk).steps
    assert gm_client.post(here, {"do": "undo", "number": "1"}).status_code == 409
    submit(pk, Submission("note", {"text": "Later"}))
    assert find_last() is None
    number = load(pk).steps - 1
    assert gm_client.post(here, {"do": "undo", "number": number}).status_code == 409
    assert gm_client.post(here, {"do": "cake", "size": "night"}).status_code == 422
    undo(pk)
    assert find_last() is None, "an undo came after it"
    StoredStep.objects.filter(encounter=pk, number__gt=number).delete()
    assert find_last() == number
    for changed in ({"struck": True}, {"kind": "undo", "struck": False}, {"kind": COMMAND, "name": "note"}):
        StoredStep.objects.filter(encounter=pk, number=number).update(**changed)
        assert find_last() is None, changed
    StoredStep.objects.filter(encounter=pk).delete()
    assert find_last() is None
