"""Wishes: from a player's words over the GM's ruling to the result, and what nobody else may learn."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from combat.audience.rights import grant_of
from combat.audience.viewer import GM
from combat.models import Encounter, Seat, StoredStep
from combat.pages.table.wishes_view import FOR_GMS
from combat.pages.whatif.branch_view import find_start
from combat.play import improvising
from combat.play.improvising import read_wishes
from combat.play.whatif import branches
from combat.play.writing.encounter_service import Submission, cancel, redo, submit, undo
from combat.play.writing.verification import verify
from combat.rules.core.engine.engine import find_action
from combat.rules.core.state.state import has_condition
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast
from tests.combat.play.whatif.test_branches import fresh
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, combatant, load, read, refusal, state_of
from tests.typed import Answer

OTHERS = ("other", "watcher")
SWING = "I swing on the chain and land on the Pirate"


def ask(client: Client, pk: int, words: str = SWING, **fields: Any) -> Answer:
    data = {"do": "ask_wish", "combatant": ZARA, "words": words, **fields}
    return client.post(f"/encounters/{pk}/", data, headers={"HX-Request": "true"})


def newest(pk: int) -> int:
    """The number of the wish that was made last."""
    return read_wishes(load(pk)).open[-1].number


def post(client: Client, pk: int, do: str, **fields: Any) -> Answer:
    wish = read_wishes(load(pk)).open
    data = {"do": do, **({"wish": wish[0].number} if wish else {}), **fields}
    return client.post(f"/encounters/{pk}/", data, headers={"HX-Request": "true"})


def see(client: Client, pk: int, **query: Any) -> str:
    return client.get(f"/encounters/{pk}/", query).content.decode()


@pytest.mark.usefixtures("fives")
def test_words_become_a_result_in_four_taps_one_of_them_the_gms(cast: Cast, started: Encounter) -> None:
    pk, steps = started.pk, load(started.pk).steps
    assert "Something else" in see(cast.player, pk)
    assert ask(cast.player, pk).status_code == 200
    assert load(pk).steps == steps, "a wish is no step of the log"
    waiting = see(cast.player, pk)
    assert "The GM is reading" in waiting
    assert 'class="k-skill">swing</mark>' in waiting
    assert 'class="k-attack">Pirate</mark>' in waiting
    assert "wants something" in see(cast.gm, pk)
    assert post(cast.gm, pk, "offer_wish").status_code == 200
    offered = see(cast.player, pk)
    for words in ("72%", "against 14", "so 9 or more", "Standard", "beside Pirate", "Prone", "Do it: roll"):
        assert words in offered, words
    assert post(cast.player, pk, "take_offer").status_code == 200
    assert not read_wishes(load(pk)).open
    assert has_condition(combatant(pk, PIRATE), "prone") or has_condition(combatant(pk, ZARA), "prone")
    page = see(cast.player, pk)
    assert SWING in read(cast.player.get(f"/encounters/{pk}/")).one(id="log-lines").text
    assert f'<q class="said">{SWING}</q>' in page
    verify(load(pk))


def test_one_undo_takes_back_the_roll_the_cost_and_what_followed(cast: Cast, started: Encounter) -> None:
    pk, before = started.pk, state_of(started.pk)
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    post(cast.player, pk, "take_offer")
    assert state_of(pk) != before
    assert f'title="Undo: Zara: “{SWING}”"' in see(cast.gm, pk)
    undo(pk, by="gm")
    after = state_of(pk)
    assert after.combatants == before.combatants


def test_a_projector_shows_the_words_large(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    post(cast.player, pk, "take_offer")
    page = read(cast.watcher.get(f"/encounters/{pk}/"))
    moment = page.one("section", class_="is-act")
    assert SWING in moment.text
    assert "Zara rolls Athletics" in moment.text


# ---- The GM answers ----


def test_wish_that_the_gm_lets_work_costs_and_rolls_nothing(cast: Cast, started: Encounter) -> None:
    pk, before = started.pk, state_of(started.pk)
    ask(cast.player, pk)
    assert post(cast.gm, pk, "let_work").status_code == 200
    after = state_of(pk)
    assert after.combatants[ZARA].budget == before.combatants[ZARA].budget
    assert has_condition(after.combatants[PIRATE], "prone")
    assert not read_wishes(load(pk)).open
    verify(load(pk))


def test_bonus_counts_for_the_next_roll_alone(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    assert post(cast.gm, pk, "help_wish", points="-2").status_code == 200
    assert "−2 on your next roll" in see(cast.player, pk)
    assert has_condition(combatant(pk, ZARA), "next_roll")
    Visit(cast.gm, pk).act("attack", ZARA)
    assert not has_condition(combatant(pk, ZARA), "next_roll")
    record = StoredStep.objects.filter(encounter=pk, name="attack").last()
    assert record
    assert "Next roll" in bytes(record.record).decode()
    verify(load(pk))


def test_a_no_is_said_in_the_words_of_the_gm(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk, "I shout at them to give up")
    assert post(cast.gm, pk, "refuse_wish", text="They laugh.").status_code == 200
    assert "They laugh." in read(cast.player.get(f"/encounters/{pk}/")).one(id="my-wish").text
    assert "They laugh." in read(cast.other.get(f"/encounters/{pk}/")).one(id="log-lines").text
    assert post(cast.player, pk, "drop_wish").status_code == 200
    assert not read_wishes(load(pk)).open


RULED: dict[str, Any] = {
    "mode": "check",
    "check.skill": "Athletics",
    "check.attribute": "MIG",
    "grade": "17",
    "cost": "move",
    "works.harm.on": "yes",
    "works.harm.who": PIRATE,
    "works.harm.dice": "1d6",
    "fails.words.on": "yes",
    "fails.words.text": "It creaks.",
}


def test_form_rules_what_is_rolled_paid_and_what_follows(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    form = read(cast.gm.get(f"/encounters/{pk}/", {"wish": newest(pk)})).one("form", id="ruling")
    assert "Roll it here" in form.text
    grades = cast.gm.get(f"/encounters/{pk}/wishes/grades/", {"wish": newest(pk), **RULED}).content.decode()
    assert grades.count('class="pct"') == 4
    assert post(cast.gm, pk, "offer_wish", **RULED).status_code == 200
    offered = see(cast.player, pk)
    for words in ("Athletics with Might", "against 17", "Move", "Pirate: 1d6 damage", "It creaks."):
        assert words in offered, words
    assert post(cast.player, pk, "take_offer").status_code == 200
    assert combatant(pk, ZARA).budget["move"] == 0
    assert combatant(pk, ZARA).budget["standard"] == 1
    verify(load(pk))


def test_gm_rules_without_a_wish_for_the_scene_and_a_whole_side(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    assert "Ruling for the scene" in read(cast.gm.get(f"/encounters/{pk}/")).one(id="turn-gm").text
    assert "Ruling…" in read(cast.gm.get(f"/encounters/{pk}/")).one(id=f"menu-{ZARA}").text
    page = read(cast.gm.get(f"/encounters/{pk}/", {"wish": 0}))
    assert "The scene" in page.one("form", id="ruling").text
    fields = {"wish": 0, "words": "The bay floods", "mode": "nothing"}
    whom = f"side:{combatant(pk, PIRATE).side}"
    fields |= {"works.condition.on": "yes", "works.condition.who": whom, "works.condition.key": "prone"}
    answer = cast.gm.post(f"/encounters/{pk}/", {"do": "rule_wish", **fields})
    assert answer.status_code == 303, refusal(answer)
    assert has_condition(combatant(pk, PIRATE), "prone")
    assert "The GM: “The bay floods”" in read(cast.player.get(f"/encounters/{pk}/")).one(id="log-lines").text


def test_real_dice_are_typed_by_the_player(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    assert post(cast.player, pk, "take_offer", dice="table").status_code == 200
    assert load(pk).open_command
    answer = {"do": "answer", "question": 0, "face-1": 9, "face-2": 9, "dice": "table"}
    assert cast.player.post(f"/encounters/{pk}/", answer, headers={"HX-Request": "true"}).status_code == 200
    assert has_condition(combatant(pk, PIRATE), "prone")
    verify(load(pk))


def test_words_that_mean_nothing_stay_words(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk, "I hum a tune")
    page = read(cast.gm.get(f"/encounters/{pk}/"))
    assert "Offer" not in page.one(id="wishes").text
    assert "I hum a tune" in page.one(id="wishes").text
    assert post(cast.gm, pk, "offer_wish").status_code == 422
    assert post(cast.gm, pk, "let_work").status_code == 200


def test_what_is_understood_is_underlined_while_it_is_typed(cast: Cast, started: Encounter) -> None:
    address = f"/encounters/{started.pk}/wishes/words/"

    def type_words(role: str, words: str, **more: str) -> str:
        return cast[role].get(address, {"words": words, **more}).content.decode()

    for role, whose in (("player", "combatant"), ("gm", "whose")):
        shown = type_words(role, SWING, **{whose: ZARA})
        assert 'class="k-skill">swing</mark>' in shown
        assert 'class="k-attack">Pirate</mark>' in shown
        assert "Swing on something" in shown
        assert type_words(role, "I hum a tune").strip() == "", "words only"
        assert type_words(role, "").strip() == ""
        assert "<b>" not in type_words(role, "<b>I jump</b>" * 2000, combatant="f99", about="f99")
    Visit(cast.gm, started.pk).do("hide", target=PIRATE, hidden="true")
    assert "k-attack" not in type_words("player", SWING, combatant=ZARA), "a hidden name is no name"
    assert "k-attack" in type_words("gm", SWING, whose=ZARA)


# ---- Who may what ----


def test_only_the_player_and_the_gm_know_of_a_wish(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    stamps = {
        role: read(cast[role].get(f"/encounters/{pk}/")).one(id="table")["data-version"] for role in OTHERS
    }
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    for role in OTHERS:
        page = cast[role].get(f"/encounters/{pk}/")
        assert "land on the Pirate" not in page.content.decode()
        assert read(page).one(id="table")["data-version"] == stamps[role], "their page has nothing to fetch"


def test_nobody_else_asks_takes_or_answers(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    wish, steps = read_wishes(load(pk)), load(pk).steps
    for role in ("other", "watcher", "revoked", "stranger", "nobody"):
        assert ask(cast[role], pk).status_code >= 302
        for do in ("drop_wish", "take_offer", "leave_offer", *FOR_GMS):
            assert post(cast[role], pk, do).status_code >= 302, (role, do)
    assert ask(cast.gm, pk).status_code == 409, "the GM has a form of their own"
    assert read_wishes(load(pk)) == wish
    assert load(pk).steps == steps


def test_next_player_of_a_combatant_sees_no_wish_of_the_last(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    old = read_wishes(load(pk)).open[0].number
    give_to(pk, "Otto", ZARA)
    assert "land on the Pirate" not in see(cast.other, pk)
    for do in ("take_offer", "drop_wish", "leave_offer"):
        assert post(cast.other, pk, do).status_code == 409, do
        assert post(cast.player, pk, do).status_code == 409, do
    assert read(cast.gm.get(f"/encounters/{pk}/")).one(id="wishes").text.strip() == "", "it is nobody's"
    assert "wants something" not in see(cast.gm, pk)
    assert ask(cast.other, pk, "I hide").status_code == 200
    assert [wish.words for wish in read_wishes(load(pk)).open] == ["I hide"]
    assert read_wishes(load(pk)).open[0].number != old
    assert "I hide" in read(cast.gm.get(f"/encounters/{pk}/")).one(id="wishes").text


def give_to(pk: int, name: str, who: str) -> None:
    """Give a combatant to the seat of this name, and to no other."""
    for seat in Seat.objects.filter(encounter=pk, ended=None):
        kept = [one for one in seat.combatants if one != who]
        seat.combatants = [*kept, who] if seat.name == name else kept
        seat.save()


def test_a_player_cannot_change_the_offer(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    assert post(cast.player, pk, "take_offer").status_code == 409
    post(cast.gm, pk, "offer_wish", **RULED)
    more = {"grade": "2", "cost": "", "works.harm.dice": "20d6"}
    assert post(cast.player, pk, "take_offer", **more).status_code == 200
    record = StoredStep.objects.filter(encounter=pk, name="improvise").get()
    assert '["tn","17"]' in bytes(record.record).decode()


def test_an_offer_is_taken_once(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    number = read_wishes(load(pk)).open[0].number
    assert post(cast.player, pk, "take_offer").status_code == 200
    steps = load(pk).steps
    assert post(cast.player, pk, "take_offer", wish=number).status_code == 409
    assert post(cast.gm, pk, "let_work", wish=number).status_code == 409
    assert load(pk).steps == steps


def test_what_was_asked_again_is_not_answered_by_the_old_form(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    old = read_wishes(load(pk)).open[0].number
    ask(cast.player, pk, "I throw sand at the Pirate")
    assert len(read_wishes(load(pk)).open) == 1
    assert post(cast.gm, pk, "offer_wish", wish=old).status_code == 409
    assert post(cast.gm, pk, "offer_wish").status_code == 200
    assert post(cast.player, pk, "leave_offer").status_code == 200
    assert "thinks again" in see(cast.gm, pk)


def test_a_pause_holds_wishes_and_offers(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    Visit(cast.gm, pk).do("pause")
    assert post(cast.player, pk, "take_offer").status_code == 409
    assert ask(cast.player, pk).status_code == 409


def test_wishes_end_with_the_fight_and_their_numbers_go_on(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    Visit(cast.gm, pk).do("end_fight")
    assert read_wishes(load(pk)).open == ()
    assert [*read_wishes(load(pk)).counts.values()] == [1]
    assert ask(cast.player, pk).status_code == 409


# ---- Undo ----


def open_ones(pk: int) -> list[tuple[str, str, bool]]:
    """The words of the open wishes, with what became of each and whether it has an offer."""
    return [(one.words, one.status, bool(one.offer)) for one in read_wishes(load(pk)).open]


@pytest.mark.usefixtures("fives")
def test_undo_of_an_act_brings_back_the_wish_and_its_offer(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    offered, number = read(cast.player.get(f"/encounters/{pk}/")).one(id="my-wish").text, newest(pk)
    post(cast.player, pk, "take_offer")
    assert open_ones(pk) == []
    undo(pk)
    assert open_ones(pk) == [(SWING, "offered", True)]
    assert newest(pk) != number, "an old form takes nothing"
    assert read(cast.player.get(f"/encounters/{pk}/")).one(id="my-wish").text == offered
    redo(pk)
    assert open_ones(pk) == []
    undo(pk)
    assert post(cast.player, pk, "take_offer").status_code == 200
    assert open_ones(pk) == []


@pytest.mark.usefixtures("fives")
@pytest.mark.parametrize(
    ("do", "fields", "left"),
    [
        ("rule_wish", {}, []),
        ("let_work", {}, []),
        ("help_wish", {"points": "2"}, [(SWING, "refused", False)]),
        ("refuse_wish", {"text": "Too far"}, [(SWING, "refused", False)]),
    ],
)
def test_undo_of_what_the_gm_answered_brings_back_the_wish(
    cast: Cast, started: Encounter, do: str, fields: dict[str, str], left: list[tuple[str, str, bool]]
) -> None:
    pk = started.pk
    ask(cast.player, pk)
    assert post(cast.gm, pk, do, **fields).status_code == 200
    assert open_ones(pk) == left
    undo(pk)
    assert open_ones(pk) == [(SWING, "asked", False)]


@pytest.mark.usefixtures("fives")
def test_who_asked_for_something_else_since_keeps_that(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "let_work")
    ask(cast.player, pk, "I hide")
    undo(pk)
    assert open_ones(pk) == [("I hide", "asked", False)]


def test_cancelled_act_reopens_the_wish_a_finished_one_does_not(cast: Cast, started: Encounter) -> None:
    """While it waits for dice, the wish is with the open command."""
    pk = started.pk
    submit(pk, Submission("set_option", {"key": "typed_dice", "value": True}))
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish")
    taken = {"dice": "table"}
    assert post(cast.player, pk, "take_offer", **taken).status_code == 200
    assert load(pk).open_command
    assert open_ones(pk) == []
    cancel(pk)
    assert open_ones(pk) == [(SWING, "offered", True)]


def test_undo_of_the_end_brings_back_what_was_asked(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    Visit(cast.gm, pk).do("end_fight")
    assert open_ones(pk) == []
    undo(pk)
    assert open_ones(pk) == [(SWING, "asked", False)]


@pytest.mark.usefixtures("fives")
def test_real_branch_brings_back_the_wish_of_an_act_it_undoes(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    before = load(pk).steps
    ask(cast.player, pk)
    post(cast.gm, pk, "let_work")
    context = ViewerContext(load(pk), GM)
    branch = fresh(branches.begin(context.encounter, "person 1", GM, before, find_start(context, before)))
    branches.act(branch, find_action(context.system, "note"), {"text": "Otherwise.", "secret": False})
    branches.make_real(pk, fresh(branch), by="gm", grant=grant_of(context.encounter, None))
    assert open_ones(pk) == [(SWING, "asked", False)]


# ---- Secrets ----


CHANGES = re.compile(
    r'csrf\w+" value="\w+"|data-v="[\w-]*"|"wish" value="\d+"|d?[0-9a-f]{12}\b|-\d+\b|(?:result|why)-\w+'
)


def cut(page: str, name: str) -> str:
    """The bytes of the turn's column from a part on, without tokens, versions and numbers of steps."""
    part = page[page.index(f'id="{name}"') : page.index('id="free-dice"')]
    return CHANGES.sub("", part)


