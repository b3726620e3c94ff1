"""Planned turns: chosen while others act, asked again in the turn, done by the usual post, and private."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from combat.audience.rights import find_viewer, grant_of
from combat.audience.viewer import Viewer
from combat.display.forms.foe_card import FoeWay, FoeWays
from combat.display.shapes.planned_shapes import PlannedView
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table import planned_view
from combat.pages.table.planned_view import list_steps, open_planning, view_planned
from combat.pages.table.rows import view_known
from combat.play import planned as play
from combat.play.improvising import PlannedTurn, read_wishes
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import is_acting, present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.audience.test_doors import drop_tokens
from tests.combat.cast import Cast, come, seat_named
from tests.combat.pages.programs.asking import make_program
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, begun, load, read, refusal, state_of
from tests.typed import Answer

OTHERS = ("other", "watcher", "revoked", "stranger", "nobody")
FORM = re.compile(r'name="(\w+)" value="([^"]*)"')
ATTACK = {"action": "attack", "target": PIRATE, "weapon": PISTOL}


def post(client: Client, pk: int, do: str, **fields: Any) -> Answer:
    return client.post(f"/encounters/{pk}/", {"do": do, **fields}, headers={"HX-Request": "true"})


def keep(client: Client, pk: int, **fields: Any) -> Answer:
    return post(client, pk, "keep_plan", combatant=ZARA, **(fields or ATTACK))


def plans(pk: int) -> tuple[PlannedTurn, ...]:
    return read_wishes(load(pk)).plans


def pass_to(pk: int, who: str) -> None:
    """End turns until it is someone's."""
    for _ in range(20):
        state = state_of(pk)
        if is_acting(state, who):
            return
        advance = find_system(state.system).actions.advance
        submit(pk, Submission(advance, {"whole": True} if state.sharing else {}))
    raise AssertionError(f"{who} never acts")


def look_as(pk: int, name: str = "Pia") -> ViewerContext:
    """The table as a player knows it."""
    seat = Seat.objects.get(name=name)
    return ViewerContext(load(pk), find_viewer(load(pk), grant_of(load(pk), seat)), seat)


def shown(client: Client, pk: int) -> str:
    """The words of the player's plans."""
    return read(client.get(f"/encounters/{pk}/")).one(id="my-plans").text


def offered(client: Client, pk: int) -> list[dict[str, str]]:
    """What each button of a plan sends."""
    page = client.get(f"/encounters/{pk}/").content.decode()
    part = page[page.index('class="planned-now"') :]
    forms = re.findall(r"<form.*?</form>", part[: part.index("</section>")], re.S)
    sent = [dict(FORM.findall(form)) for form in forms if 'value="drop_plan"' not in form]
    return [{name: value for name, value in one.items() if name != "csrfmiddlewaretoken"} for one in sent]


@pytest.fixture
def waiting(started: Encounter, cast: Cast) -> int:
    """A fight in which the player's turn is over."""
    pass_to(started.pk, PIRATE)
    return started.pk


def test_plan_comes_true_by_the_usual_post(waiting: int, cast: Cast) -> None:
    assert "Plan my next turn" in shown(cast.player, waiting)
    assert keep(cast.player, waiting).status_code == 200
    assert "Attack Pirate" in shown(cast.player, waiting)
    steps = load(waiting).steps
    pass_to(waiting, ZARA)
    assert "Your plan" in shown(cast.player, waiting)
    (sent,) = offered(cast.player, waiting)
    assert {name: sent[name] for name in ("do", "target", "weapon")} == {
        "do": "attack",
        "target": PIRATE,
        "weapon": PISTOL,
    }
    assert "plan" not in sent, "an attack that needs nothing before it is the usual post"
    assert load(waiting).log.filter(number__gt=steps, name="attack").count() == 0, "never done by itself"
    assert cast.player.post(f"/encounters/{waiting}/", sent).status_code == 303
    done = load(waiting).log.filter(number__gt=steps, name="attack").get()
    assert (done.by, plans(waiting)) == ("Pia", ())
    assert shown(cast.player, waiting).strip() == ""


