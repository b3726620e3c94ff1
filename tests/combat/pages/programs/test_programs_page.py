"""The page with the tokens of a person's programs."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from combat.models import Encounter, ProgramToken
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import find_token
from combat.sharing.programs import MAX_TOKENS, UNUSED
from tests.combat.audience.secrets import words
from tests.combat.cast import Cast, come, seat_named
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.visit import PIRATE, ZARA, read


def make(client: Client, encounter: Encounter, name: str = "Bot") -> str:
    """The token that the page shows once."""
    answer = client.post(f"/encounters/{encounter.pk}/programs/", {"do": "make", "name": name})
    assert answer.status_code == 200
    return str(read(answer).one(id="token")["value"])


@pytest.mark.parametrize(("role", "name"), [("gm", "gm"), ("co_gm", "Cleo"), ("player", "Pia")])
def test_token_acts_as_its_owner_and_is_shown_once(
    started: Encounter, cast: Cast, role: str, name: str
) -> None:
    token = make(cast[role], started)
    seen = Program(token).get("state")
    assert seen["name"] == f"Bot of {started.owner.get_username() if role == 'gm' else name}"
    assert seen["role"] == ("seat" if role == "player" else "gm")
    page = cast[role].get(f"/encounters/{started.pk}/programs/").content.decode()
    assert "Bot" in page
    assert token not in page


def test_revoked_token_is_gone(started: Encounter, cast: Cast) -> None:
    program = Program(make(cast.player, started))
    kept = Program(make(cast.player, started, "Other"))
    number = ProgramToken.objects.get(name="Bot").pk
    cast.player.post(f"/encounters/{started.pk}/programs/", {"do": "end", "token": number})
    program.get("state", 401)
    kept.get("state")


def test_nobody_sees_or_revokes_the_tokens_of_others(started: Encounter, cast: Cast) -> None:
    program = Program(make(cast.player, started, "Quux"))
    number, address = ProgramToken.objects.get().pk, f"/encounters/{started.pk}/programs/"
    for client in (cast.gm, cast.co_gm, cast.other):
        assert "Quux" not in client.get(address).content.decode()
        assert client.post(address, {"do": "end", "token": number}).status_code == 422
    assert cast.watcher.get(address).status_code == 404
    program.get("state")


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "GM", "a\0"])
def test_bad_name_is_refused_with_a_reason(started: Encounter, cast: Cast, name: str) -> None:
    answer = cast.player.post(f"/encounters/{started.pk}/programs/", {"do": "make", "name": name})
    assert answer.status_code == 422
    assert not ProgramToken.objects.exists()
    assert "Program" in answer.content.decode()


def test_tokens_are_few(started: Encounter, cast: Cast) -> None:
    for number in range(MAX_TOKENS):
        make_program(started, seat_named("Pia"), f"Bot {number}")
    answer = cast.player.post(f"/encounters/{started.pk}/programs/", {"do": "make", "name": "Bot"})
    assert answer.status_code == 409
    assert "end one first" in answer.content.decode()


def test_seat_that_moves_takes_no_program_along(started: Encounter, cast: Cast) -> None:
    program = Program(make(cast.player, started))
    seat = seat_named("Pia")
    cast.gm.post(f"/encounters/{started.pk}/share/", {"do": "move", "seat": seat.pk})
    link = seat.moves.get()
    Client().post(f"/join/{find_token(link)}/", {"name": "Pia"})
    program.get("state", 401)


def test_new_player_has_no_tokens(started: Encounter, cast: Cast) -> None:
    make(cast.player, started)
    page = come(started, "play", "Nia", "").get(f"/encounters/{started.pk}/programs/").content.decode()
    assert "No programs yet" in page
    assert not words("Bot").search(page)
    page = re.sub(r'<pre class="sample">.*?</pre>', "", page, flags=re.DOTALL)  # what all may know
    assert not words(ZARA).search(page), "apart from secrets, whose letters are by chance"


def test_page_shows_the_beginning_of_what_a_program_reads(started: Encounter, cast: Cast) -> None:
    """As this person may know it: whom the GM hides, a player's page leaves out."""
    submit(started.pk, Submission("hide", {"target": PIRATE}))

    def read_names(client: Client) -> list[str]:
        page = client.get(f"/encounters/{started.pk}/programs/").content.decode()
        shown = re.search(r'<pre class="sample">(.*?)</pre>', page, re.DOTALL)
        assert shown
        sample = json.loads(unescape(shown[1]))
        assert (sample["name"], sample["phase"]) == (started.name, "fight")
        return [one["name"] for one in sample["combatants"]]

    assert read_names(cast.gm) == ["Zara", "Pirate", "Marcus"]
    assert read_names(cast.player) == ["Zara", "Marcus"]


def test_account_page_lists_programs_with_encounter_and_last_use(started: Encounter, cast: Cast) -> None:
    program = Program(make(cast.gm, started, "Quux"))
    Program(make(cast.player, started, "Foreign"))
    page = cast.gm.get("/accounts/devices/").content.decode()
    assert "Quux" in page
    assert started.name in page
    assert "not used yet" in page
    assert "Foreign" not in page
    program.get("state")
    page = cast.gm.get("/accounts/devices/").content.decode()
    assert "last used" in page
    assert "not used yet" not in page


def test_program_is_ended_on_the_account_page_by_its_owner_alone(started: Encounter, cast: Cast) -> None:
    program = Program(make(cast.gm, started))
    number = ProgramToken.objects.get().pk
    answer = cast.stranger.post("/accounts/devices/", {"program": number}, follow=True)
    assert "That token is gone" in answer.content.decode()
    program.get("state")
    answer = cast.gm.post("/accounts/devices/", {"program": number}, follow=True)
    assert "token is ended" in answer.content.decode()
    program.get("state", 401)


def test_changed_password_asks_about_programs_only_if_any_exist(started: Encounter, cast: Cast) -> None:
    assert "keep_programs" not in cast.gm.get("/accounts/password/change/").content.decode()
    make(cast.gm, started, "Quux")
    page = cast.gm.get("/accounts/password/change/").content.decode()
    assert f"Quux at {started.name}" in page
    assert read(cast.gm.get("/accounts/password/change/")).all("input", name="keep_programs")


def test_unused_token_ends_after_three_months(started: Encounter, cast: Cast) -> None:
    used, unused = Program(make(cast.gm, started, "Used")), Program(make(cast.gm, started, "Unused"))
    long_ago = timezone.now() - UNUSED
    ProgramToken.objects.update(created=long_ago)
    ProgramToken.objects.filter(name="Used").update(used=long_ago + timedelta(days=1))
    used.get("state")
    unused.get("state", 401)
    page = cast.gm.get(f"/encounters/{started.pk}/programs/").content.decode()
    assert "Unused" not in page