def test_a_page_does_not_tell_how_often_others_asked(cast: Cast, started: Encounter) -> None:
    """A number in its form is the same, whether others have asked before or not."""

    def ask_after(others: int) -> list[int]:
        with transaction.atomic():
            for n in range(others):
                ask(cast.other, started.pk, f"I look {n}", combatant=MARCUS)
            numbers: list[int] = []
            for words in (SWING, "I hide"):
                ask(cast.player, started.pk, words)
                page = read(cast.player.get(f"/encounters/{started.pk}/"))
                numbers += {int(field["value"]) for field in page.all("input", name="wish")}
            open_numbers = [one.number for one in read_wishes(load(started.pk)).open]
            assert len(set(open_numbers)) == len(open_numbers)
            transaction.set_rollback(True)
        return numbers

    alone = ask_after(0)
    assert len(alone) == 2
    assert alone == ask_after(1) == ask_after(3)


def test_a_secret_number_is_in_no_byte_of_the_player(cast: Cast, started: Encounter) -> None:
    """Two worlds that differ in the number alone look the same, before the roll and after it."""
    pk = started.pk
    told = {}
    for grade in ("14", "11"):
        ask(cast.player, pk)
        secret = {**RULED, "grade": grade, "secret": "yes", "works.harm.on": ""}
        assert post(cast.gm, pk, "offer_wish", **secret).status_code == 200
        offered = see(cast.player, pk)
        before = read(cast.player.get(f"/encounters/{pk}/")).one(id="my-wish").text
        assert "%" not in before
        assert "?" in before
        assert post(cast.player, pk, "take_offer", dice="table").status_code == 200
        asked = see(cast.player, pk)
        answer = {"do": "answer", "question": 0, "face-1": 10, "face-2": 9, "dice": "table"}
        cast.player.post(f"/encounters/{pk}/", answer)
        after = see(cast.player, pk)
        page = read(cast.player.get(f"/encounters/{pk}/"))
        lines = [one.text for one in page.all("li", inside=page.one(id="log-lines"))][:3]
        told[grade] = (*(cut(one, "my-wish") for one in (offered, asked, after)), *lines)
        gm = read(cast.gm.get(f"/encounters/{pk}/")).one(id="log-lines").text
        assert f"vs TN {grade}" in gm
        undo(pk, by="gm")
    assert told["14"] == told["11"]
    assert "that works" in told["14"][3]