def test_target_is_down_so_another_is_asked_or_the_standing_word(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting, **ATTACK, otherwise="quick_aim")
    submit(
        waiting,
        Submission(
            "join", {"name": "Raider", "side": state_of(waiting)[PIRATE].side, "block": "street_thug"}
        ),
    )
    other = next(one.id for one in present(state_of(waiting)) if one.name == "Raider")
    submit(waiting, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -500}))
    assert "your turn asks whom instead" in shown(cast.player, waiting)
    pass_to(waiting, ZARA)
    assert "Pirate is down" in shown(cast.player, waiting)
    assert [one["target"] for one in offered(cast.player, waiting)] == [other]
    submit(waiting, Submission("adjust", {"target": other, "track": "hp", "by": -500}))
    assert "Nobody is in reach" in shown(cast.player, waiting)
    (sent,) = offered(cast.player, waiting)
    assert sent["do"] == "quick_aim"
    assert cast.player.post(f"/encounters/{waiting}/", sent).status_code == 303
    assert plans(waiting) == ()


def test_what_no_longer_fits_says_why_and_fills_nothing(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting)
    submit(waiting, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -500}))
    pass_to(waiting, ZARA)
    assert "Nobody is in reach: pirate is down" in shown(cast.player, waiting)
    assert not offered(cast.player, waiting)
    page = cast.player.get(f"/encounters/{waiting}/").content.decode()
    part = page[page.index('id="my-plans"') :]
    assert "btn-primary" not in part[: part.index("</section>")]
    assert post(cast.player, waiting, "drop_plan", combatant=ZARA).status_code == 200
    assert plans(waiting) == ()


def test_undo_brings_a_plan_back_and_redo_ends_it(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting)
    pass_to(waiting, ZARA)
    cast.player.post(f"/encounters/{waiting}/", offered(cast.player, waiting)[0])
    assert plans(waiting) == ()
    undo(waiting)
    assert [one.target for one in plans(waiting)] == [PIRATE]
    assert offered(cast.player, waiting)[0]["do"] == "attack"
    redo(waiting)
    assert plans(waiting) == ()
    undo(waiting)
    undo(waiting)  # back to before the turn: it waits as it did
    assert not is_acting(state_of(waiting), ZARA)
    assert [one.target for one in plans(waiting)] == [PIRATE]
    assert "Attack Pirate" in shown(cast.player, waiting)


def test_a_passed_turn_and_the_end_of_the_fight_end_a_plan(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting)
    pass_to(waiting, ZARA)
    submit(waiting, Submission("next_turn", {}))
    assert plans(waiting) == ()
    undo(waiting)
    assert plans(waiting)
    submit(waiting, Submission("end_fight", {}))
    assert plans(waiting) == ()
    undo(waiting)
    assert plans(waiting)


def test_newer_plan_stays_over_an_undo(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting)
    pass_to(waiting, ZARA)
    submit(waiting, Submission("next_turn", {}))
    keep(cast.player, waiting, otherwise="quick_aim")
    undo(waiting)
    assert [one.otherwise for one in plans(waiting)] == ["quick_aim"]


def test_two_taps_at_once_do_it_once(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting)
    pass_to(waiting, ZARA)
    (sent,) = offered(cast.player, waiting)
    first, second = (cast.player.post(f"/encounters/{waiting}/", sent) for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 409)
    assert load(waiting).log.filter(name="attack", by="Pia").count() == 1


def test_a_move_comes_first_and_is_part_of_the_plan(waiting: int, cast: Cast) -> None:
    place = "zone:crates"
    assert keep(cast.player, waiting, **ATTACK, to=place).status_code == 200
    pass_to(waiting, ZARA)
    (sent,) = offered(cast.player, waiting)
    assert (sent["plan"], sent["step"]) == ("move attack", place)
    assert cast.player.post(f"/encounters/{waiting}/", sent).status_code == 303
    names = [row.name for row in load(waiting).log.order_by("-number")[:2]]
    assert names == ["attack", "move"]
    assert plans(waiting) == ()


