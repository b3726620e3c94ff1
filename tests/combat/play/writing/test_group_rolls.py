"""Typed dice of several people: each has their own row, and a form with several rows counts as one."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from combat.audience.rights import grant_of
from combat.models import Encounter
from combat.play.writing.encounter_service import answer_all, read_history
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import replay
from combat.sharing.links import end_seat
from tests.combat.cast import Cast, gather, seat_named
from tests.combat.markup import Element, Page
from tests.combat.visit import (
    MARCUS,
    PIRATE,
    ZARA,
    answers_so_far,
    find_open,
    load,
    questions,
    read,
    refusal,
    state_of,
    stored,
)
from tests.typed import Answer


@pytest.fixture
def cast(prepared: Encounter) -> Cast:
    """Pia plays Zara and Otto Marcus; the GM has just chosen real dice for everyone's initiative."""
    cast = gather(prepared, ZARA, MARCUS)
    send(cast.gm, prepared, do="start", dice="table")
    return cast


def send(client: Client, fight: Encounter, **fields: Any) -> Answer:
    """Post a form of the table, JavaScript off."""
    return client.post(f"/encounters/{fight.pk}/", fields)


def page_of(client: Client, fight: Encounter) -> Page:
    """The table as a person sees it."""
    return read(client.get(f"/encounters/{fight.pk}/"))


def rows_of(page: Page) -> dict[str, Element]:
    """The fields for dice, by combatant."""
    return {e["aria-label"].split(",")[0]: e for e in page.all("input") if "data-die" in e.attrs}


def names_of(page: Page) -> dict[str, str]:
    """The names of those fields."""
    return {who: field["name"] for who, field in rows_of(page).items()}


def test_gm_has_a_row_for_everybody_and_players_their_own(cast: Cast, prepared: Encounter) -> None:
    assert list(rows_of(page_of(cast.gm, prepared))) == ["Zara", "Pirate", "Marcus"]
    assert list(rows_of(page_of(cast.player, prepared))) == ["Zara"]
    assert list(rows_of(page_of(cast.other, prepared))) == ["Marcus"]
    assert not page_of(cast.watcher, prepared).all(id="prompt")


def test_who_is_missing_is_named(cast: Cast, prepared: Encounter) -> None:
    said = page_of(cast.player, prepared).one(id="missing").text
    assert said == "Pirate rolls (the GM) Marcus rolls"
    field = names_of(page_of(cast.other, prepared))["Marcus"]
    assert send(cast.other, prepared, do="answer_all", dice="table", **{field: "4"}).status_code == 303
    assert page_of(cast.player, prepared).one(id="missing").text == "Pirate rolls (the GM)"
    assert page_of(cast.other, prepared).one(id="missing").text == "Zara rolls Pirate rolls (the GM)"


def test_hidden_who_has_to_roll_is_not_named(cast: Cast, prepared: Encounter) -> None:
    send(cast.gm, prepared, do="cancel")
    send(cast.gm, prepared, do="hide", target=PIRATE, hidden="true")
    send(cast.gm, prepared, do="start", dice="table")
    assert "Pirate" not in page_of(cast.player, prepared).one(id="prompt").text
    assert page_of(cast.player, prepared).one(id="missing").text == "Marcus rolls"


def test_rows_that_are_typed_count_together_and_the_rest_waits(cast: Cast, prepared: Encounter) -> None:
    names = names_of(page_of(cast.gm, prepared))
    send(cast.gm, prepared, do="answer_all", dice="table", **{names["Zara"]: "+7", names["Pirate"]: " 2 "})
    assert {a.who: a.faces for a in answers_so_far(prepared.pk)} == {ZARA: (7,), PIRATE: (2,)}
    assert [r.who for r in questions(prepared.pk)] == [MARCUS]
    assert list(rows_of(page_of(cast.gm, prepared))) == ["Marcus"]


def test_rest_is_rolled_by_the_app(cast: Cast, prepared: Encounter) -> None:
    names = names_of(page_of(cast.gm, prepared))
    send(cast.gm, prepared, do="answer_all", dice="rest", **{names["Zara"]: "10"})
    assert state_of(prepared.pk).phase == "fight"
    step = load(prepared.pk).log.get(name="start")
    record = bytes(step.record).decode()
    assert (record.count('"source":"table"'), record.count('"source":"app"')) >= (1, 2)
    assert replay(read_history(load(prepared.pk)), find_system).ok


