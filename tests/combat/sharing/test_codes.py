"""Codes to type: what they open, for how long, how they are read, and how often one may guess."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.crypto import salted_hmac

from combat.models import Encounter, JoinCode, Seat, ShareLink
from combat.rules.core.basics.errors import Refused
from combat.sharing import codes
from combat.sharing.codes import ALPHABET, end_code, find_coded_link, read_code, show_code, spell
from combat.sharing.links import find_token, make_link, open_lasting_link, revoke
from tests.combat.cast import come, enter
from tests.combat.together import at_once
from tests.combat.visit import SLUG, demo_fight, read


@pytest.fixture
def link(started: Encounter) -> ShareLink:
    """The players' link of a fight."""
    return open_lasting_link(started, ShareLink.PLAY)


@pytest.fixture
def code(link: ShareLink) -> str:
    """Its code, as it is shown."""
    return spell(show_code(link))


def open_typed(client: Client, typed: str) -> Any:
    return client.post("/join/", {"code": typed})


def open_address(client: Client, address: str) -> Any:
    """Open an address with a code, and press *Join* there."""
    page = read(client.get(address, follow=True))
    return open_typed(client, page.one("input", id="code")["value"])


# ---- What a code opens ----


@pytest.mark.parametrize("kind", [ShareLink.PLAY, ShareLink.WATCH])
def test_code_leads_to_the_link_it_stands_for(started: Encounter, guest: Client, kind: str) -> None:
    link = open_lasting_link(started, kind)
    code = spell(show_code(link))
    there = f"/join/{find_token(link)}/"
    for answer in (
        open_typed(guest, code),
        open_address(guest, f"/j/{code}"),
        open_address(guest, f"/j/{code}/"),
    ):
        assert (answer.status_code, answer["Location"]) == (303, there)
        assert "no-store" in answer["Cache-Control"]
    assert enter(guest, there, "Ada").status_code == 302
    assert Seat.objects.get().kind == kind


def test_co_gm_never_comes_in_by_a_code(started: Encounter, gm_client: Client, guest: Client) -> None:
    link = open_lasting_link(started, ShareLink.CO_GM)
    with pytest.raises(Refused, match="players and spectators"):
        show_code(link)
    posted = {"do": "code", "link": link.pk}
    assert gm_client.post(f"/encounters/{started.pk}/share/", posted).status_code == 409
    gm_client.post(f"/encounters/{started.pk}/share/", {"do": "open", "kind": "co-gm"})
    assert not JoinCode.objects.exists()
    shown = show_code(open_lasting_link(started, ShareLink.PLAY))
    JoinCode.objects.update(link=link, nonce=shown.nonce)  # not even if someone wrote it into the database
    word = codes._derive(link.pk, shown.nonce)
    JoinCode.objects.update(digest=codes._find_digest(word))
    assert open_typed(guest, word).status_code == 404


def test_link_that_moves_a_seat_has_no_code(started: Encounter) -> None:
    come(started, "play", "Ada")
    link, _ = make_link(started, "play", "phone", uses=1, moves=Seat.objects.get())
    with pytest.raises(Refused):
        show_code(link)


def test_code_is_not_kept_and_cannot_be_guessed_from_a_copy(link: ShareLink, code: str) -> None:
    """The stored digest needs the secret key: the 40 bits alone would be found in a day."""
    stored = str(JoinCode.objects.values()) + str(ShareLink.objects.values())
    word = code.replace("-", "")
    assert code not in stored
    assert word not in stored
    digest = JoinCode.objects.get().digest
    other = salted_hmac("combat.code.digest", word, "another key", algorithm="sha256").hexdigest()
    assert (len(digest), digest == other) == (64, False)