def test_only_its_player_and_the_gm_see_it(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting)
    for gm in (cast.gm, cast.co_gm):
        row = read(gm.get(f"/encounters/{waiting}/")).one(id=f"row-{ZARA}")
        assert "plans: Attack Pirate, Pistol" in row.text
        assert "wish-line is-plan" in gm.get(f"/encounters/{waiting}/").content.decode()
    assert "wish-line is-plan" in cast.player.get(f"/encounters/{waiting}/").content.decode()
    (told,) = make_program(load(waiting)).get("state")["plans"]
    assert (told["combatant"], told["steps"]) == (ZARA, ["Attack Pirate, Pistol"])


@pytest.mark.parametrize("role", OTHERS)
def test_no_byte_of_anybody_else_tells_a_plan(waiting: int, cast: Cast, role: str) -> None:
    def read_all() -> Iterator[tuple[str, str]]:
        for page in ("", "log/", "dice/", "branches/", "notes/", "state/", "report/"):
            answer = cast[role].get(f"/encounters/{waiting}/{page}")
            text = re.sub(r'"server-time" content="[^"]*"', "", drop_tokens(answer.content.decode()))
            yield page, text + str(answer.headers.get("ETag"))

    before = dict(read_all())
    assert keep(cast.player, waiting, **ATTACK, otherwise="quick_aim").status_code == 200
    assert dict(read_all()) == before
    if role == "other":
        bot = make_program(load(waiting), seat_named("Otto"))
        assert bot.get("state")["plans"] == []
    pass_to(waiting, ZARA)
    assert "planned" not in cast[role].get(f"/encounters/{waiting}/").content.decode()


@pytest.mark.parametrize("role", OTHERS)
def test_nobody_else_plans_or_drops(waiting: int, cast: Cast, role: str) -> None:
    keep(cast.player, waiting)
    kept = plans(waiting)
    assert keep(cast[role], waiting, otherwise="quick_aim").status_code >= 302
    assert post(cast[role], waiting, "drop_plan", combatant=ZARA).status_code >= 302
    assert plans(waiting) == kept


def test_the_gm_plans_for_nobody(waiting: int, cast: Cast) -> None:
    assert keep(cast.gm, waiting).status_code == 409
    assert plans(waiting) == ()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"otherwise": ""}, "Choose an attack, or what to do if nobody is in reach."),
        ({**ATTACK, "target": "f99"}, "That combatant is not in this encounter."),
        ({**ATTACK, "weapon": "f3-1"}, "No such attack can be planned: choose one that is offered."),
        ({**ATTACK, "action": "cake"}, "No such attack can be planned: choose one that is offered."),
        ({**ATTACK, "to": "zone:moon"}, "That place is not among those of the move: choose one of the list."),
        ({"otherwise": "attack"}, "That cannot be done in the next turn: choose one of the list."),
        ({"attack": "x " * 90}, "That place is not among those of the move: choose one of the list."),
    ],
    ids=str,
)
def test_what_cannot_be_planned_is_said(waiting: int, cast: Cast, fields: dict[str, str], words: str) -> None:
    version = load(waiting).version
    answer = keep(cast.player, waiting, **fields)
    assert 400 <= answer.status_code < 500
    assert words in refusal(answer)
    assert (plans(waiting), load(waiting).version) == ((), version)


def test_a_pause_is_time_to_plan(waiting: int, cast: Cast) -> None:
    """A plan does nothing, so it is kept and dropped while only the GM acts."""
    submit(waiting, Submission("pause", {}))
    assert keep(cast.player, waiting).status_code == 200
    assert len(plans(waiting)) == 1
    assert post(cast.player, waiting, "drop_plan", combatant=ZARA).status_code == 200
    assert plans(waiting) == ()


def test_nothing_can_be_planned_in_ones_turn_or_outside_a_fight(started: Encounter, cast: Cast) -> None:
    assert keep(cast.player, started.pk).status_code == 409
    submit(started.pk, Submission("end_fight", {}))
    assert keep(cast.player, started.pk).status_code == 409
    assert plans(started.pk) == ()