@pytest.mark.parametrize("grade", ["14", "17"])
def test_a_secret_number_shows_the_players_own_bonus(cast: Cast, started: Encounter, grade: str) -> None:
    """The dice and what they add, against a number that they do not know: a sum that is right."""
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish", **{**RULED, "grade": grade, "secret": "yes", "works.harm.on": ""})
    post(cast.player, pk, "take_offer", dice="table")
    answer = {"do": "answer", "question": 0, "face-1": 9, "face-2": 3, "dice": "table"}
    cast.player.post(f"/encounters/{pk}/", answer)
    for role in ("player", "other", "watcher"):
        page = read(cast[role].get(f"/encounters/{pk}/"))
        result = page.one("article", class_="result")
        words = " ".join(page.one("div", class_="result-roll", inside=result).text.split())
        assert words.startswith("9 3 + 3 = 15 vs ?"), role
        assert "15 vs ?" in " ".join(page.one(id="log-lines").text.split())
        assert f"TN {grade}" not in see(cast[role], pk)


def test_endings_can_be_kept_from_the_player(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "offer_wish", hides="yes", **RULED)
    page = see(cast.player, pk)
    assert "1d6 damage" not in page
    assert "It creaks" not in page


# ---- Abuse ----


def test_wishes_of_a_seat_are_counted(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    pk, now = started.pk, timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    asked = [ask(cast.player, pk, f"I try number {n}").status_code for n in range(improvising.MOST + 3)]
    assert asked == [200] * improvising.MOST + [409] * 3
    assert len(read_wishes(load(pk)).open) == 1
    assert len(msgspec.json.encode(read_wishes(load(pk)))) < 2000


def test_half_and_huge_wishes_are_refused(cast: Cast, started: Encounter) -> None:
    half: list[dict[str, Any]] = [{"words": "x" * 10_000}, {"words": "   "}, {"words": ""}]
    half += [{"combatant": "f99"}, {"combatant": PIRATE}, {"about": "f99"}]
    for fields in half:
        answer = ask(cast.player, started.pk, **fields)
        assert answer.status_code in (409, 422), fields
        assert refusal(answer)
    assert not load(started.pk).wishes


def test_markup_in_a_wish_is_shown_as_words(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk, "<script>alert(1)</script> I push the Pirate")
    for client in (cast.player, cast.gm):
        page = see(client, pk)
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page


BAD = (
    {"wish": ""},
    {"wish": "x"},
    {"mode": "check", "check.skill": "Juggling", "check.attribute": "MIG"},
    {"mode": "check", "check.skill": "Athletics", "check.attribute": "MIG", "grade": "9999"},
    {"mode": "nothing", "about": "f99"},
    {"mode": "nothing", "works.harm.on": "yes", "works.harm.who": PIRATE, "works.harm.dice": "99d99"},
    {"mode": "nothing", "works.harm.on": "yes", "works.harm.who": PIRATE, "works.harm.dice": ""},
    {
        "mode": "nothing",
        "works.condition.on": "yes",
        "works.condition.who": PIRATE,
        "works.condition.key": "cursed",
    },
    {"mode": "nothing", "works.place.on": "yes", "works.place.who": PIRATE, "works.place.to": "near:f99"},
    {"mode": "nothing", "works.points.on": "yes", "works.points.who": PIRATE, "works.points.n": "many"},
    {"mode": "nothing", "works.words.on": "yes", "works.words.text": " "},
    {"mode": "opposed", "check.skill": "Athletics", "check.attribute": "MIG", "opposed": ZARA},
    {"mode": "check", "check.skill": "Athletics", "check.attribute": "MIG", "cost": "luck"},
)


@pytest.mark.slow
def test_bad_rulings_are_refused_and_change_nothing(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    wishes, steps = load(pk).wishes, load(pk).steps
    for fields in BAD:
        for do in ("offer_wish", "rule_wish"):
            answer = post(cast.gm, pk, do, **fields)
            assert answer.status_code in (409, 422), (do, fields)
            assert refusal(answer), (do, fields)
    assert (load(pk).wishes, load(pk).steps) == (wishes, steps)