@pytest.mark.slow
def test_codes_have_forty_bits_without_look_alikes(started: Encounter) -> None:
    assert len(ALPHABET) == len(set(ALPHABET)) == 32
    assert not set("ILOU") & set(ALPHABET)
    link, seen = open_lasting_link(started, ShareLink.PLAY), []
    for _ in range(60):
        end_code(link)
        seen.append(spell(show_code(link)))
    assert len(set(seen)) == 60
    assert {len(code) for code in seen} == {9}
    assert len(set("".join(seen)) - {"-"}) > 25, "nearly every sign occurs"


# ---- How long ----


def test_code_stays_the_same_while_it_is_shown(link: ShareLink, code: str) -> None:
    assert spell(show_code(link)) == code


def test_code_ends_when_it_is_turned_off_and_the_link_does_not(
    gm_client: Client, guest: Client, link: ShareLink, code: str
) -> None:
    here = f"/encounters/{link.encounter_id}/share/"
    gm_client.post(here, {"do": "end_code", "link": link.pk})
    assert open_typed(guest, code).status_code == 404
    assert code not in gm_client.get(here).content.decode()
    assert guest.get(f"/join/{find_token(link)}/").status_code == 200
    gm_client.post(here, {"do": "code", "link": link.pk})
    assert spell(JoinCode.objects.get()) != code


def test_code_ends_after_a_time(gm_client: Client, guest: Client, link: ShareLink, code: str) -> None:
    gm_client.get("/")
    with time_machine.travel(timezone.now() + timedelta(hours=codes.HOURS, seconds=1), tick=False):
        assert open_typed(guest, code).status_code == 404
        gm_client.force_login(link.encounter.owner)
        page = gm_client.get(f"/encounters/{link.encounter_id}/share/").content.decode()
        assert code not in page
        assert "Show a code" in page
        assert spell(show_code(link)) != code
    assert JoinCode.objects.count() == 1


def test_code_ends_with_its_link(guest: Client, link: ShareLink, code: str) -> None:
    revoke(link)
    assert open_typed(guest, code).status_code == 404


def test_code_of_another_secret_key_opens_nothing(link: ShareLink, code: str, settings: Any) -> None:
    settings.SECRET_KEY = "another key of another machine, as long as any other one"
    assert find_coded_link(read_code(code)) is None
    assert spell(JoinCode.objects.get()) == ""


# ---- Reading ----


@pytest.mark.parametrize(
    "typed",
    [
        "7k4pm2qx",
        " 7K4P-M2QX\n",
        "7K4P M2QX",
        "7K4P\u2013M2QX",
        "7k 4p m2 qx",
        "http://192.168.1.20:8410/j/7K4P-M2QX/",
        "192.168.1.20:8410/j/7k4p-m2qx",
        "\uff17K4P\u2212M2QX",
    ],
)
def test_code_is_read_however_it_is_typed(typed: str) -> None:
    assert read_code(typed) == "7K4PM2QX"


def test_signs_that_look_alike_count_as_those_that_are_used() -> None:
    assert read_code("oIl0-LiOu") == "0110110V"


@pytest.mark.parametrize("typed", ["", "7K4P", "7K4P-M2QX-1", "7K4P-M2Q!", "\0" * 8, "x" * 5000, "é" * 8])
def test_what_is_no_code_is_refused_and_costs_nothing(guest: Client, db: None, typed: str) -> None:
    for _ in range(12):
        page = open_typed(guest, typed)
        assert page.status_code == 422
    assert "8 letters and digits" in read(page).one(id="code_error").text
    assert read(page).one("input", id="code")["value"] == typed[:60]


def test_whole_link_may_be_pasted(guest: Client, link: ShareLink) -> None:
    token = find_token(link)
    answer = open_typed(guest, f"  http://testserver/join/{token}/ ")
    assert (answer.status_code, answer["Location"]) == (303, f"/join/{token}/")
    assert open_typed(guest, "https://evil.example/join/" + "a" * 22)["Location"] == f"/join/{'a' * 22}/"


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
def test_typed_words_are_only_text(guest: Client, db: None, name: str) -> None:
    assert name not in open_typed(guest, name).content.decode()