@pytest.mark.slow
def test_one_row_is_rolled_alone(cast: Cast, prepared: Encounter) -> None:
    key = names_of(page_of(cast.gm, prepared))["Pirate"].split("-")[1]
    send(cast.gm, prepared, do="answer_all", roll=key)
    assert [r.who for r in questions(prepared.pk)] == [ZARA, MARCUS]


def test_zero_in_a_row_is_the_ten(cast: Cast, prepared: Encounter) -> None:
    names = names_of(page_of(cast.gm, prepared))
    send(cast.gm, prepared, do="answer_all", dice="table", **{names["Pirate"]: "0"})
    assert {a.who: a.faces for a in answers_so_far(prepared.pk)} == {PIRATE: (10,)}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("11", "A d10 shows 1 to 10, not 11."),
        ("−1", "A d10 shows 1 to 10, not −1."),
        ("six", "Type what each die shows, or let the app roll."),
        ("3,5", "Type what each die shows, or let the app roll."),
    ],
)
def test_bad_dice_in_one_row_take_nothing_and_are_marked_there(
    cast: Cast, prepared: Encounter, word: str, said: str
) -> None:
    names, before = names_of(page_of(cast.gm, prepared)), stored(prepared.pk)
    found = send(
        cast.gm, prepared, do="answer_all", dice="rest", **{names["Zara"]: "5", names["Pirate"]: word}
    )
    assert (found.status_code, stored(prepared.pk)) == (422, before)
    assert "Nothing was rolled: fix the marked dice." in refusal(found)
    page, key = read(found), names["Pirate"].split("-")[1]
    assert page.one(id=f"wrong-{key}").text == said
    assert {who: field["value"] for who, field in rows_of(page).items()} == {
        "Zara": "5",
        "Pirate": word,
        "Marcus": "",
    }
    assert [who for who, field in rows_of(page).items() if field["aria-invalid"]] == ["Pirate"]
    assert [who for who, field in rows_of(page).items() if "autofocus" in field.attrs] == ["Pirate"]


def test_empty_form_says_what_to_do(cast: Cast, prepared: Encounter) -> None:
    found = send(cast.gm, prepared, do="answer_all", dice="table")
    assert (found.status_code, "or let the app roll." in refusal(found)) == (422, True)


@pytest.mark.parametrize("fields", ["dice", "roll"])
def test_nobody_rolls_for_others(cast: Cast, prepared: Encounter, fields: str) -> None:
    name, before = names_of(page_of(cast.gm, prepared))["Marcus"], stored(prepared.pk)
    more = {name: "10"} if fields == "dice" else {"roll": name.split("-")[1]}
    for role, status in (("player", 409), ("watcher", 403), ("stranger", 404)):
        assert send(cast[role], prepared, do="answer_all", dice="table", **more).status_code == status
    assert stored(prepared.pk) == before


def test_row_that_was_answered_meanwhile_takes_nothing(cast: Cast, prepared: Encounter) -> None:
    names = names_of(page_of(cast.gm, prepared))
    send(cast.player, prepared, do="answer_all", dice="rest")
    before = stored(prepared.pk)
    both = {names["Zara"]: "1", names["Marcus"]: "2"}
    found = send(cast.gm, prepared, do="answer_all", dice="table", **both)
    assert (found.status_code, stored(prepared.pk)) == (409, before)
    assert "One of these was rolled already" in refusal(found)


def test_page_as_it_was_before_others_rolled_still_answers(cast: Cast, prepared: Encounter) -> None:
    name = names_of(page_of(cast.player, prepared))["Zara"]
    send(cast.other, prepared, do="answer_all", dice="rest")
    found = send(cast.player, prepared, do="answer_all", dice="table", version="0.0", **{name: "9"})
    assert found.status_code == 303
    send(cast.gm, prepared, do="answer_all", dice="rest")
    assert not find_open().exists()


def test_seat_that_was_given_up_meanwhile_rolls_no_more(cast: Cast, prepared: Encounter) -> None:
    """The check happens inside the lock, with the seats as they are then."""
    seat = seat_named("Pia")
    grant = grant_of(prepared, seat)
    key = names_of(page_of(cast.player, prepared))["Zara"].split("-")[1]
    end_seat(seat)
    before = stored(prepared.pk)
    with pytest.raises(Refused, match="given up"):
        answer_all(prepared.pk, {"roll": key}, by="Pia", grant=grant)
    assert stored(prepared.pk) == before