def test_hidden_target_is_unseen_and_a_plan_passes_to_nobody(waiting: int, cast: Cast) -> None:
    keep(cast.player, waiting)
    submit(waiting, Submission("hide", {"target": PIRATE, "hidden": True}))
    assert "Pirate is out of sight" in shown(cast.player, waiting)
    assert keep(cast.player, waiting).status_code == 422, "as if they had never been here"
    Seat.objects.filter(name="Pia").update(combatants=[])
    Seat.objects.filter(name="Otto").update(combatants=[ZARA, MARCUS])
    assert "Attack Pirate" not in shown(cast.other, waiting)
    assert "plans:" not in cast.gm.get(f"/encounters/{waiting}/").content.decode()


def test_a_plan_tells_its_player_nothing_of_the_hidden(waiting: int, cast: Cast) -> None:
    """Two worlds, with someone hidden and without: form, card, plan and turn are the same."""
    worlds, steps = [], load(waiting).steps
    for hides in (False, True):
        if hides:
            undo_to(waiting, steps)
            fields = {"name": "Lurker", "side": state_of(waiting)[PIRATE].side, "block": "street_thug"}
            submit(waiting, Submission("join", {**fields, "hidden": True}))
        asked = cast.player.get(f"/encounters/{waiting}/", {"plan": ZARA}).content.decode()
        found = [re.sub(r"\s+", " ", read_part(asked))]
        card = cast.player.get(f"/encounters/{waiting}/foe/", {"combatant": ZARA, "target": PIRATE})
        found.append(card.content.decode())
        keep(cast.player, waiting)
        found.append(shown(cast.player, waiting))
        pass_to(waiting, ZARA)
        found.append(shown(cast.player, waiting))
        ways = [{k: v for k, v in one.items() if k != "version"} for one in offered(cast.player, waiting)]
        worlds.append((found, ways))
    assert worlds[0] == worlds[1]


def undo_to(pk: int, steps: int) -> None:
    """Undo what was done after so many steps."""
    for _ in range(load(pk).log.filter(number__gt=steps, kind="command", struck=False).count()):
        undo(pk)


def read_part(page: str) -> str:
    """The form of a plan, without the tokens that differ each time."""
    part = page[page.index('id="planning"') :]
    return drop_tokens(part[: part.index("</form>")])