def test_page_for_codes_is_made_for_phones(guest: Client, db: None) -> None:
    page = read(guest.get("/join/"))
    field = page.one("input", id="code")
    assert (field["autocapitalize"], field["autocomplete"], field["spellcheck"]) == (
        "characters",
        "off",
        "false",
    )
    assert read(guest.get("/")).one("a", href="/join/")


# ---- Guessing ----


def test_wrong_codes_cost_and_right_ones_do_not(guest: Client, code: str) -> None:
    for _ in range(15):
        assert open_typed(guest, code).status_code == 303
    for number in range(10):
        typed = f"0000-000{number}"
        answer = open_address(guest, f"/j/{typed}/") if number % 2 else open_typed(guest, typed)
        assert answer.status_code == 404
    for answer in (open_typed(guest, code), open_address(guest, f"/j/{code}/")):
        assert answer.status_code == 429
        assert answer["Retry-After"] == "300"
    assert "Too many wrong codes" in open_typed(guest, code).content.decode()
    neighbour = Client(REMOTE_ADDR="192.168.1.77")
    assert open_typed(neighbour, code).status_code == 303
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=False):
        assert open_typed(guest, code).status_code == 303


@pytest.mark.slow
def test_no_other_page_uses_up_the_tries(guest: Client, code: str) -> None:
    """To open an address with a code is no try, and tells nothing of the code."""
    for number in range(15):
        for answer in (guest.get(f"/j/0000-00{number:02}/"), guest.head(f"/j/0000-00{number:02}/")):
            assert answer.status_code == 200
    right, wrong = (read(guest.get(f"/j/{typed}/")) for typed in (code, "0000-0000"))
    assert right.one("main").text == wrong.one("main").text
    assert guest.get("/j/nonsense-here/").status_code == 422
    assert open_typed(guest, code).status_code == 303


def test_all_together_are_limited_too(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "WRONG", {**codes.WRONG, "code_all": "3/h/key"})
    for number in range(3):
        assert open_typed(Client(REMOTE_ADDR=f"10.0.0.{number}"), "0000-0000").status_code == 404
    assert open_typed(Client(REMOTE_ADDR="10.0.0.9"), code).status_code == 429


# ---- Two at once ----


@pytest.mark.django_db(transaction=True)
def test_two_who_share_at_once_make_one_link_and_one_code(gm: User) -> None:
    encounter = demo_fight(gm, SLUG)

    def share() -> tuple[int, str]:
        link = open_lasting_link(encounter, ShareLink.PLAY)
        return link.pk, spell(show_code(link))

    seen = at_once(*[share] * 4)
    assert (len(seen), len(set(seen))) == (4, 1)
    assert ShareLink.objects.count() == JoinCode.objects.count() == 1


def test_each_sign_is_five_bits_of_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lowest bits first, so that each of the 32 signs is as likely as another."""
    for signs in ((0, 1, 2, 3, 4, 5, 6, 7), (31, 0, 31, 0, 16, 8, 1, 30)):
        number = sum(sign << 5 * place for place, sign in enumerate(signs)) + (1 << 40)
        digest = SimpleNamespace(digest=lambda number=number: number.to_bytes(32))
        monkeypatch.setattr(codes, "salted_hmac", lambda *_, digest=digest, **__: digest)
        assert codes._derive(1, "nonce") == "".join(ALPHABET[sign] for sign in signs)


def test_a_code_works_until_its_time_and_not_at_it(link: ShareLink) -> None:
    made = show_code(link)
    link.refresh_from_db()
    for seconds, works in ((-1, True), (0, False), (1, False)):
        with time_machine.travel(made.expires + timedelta(seconds=seconds), tick=False):
            assert (codes.find_code(link) is not None) == works
            assert (find_coded_link(read_code(spell(made))) is not None) == works
