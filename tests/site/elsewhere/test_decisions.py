"""What people see and may do while a table is asked for, open to the internet, and closed again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client

from combat.sharing import invitations
from combat.sharing.links import make_link
from cosmos_site.base.outside import OUTSIDE, Outside
from tests.combat.cast import ROLES, gather
from tests.combat.visit import ZARA, demo_fight, read
from tests.typed import Answer

TUNNEL = "abc-def.trycloudflare.com"
PASSWORD = "seven purple moons"
PORT = 8000
OTHERS = [role for role in ROLES if role != "gm"]


def decide(client: Client, do: str, host: str = TUNNEL, **more: Any) -> Answer:
    return client.post("/elsewhere/", {"do": do, "host": host}, **more)


@pytest.fixture
def asked(outside: Outside) -> Outside:
    """A tunnel asks."""
    outside.ask(TUNNEL, PORT)
    return outside


@pytest.fixture
def opened(outside: Outside) -> Outside:
    """The table was started with `--at`."""
    outside.begin("table.example")
    return outside


def test_gm_is_asked_and_opens_and_stops(asked: Outside, gm_client: Client) -> None:
    page = gm_client.get("/").content.decode()
    assert re.search(rf"opened as\s+<b>{TUNNEL}</b>. Is that your tunnel\?", page)
    answer = decide(gm_client, "allow", headers={"referer": "http://testserver/encounters/?page=2"})
    assert (answer.status_code, answer["Location"]) == (303, "/encounters/?page=2")
    page = gm_client.get("/").content.decode()
    assert "Open to the internet since" in page
    assert "Is that your tunnel?" not in page
    assert gm_client.get("/", headers={"host": TUNNEL}, secure=True).status_code == 200
    decide(gm_client, "stop")
    assert "Open to the internet" not in gm_client.get("/").content.decode()
    assert gm_client.get("/", headers={"host": TUNNEL}, secure=True).status_code == 400


def test_gm_ignores_a_name_for_good_until_they_allow_it(asked: Outside, gm_client: Client) -> None:
    decide(gm_client, "ignore")
    asked.ask(TUNNEL, PORT)
    assert TUNNEL not in gm_client.get("/").content.decode()
    assert gm_client.get("/", headers={"host": TUNNEL}).status_code == 400
    assert decide(gm_client, "allow").status_code == 303
    assert asked.addresses == [f"https://{TUNNEL}"]


def test_only_the_gm_of_the_machine_sees_and_decides(asked: Outside, gm: User) -> None:
    started = demo_fight(gm)
    cast = gather(started, ZARA, "f3")
    asked.begin("table.example")
    for page in ("/", f"/encounters/{started.pk}/"):
        shown = cast.gm.get(page).content.decode()
        assert TUNNEL in shown
        assert "Open to the internet" in shown
    for role in OTHERS:
        for page in ("/", f"/encounters/{started.pk}/", f"/join/x/?{role}"):
            shown = cast[role].get(page, follow=True).content.decode()
            assert TUNNEL not in shown, role
            assert "table.example" not in shown, role
        for do in ("allow", "ignore", "stop"):
            assert decide(cast[role], do).status_code == 403, role
            assert decide(cast[role], do, "table.example").status_code == 403, role
        assert cast[role].get("/elsewhere/", headers={"hx-request": "true"}).status_code == 403
    assert (asked.look().asked, asked.addresses) == ((TUNNEL,), ["https://table.example"])


@pytest.mark.parametrize(
    ("do", "host", "status", "said"),
    [
        ("allow", "never.example", 409, "No tunnel asks for that name"),
        ("allow", "", 409, "No tunnel asks for that name"),
        ("allow", "<b>", 409, "No tunnel asks for that name"),
        ("dance", TUNNEL, 422, "Choose Allow"),
        ("", TUNNEL, 422, "Choose Allow"),
    ],
)
def test_wrong_decision_is_refused_in_words(
    asked: Outside, gm_client: Client, do: str, host: str, status: int, said: str
) -> None:
    answer = decide(gm_client, do, host)
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert asked.look().asked == (TUNNEL,)
    assert asked.addresses == []


def test_decision_needs_the_secret_of_the_form(asked: Outside, gm: User, strict_client: Client) -> None:
    strict_client.force_login(gm)
    assert decide(strict_client, "allow").status_code == 403
    assert asked.addresses == []
    assert strict_client.get("/elsewhere/").status_code == 302, "looking decides nothing"


def test_hosted_site_has_no_such_decisions(outside: Outside, gm_client: Client) -> None:
    outside.is_offered = False
    outside.ask(TUNNEL, PORT)
    assert decide(gm_client, "allow").status_code == 404
    assert gm_client.get("/elsewhere/").status_code == 404
    assert TUNNEL not in gm_client.get("/").content.decode()
    refused = gm_client.get("/", headers={"host": TUNNEL, "x-forwarded-proto": "https"})
    assert refused.status_code == 400
    assert "--at" not in refused.content.decode()


def test_notice_is_sent_again_only_when_it_has_changed(asked: Outside, gm_client: Client) -> None:
    notice = read(gm_client.get("/")).one(id="outside")
    script = {"hx-request": "true"}
    assert gm_client.get(notice["hx-get"], headers=script).status_code == 204
    decide(gm_client, "allow")
    answer = gm_client.get(notice["hx-get"], headers=script)
    assert answer.status_code == 200
    assert "Open to the internet" in answer.content.decode()
    assert "<main" not in answer.content.decode()


# ---- The pages that refuse ----


@pytest.mark.parametrize("peer", ["127.0.0.1", "203.0.113.9"])
def test_unknown_name_by_https_is_told_what_to_type(outside: Outside, client: Client, peer: str) -> None:
    answer = client.get(
        "/", headers={"host": "table.example", "x-forwarded-proto": "https"}, REMOTE_ADDR=peer
    )
    assert answer.status_code == 400
    assert "play --at https://table.example<" in answer.content.decode()
    assert "The table does not know this address" in answer.content.decode()


def test_name_that_asks_is_told_that_the_gm_can_allow_it(asked: Outside, client: Client) -> None:
    page = client.get("/", headers={"host": TUNNEL, "x-forwarded-proto": "https"}).content.decode()
    assert "The GM has not opened this address" in page
    assert f"play --at https://{TUNNEL}<" in page


@pytest.mark.parametrize("host", ['a"><script>x</script>', "a b", "203.0.113.7", "[::1", "x" * 300])
def test_no_command_is_made_up_for_what_is_no_name(outside: Outside, client: Client, host: str) -> None:
    answer = client.get("/", headers={"host": host, "x-forwarded-proto": "https"})
    assert answer.status_code == 400
    assert "--at" not in answer.content.decode()
    assert "<script>x" not in answer.content.decode()


def test_unknown_name_by_http_is_told_no_command(outside: Outside, client: Client) -> None:
    page = client.get("/", headers={"host": "laptop.box"}).content.decode()
    assert "is not called “laptop.box”" in page
    assert "--at" not in page


# ---- At an open address ----


def sign_in(client: Client, host: str, secure: bool, **headers: str) -> Answer:
    """Open the sign-in page and send its form, as a browser does."""
    sent = {"host": host, **headers}
    client.get("/accounts/login/", headers={"host": host}, secure=secure)
    form = {"login": "gm", "password": PASSWORD, "csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    return client.post("/accounts/login/", form, headers=sent, secure=secure)


@pytest.fixture
def with_password(gm: User) -> User:
    """The GM, who signs in by a password."""
    gm.set_password(PASSWORD)
    gm.save()
    return gm


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://table.example", 302),
        ("http://table.example", 403),
        ("https://elsewhere.example", 403),
        ("https://table.example.evil.example", 403),
        ("https://table.example:8443", 403),
        ("null", 403),
    ],
)
def test_forms_come_from_the_open_address_alone(
    opened: Outside, with_password: User, strict_client: Client, origin: str, status: int
) -> None:
    answer = sign_in(strict_client, "table.example", secure=True, origin=origin)
    assert answer.status_code == status


def test_form_passed_on_under_another_name_is_told_what_is_wrong(
    outside: Outside, with_password: User, strict_client: Client
) -> None:
    forwarded = {"origin": "https://table.example", "x-forwarded-proto": "https"}
    answer = sign_in(strict_client, "localhost", secure=False, **forwarded)
    assert answer.status_code == 403
    assert "play --at https://table.example<" in answer.content.decode()
    plain = sign_in(strict_client, "localhost", secure=False, origin="https://table.example")
    assert "--at" not in plain.content.decode()


@pytest.mark.parametrize(("host", "secure"), [("table.example", True), ("192.168.7.7", False)])
def test_cookies_are_as_secure_as_their_request(
    opened: Outside, with_password: User, strict_client: Client, host: str, secure: bool
) -> None:
    """The phones at home stay signed in by http while the table is open by https elsewhere."""
    answer = sign_in(strict_client, host, secure, origin=f"{'https' if secure else 'http'}://{host}")
    assert answer.status_code == 302
    assert answer.cookies.keys() >= {"csrftoken", "sessionid"}
    assert {bool(cookie["secure"]) for cookie in answer.cookies.values()} == {secure}
    assert answer.get("Cross-Origin-Opener-Policy", "") == ("same-origin" if secure else "")


@pytest.mark.parametrize("host", ["table.example", "table.example:8000", "Table.example.:80"])
def test_open_address_is_never_used_by_http(opened: Outside, client: Client, host: str) -> None:
    answer = client.post("/accounts/login/?next=/gear/", headers={"host": host})
    assert answer.status_code == 307
    assert answer["Location"] == "https://table.example/accounts/login/?next=/gear/"
    assert not answer.cookies


@pytest.mark.django_db
def test_nobody_signs_up_while_it_is_open(opened: Outside, client: Client) -> None:
    form = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    for host, secure in (("table.example", True), ("192.168.7.7", False)):
        answer = client.post("/accounts/signup/", form, headers={"host": host}, secure=secure)
        assert "Sign-up is closed" in answer.content.decode()
        page = client.get("/accounts/login/", headers={"host": host}, secure=secure).content.decode()
        assert "/accounts/signup/" not in page
        assert "No new accounts while the table is open to the internet" in page
    assert not User.objects.filter(username="ada").exists()
    OUTSIDE.close("table.example")
    assert "/accounts/signup/" in client.get("/accounts/login/").content.decode()
    assert client.post("/accounts/signup/", form).status_code == 302


@pytest.mark.django_db
def test_sign_in_page_offers_no_account_where_the_gm_makes_them(
    settings: LazySettings, client: Client
) -> None:
    settings.COSMOS_SIGNUP = "closed"
    page = client.get("/accounts/login/").content.decode()
    assert "/accounts/signup/" not in page
    assert "The GM creates accounts here" in page


@pytest.mark.parametrize(
    ("host", "secure", "sites"),
    [
        ("localhost:8000", False, ["https://table.example", "http://192.168.7.7:8000"]),
        ("192.168.7.7:8000", False, ["https://table.example", "http://192.168.7.7:8000"]),
        ("table.example", True, ["https://table.example"]),
    ],
)
def test_links_and_codes_lead_to_the_open_address_first(
    opened: Outside,
    gm: User,
    gm_client: Client,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    secure: bool,
    sites: list[str],
) -> None:
    monkeypatch.setattr(invitations, "find_own_addresses", lambda: ["192.168.7.7"])
    fight = demo_fight(gm)
    link, token = make_link(fight, "play", "")
    shown = f"/encounters/{fight.pk}/share/?link={link.pk}"
    page = read(gm_client.get(shown, headers={"host": host}, secure=secure))
    found = [box["value"] for box in page.all("input") if box["id"].startswith("address-")]
    assert found == [f"{site}/join/{token}/" for site in sites]
    assert len(page.all("svg", class_="qr")) == 2 * len(sites), "of the ready link, and as the link asked for"