@pytest.mark.usefixtures("patience")
def test_programs_plan_drop_and_do(waiting: int, cast: Cast) -> None:
    bot = make_program(load(waiting), seat_named("Pia"))
    listed = {one["name"]: one for one in bot.get("actions", combatant=ZARA)["actions"]}
    attacks = next(field for field in listed["keep_plan"]["fields"] if field["name"] == "attack")
    bot.act("keep_plan", ZARA, attack=attacks["choices"][0]["value"])
    bot.act("drop_plan", ZARA)
    bot.act("drop_plan", ZARA, status=409)
    bot.act("keep_plan", ZARA, attack=attacks["choices"][0]["value"])
    bot.act("do_planned", ZARA, status=409)
    pass_to(waiting, ZARA)
    assert bot.get("state")["plans"][0]["ways"][0]["target"] == PIRATE
    assert "do_planned" in {one["name"] for one in bot.get("actions")["actions"]}
    bot.act("do_planned", ZARA)
    assert load(waiting).log.order_by("-number")[0].name == "attack"
    assert plans(waiting) == ()


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_game_plans_and_does_it(gm: User, slug: str) -> None:
    script = find_system(slug).demo.make_first().script
    fight = begun(gm, slug, steps=min(3, len(script) // 3))  # not so late that nobody is left to attack
    heroes = [one.id for one in present(state_of(fight.pk)) if one.pc]
    if all(is_acting(state_of(fight.pk), who) for who in heroes):
        submit(fight.pk, Submission(find_system(slug).actions.advance, {}))
    who = next(one for one in heroes if not is_acting(state_of(fight.pk), one))
    player = come(fight, ShareLink.PLAY, "Ada", who)
    page = read(player.get(f"/encounters/{fight.pk}/", {"plan": who}))
    attack = next(one["value"] for one in page.all(name="attack") if one["value"])
    answer = post(player, fight.pk, "keep_plan", combatant=who, attack=attack)
    assert answer.status_code == 200, refusal(answer)
    pass_to(fight.pk, who)
    seat = Seat.objects.get(name="Ada")
    context = ViewerContext(load(fight.pk), find_viewer(fight, grant_of(fight, seat)), seat)
    (view,) = view_planned(context, view_known(context))
    assert view.ways
    sent = offered(player, fight.pk)[0]
    done = player.post(f"/encounters/{fight.pk}/", sent)
    assert done.status_code == 303, (refusal(done), sent)
    now = load(fight.pk)
    assert now.open_command or now.log.order_by("-number")[0].name == sent["do"]


CAN = FoeWay("attack", "Attack", PIRATE, chance="50")
FAR = FoeWay("attack", "Attack", PIRATE, refused="Out of range.")
GUARD, LATE = FoeWay("guard", "Guard", ""), FoeWay("guard", "Guard", "", refused="Too late.")
VAIN = FoeWay("guard", "Guard", "", chance="0")
GO = PlannedTurn(ZARA, action="attack", target=PIRATE, name="Pirate", to="zone:crates", otherwise="guard")


@pytest.mark.parametrize(
    ("plan", "why", "moved", "stays", "others", "standing", "told"),
    [
        (GO, "", CAN, CAN, [], GUARD, ("", ["Attack"])),
        (GO, "", None, CAN, [], GUARD, ("The move no longer fits: the attack does", ["Attack"])),
        (GO, "", FAR, CAN, [], GUARD, ("The move no longer fits: the attack does", ["Attack"])),
        (GO, "", FAR, FAR, [CAN, CAN], GUARD, ("Out of range.", ["Attack", "Attack"])),
        (GO, "", FAR, None, [CAN], GUARD, ("Pirate cannot be hit now", ["Attack"])),
        (GO, "", FAR, None, [], None, ("Nobody is in reach: pirate cannot be hit now", [])),
        (GO, "Pirate is down", CAN, CAN, [CAN], GUARD, ("Pirate is down", ["Attack"])),
        (GO, "Pirate is down", CAN, CAN, [], GUARD, ("Nobody is in reach", ["Guard"])),
        (GO, "", FAR, FAR, [], LATE, ("Nobody is in reach: Too late.", [])),
        (GO, "", FAR, FAR, [], VAIN, ("Nobody is in reach: Guard", [])),
        (PlannedTurn(ZARA, otherwise="guard"), "", CAN, CAN, [CAN], GUARD, ("", ["Guard"])),
        (PlannedTurn(ZARA, otherwise="guard"), "", CAN, CAN, [CAN], None, ("The plan no longer fits", [])),
        (
            PlannedTurn(ZARA, otherwise="guard"),
            "",
            CAN,
            CAN,
            [],
            LATE,
            ("The plan no longer fits: Too late.", []),
        ),
    ],
)
def test_what_a_plan_comes_to_in_the_turn(
    waiting: int,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    plan: PlannedTurn,
    why: str,
    moved: FoeWay | None,
    stays: FoeWay | None,
    others: list[FoeWay],
    standing: FoeWay | None,
    told: tuple[str, list[str]],
) -> None:
    """The attack with its move, without it, at others, or the standing word; and why it is another."""
    monkeypatch.setattr(planned_view, "find_planned_way", lambda context, plan: moved if plan.to else stays)
    monkeypatch.setattr(planned_view, "find_others", lambda context, plan, rows: others)
    monkeypatch.setattr(planned_view, "find_standing_way", lambda context, plan: standing)
    context = look_as(waiting)
    view = PlannedView(ZARA, "Zara", why=why)
    found = planned_view._ask_again(context, plan, view_known(context), view)
    assert (found.why, [way.words for way in found.ways]) == told


def test_a_plan_is_said_step_by_step(waiting: int, cast: Cast) -> None:
    context = look_as(waiting)
    rows = view_known(context)
    said = {
        to: next(list_steps(context, PlannedTurn(ZARA, to=to), rows))
        for to in ("zone:crates", "zone:gone", f"near:{PIRATE}", f"away:{PIRATE}", "near:f99", "away:f99")
    }
    assert said == {
        "zone:crates": "Move to Crates",
        "zone:gone": "Move to a place",
        f"near:{PIRATE}": "Move next to Pirate",
        f"away:{PIRATE}": "Move away from Pirate",
        "near:f99": "Move next to someone",
        "away:f99": "Move away from someone",
    }
    near = f"near:{PIRATE}"
    whole = PlannedTurn(
        ZARA,
        action="attack",
        target=PIRATE,
        weapon=PISTOL,
        name="Pirate",
        to=near,
        otherwise="quick_aim",
    )
    assert list(list_steps(context, whole, rows)) == [
        "Move next to Pirate",
        "Attack Pirate, Pistol",
        "If nobody is in reach: Quick aim",
    ]
    assert list(list_steps(context, whole, rows, brief=True)) == [
        "Move next to Pirate",
        "Pistol",
        "If nobody is in reach: Quick aim",
    ]
    gone = PlannedTurn(ZARA, action="attack", target="f99", name="Ghost")
    assert list(list_steps(context, gone, rows)) == ["Attack Ghost"]
    assert list(list_steps(context, PlannedTurn(ZARA, otherwise="quick_aim"), rows)) == ["Quick aim"]


def test_form_begins_with_the_likeliest_attack_or_with_the_plan(
    waiting: int, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = [(FoeWay("attack", "Attack", PIRATE, weapon, chance=chance), "") for weapon, chance in (
        ("f1-2", ""), ("f1-3", "0.5"), ("f1-1", "30"), ("f1-4", "20"))]  # fmt: skip
    asked = QueryDict(f"plan={ZARA}")

    def choose() -> tuple[str, str, str]:
        context = look_as(waiting)
        form = open_planning(context, asked, view_known(context))
        assert form
        return form.chosen, form.to, form.otherwise

    monkeypatch.setattr(planned_view, "list_ways", lambda context, rows, who: ways[:2])
    assert choose() == (f"attack {PIRATE} f1-3 -", "", "")
    monkeypatch.setattr(planned_view, "list_ways", lambda context, rows, who: ways)
    assert choose() == (f"attack {PIRATE} f1-1 -", "", "")
    keep(cast.player, waiting, otherwise="quick_aim")
    assert choose() == ("", "", "quick_aim")
    keep(cast.player, waiting, **ATTACK, to="zone:crates")
    assert choose() == (f"attack {PIRATE} f1-1 zone:crates", "zone:crates", "")
    monkeypatch.setattr(planned_view, "list_ways", lambda context, rows, who: [])
    post(cast.player, waiting, "drop_plan", combatant=ZARA)
    assert choose() == ("", "", "")


def test_an_attack_in_vain_is_refused_with_its_reason(
    waiting: int, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for way, words in (
        (FoeWay("attack", "Attack", PIRATE, PISTOL, refused="Out of range."), "Out of range."),
        (
            FoeWay("attack", "Attack", PIRATE, PISTOL, chance="0"),
            "That attack cannot hit them: choose another.",
        ),
    ):
        monkeypatch.setattr(planned_view, "find_ways_to", lambda *_, way=way: FoeWays((way,), way))
        answer = keep(cast.player, waiting)
        assert (answer.status_code, words in refusal(answer)) == (409, True)
    assert plans(waiting) == ()


def test_a_player_plans_for_their_own_who_are_there(waiting: int, cast: Cast) -> None:
    answer = post(cast.player, waiting, "keep_plan", combatant=MARCUS, **ATTACK)
    assert (answer.status_code, "control that combatant" in refusal(answer)) == (409, True)
    Seat.objects.filter(name="Pia").update(combatants=[ZARA, "f99"])
    answer = post(cast.player, waiting, "keep_plan", combatant="f99", **ATTACK)
    assert (answer.status_code, "control that combatant" in refusal(answer)) == (409, True)
    assert plans(waiting) == ()


def test_the_ready_plan_is_done_at_the_target_that_is_named(waiting: int, cast: Cast) -> None:
    """Two others can be attacked in place of who was planned: each by its own button."""
    keep(cast.player, waiting)
    fields = {"name": "Raider", "side": state_of(waiting)[PIRATE].side, "block": "street_thug", "count": 2}
    submit(waiting, Submission("join", fields))
    others = [one.id for one in present(state_of(waiting)) if one.name.startswith("Raider")]
    assert play.NONE_LEFT in refusal(post(cast.player, waiting, "do_planned", combatant=ZARA))
    assert play.NONE_LEFT in refusal(post(cast.player, waiting, "do_planned", combatant=MARCUS))
    submit(waiting, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -500}))
    assert play.NONE_LEFT in refusal(post(cast.player, waiting, "do_planned", combatant=ZARA))
    pass_to(waiting, ZARA)
    ready = [
        planned_view.find_ready(QueryDict(f"combatant={ZARA}&target={target}"), look_as(waiting))
        for target in ("", *others)
    ]
    assert {one["target"] for one in ready[:1]} <= set(others)
    assert [one["target"] for one in ready[1:]] == others
    assert {one["do"] for one in ready} == {"attack"}
    for who in others:
        submit(waiting, Submission("adjust", {"target": who, "track": "hp", "by": -500}))
    told = refusal(post(cast.player, waiting, "do_planned", combatant=ZARA))
    assert "Nobody is in reach: pirate is down: choose what you do now." in told


def test_a_form_opens_for_ones_own_before_their_turn_alone(waiting: int, cast: Cast) -> None:
    def opens(who: str, name: str = "Pia") -> bool:
        context = look_as(waiting, name)
        return open_planning(context, QueryDict(f"plan={who}"), view_known(context)) is not None

    assert [opens(ZARA), opens(MARCUS), opens("f99"), opens("")] == [True, False, False, False]
    assert [opens(ZARA, "Otto"), opens(MARCUS, "Otto")] == [False, True]
    gm = ViewerContext(load(waiting), Viewer("gm", frozenset({ZARA})), None)
    assert open_planning(gm, QueryDict(f"plan={ZARA}"), view_known(gm)) is None
    branch = dataclasses.replace(look_as(waiting), decoded=state_of(waiting))
    assert open_planning(branch, QueryDict(f"plan={ZARA}"), view_known(branch)) is None
    pass_to(waiting, ZARA)
    assert [opens(ZARA), opens(MARCUS, "Otto")] == [False, True]
    submit(waiting, Submission("end_fight", {}))
    assert [opens(ZARA), opens(MARCUS, "Otto")] == [False, False]


def test_a_branch_has_no_plans(waiting: int, cast: Cast) -> None:
    """They are of the fight itself; in it the GM reads them, and their player."""
    keep(cast.player, waiting)
    pia, gm = look_as(waiting), ViewerContext(load(waiting), Viewer("gm"), None)
    assert [view.who for view in view_planned(pia, view_known(pia))] == [ZARA]
    assert planned_view.say_planned(gm, view_known(gm)) == {ZARA: "Attack Pirate, Pistol"}
    assert planned_view.say_planned(pia, view_known(pia)) == {}
    assert planned_view.find_aims(pia) == planned_view.find_aims(gm) == ((ZARA, PIRATE),)
    for context in (pia, gm):
        branch = dataclasses.replace(context, decoded=state_of(waiting))
        assert view_planned(branch, view_known(branch)) == ()
        assert planned_view.say_planned(branch, view_known(branch)) == {}
        assert planned_view.find_aims(branch) == ()
    assert view_planned(gm, view_known(gm)) == ()


def test_each_plan_is_that_of_its_own_combatant(waiting: int, cast: Cast) -> None:
    """A player of two plans for both: each form begins with its own plan, each is dropped alone."""
    Seat.objects.filter(name="Pia").update(combatants=[ZARA, MARCUS])
    post(cast.player, waiting, "keep_plan", combatant=ZARA, otherwise="quick_aim")
    post(cast.player, waiting, "keep_plan", combatant=MARCUS, action="attack", target=PIRATE, weapon="f3-1")
    found = {}
    for who in (ZARA, MARCUS):
        context = look_as(waiting)
        form = open_planning(context, QueryDict(f"plan={who}"), view_known(context))
        assert form
        found[who] = form.who, form.chosen, form.otherwise
    assert found == {ZARA: (ZARA, "", "quick_aim"), MARCUS: (MARCUS, f"attack {PIRATE} f3-1 -", "")}
    assert [(one.who, one.waits) for one in view_planned(context, view_known(context))] == [
        (ZARA, "Quick aim"),
        (MARCUS, "Attack Pirate"),
    ]
    post(cast.player, waiting, "drop_plan", combatant=ZARA)
    assert [one.who for one in plans(waiting)] == [MARCUS]
