"""AccountAdapter: GMs, one-time links, and regaining access."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from characters.accounts import users
from characters.accounts.forms import PasskeyForm
from characters.models import SignInLink
from cosmos_site.base.data_lock import lock_data_directory, tell_address
from tests.combat.visit import read

PASSWORD = "seven purple moons"


def test_make_gm_gives_no_password(gm: User) -> None:
    assert not gm.has_usable_password()
    assert list(users.find_gms()) == [gm]
    assert not users.can_sign_in_alone(gm)


@pytest.mark.parametrize("name", ["gm", "GM", "", "two words", "x" * 151])
def test_make_gm_refuses_taken_and_impossible_names(gm: User, name: str) -> None:
    with pytest.raises(ValidationError):
        users.make_gm(name)


def test_find_or_make_gm_makes_one_and_only_one(db: None) -> None:
    User.objects.create_user("gm")  # a player took the name
    first = users.find_or_make_gm()
    assert first.username == "gm-2"
    assert users.find_or_make_gm() == first


def test_token_is_long_and_stored_only_as_a_hash(gm: User) -> None:
    token = users.make_sign_in_link(gm)
    assert len(token) >= 22  # 128 bits, 6 bits a letter
    assert token not in str(SignInLink.objects.values())


def test_link_works_once_in_a_day_unless_replaced_or_disabled(gm: User) -> None:
    older, token = users.make_sign_in_link(gm), users.make_sign_in_link(gm)
    assert users.use_sign_in_link(older) is None
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert users.use_sign_in_link(token) is None
    User.objects.update(is_active=False)
    assert users.use_sign_in_link(token) is None
    User.objects.update(is_active=True)
    assert users.use_sign_in_link(token) == gm
    assert users.use_sign_in_link(token) is None


def test_looking_at_the_link_does_not_burn_it(gm: User, client: Client) -> None:
    address = f"/sign-in/{users.make_sign_in_link(gm)}/"
    for _ in range(2):
        page = client.get(address)
        assert page.status_code == 200
        assert "no-store" in page["Cache-Control"]
    assert "_auth_user_id" not in client.session
    assert client.post(address).status_code == 302
    assert client.session["_auth_user_id"] == str(gm.pk)


def test_signing_in_by_link_leads_to_a_password_and_can_skip_it(gm: User, client: Client) -> None:
    answer = client.post(f"/sign-in/{users.make_sign_in_link(gm)}/", follow=True)
    assert answer.redirect_chain == [("/accounts/password/set/", 302)]
    assert '<a class="btn btn-quiet" href="/">Skip for now</a>' in answer.content.decode()
    answer = client.post("/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD})
    assert answer["Location"] == "/"
    assert "Password set." in client.get("/").content.decode()
    assert "_auth_user_id" in client.session
    assert Client().login(username="gm", password=PASSWORD)


def test_signing_in_by_link_skips_the_password_of_who_has_one(gm: User, client: Client) -> None:
    gm.set_password(PASSWORD)
    gm.save()
    answer = client.post(f"/sign-in/{users.make_sign_in_link(gm)}/")
    assert answer["Location"] == "/"


def test_signing_in_by_link_changes_the_session_key(gm: User, client: Client) -> None:
    session = client.session
    session["seat"] = "kept"
    session.save()
    planted = session.session_key
    client.post(f"/sign-in/{users.make_sign_in_link(gm)}/")
    assert client.session.session_key != planted
    assert not Session.objects.filter(session_key=planted).exists()
    assert client.session["seat"] == "kept"


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("token", ["unknown", "%00", "é" * 300])
def test_unknown_link_is_gone(db: None, client: Client, method: str, token: str) -> None:
    answer = getattr(client, method)(f"/sign-in/{token}/")
    assert answer.status_code == 410
    assert "no longer works" in answer.content.decode()
    assert "_auth_user_id" not in client.session


def test_reset_access_takes_everything_away_and_gives_one_link(gm: User, gm_client: Client) -> None:
    gm.set_password(PASSWORD)
    gm.save()
    gm_client.force_login(gm)
    Authenticator.objects.create(user=gm, type=Authenticator.Type.TOTP, data={})
    assert gm_client.get("/accounts/password/change/").status_code == 200
    token = users.reset_access(gm)
    assert gm_client.get("/accounts/password/change/").status_code == 302
    assert not Client().login(username="gm", password=PASSWORD)
    assert not Authenticator.objects.exists()
    assert users.use_sign_in_link(token) == gm


@pytest.mark.parametrize("alone", [True, False, None])
def test_a_passkey_is_a_way_in_unless_it_is_only_a_second_step(
    gm: User, gm_client: Client, alone: bool | None
) -> None:
    """An older one may be that, or may not tell."""
    credential = {"clientExtensionResults": {"credProps": {"rk": alone}}}
    Authenticator.objects.create(
        user=gm, type=Authenticator.Type.WEBAUTHN, data={"name": "Laptop", "credential": credential}
    )
    assert users.can_sign_in_alone(gm) is bool(alone)
    page = read(gm_client.get("/accounts/me/"))
    assert ("you need a new link from the host" in page.one("main").text) is not alone


@pytest.mark.parametrize(("told", "alone"), [({}, True), ({"rk": True}, True), ({"rk": False}, False)])
def test_new_passkey_signs_in_alone(
    gm: User, monkeypatch: pytest.MonkeyPatch, told: dict[str, bool], alone: bool
) -> None:
    """Not every browser tells; each has been asked for no other."""
    seen = SimpleNamespace(is_user_verified=lambda: True)
    monkeypatch.setattr("allauth.mfa.webauthn.internal.auth.parse_registration_response", lambda _: None)
    monkeypatch.setattr("allauth.mfa.webauthn.internal.auth.complete_registration", lambda _: seen)
    sent = {"name": "Laptop", "credential": json.dumps({"clientExtensionResults": {"credProps": told}})}
    form = PasskeyForm(data=sent, user=gm)
    assert form.is_valid()
    data = {"credential": form.cleaned_data["credential"]}
    Authenticator.objects.create(user=gm, type=Authenticator.Type.WEBAUTHN, data=data)
    assert users.can_sign_in_alone(gm) is alone
    seen.is_user_verified = lambda: False
    assert not PasskeyForm(data=sent, user=gm).is_valid(), "a key without a finger, a face or a PIN"


@pytest.mark.parametrize(("host", "first"), [("localhost:8000", "webauthn/"), ("127.0.0.1:8000", "")])
def test_working_passkey_is_asked_for_before_recovery_codes(
    gm: User, gm_client: Client, host: str, first: str
) -> None:
    for kind in (Authenticator.Type.RECOVERY_CODES, Authenticator.Type.WEBAUTHN):
        Authenticator.objects.create(user=gm, type=kind, data={})
    answer = gm_client.get("/accounts/2fa/webauthn/add/", HTTP_HOST=host)
    assert answer["Location"].startswith(f"/accounts/2fa/{first}reauthenticate/?next=")


def run(*words: str) -> str:
    written = StringIO()
    call_command(*words, stdout=written)
    return written.getvalue()


def test_make_gm_command_prints_a_link_that_works(db: None, client: Client) -> None:
    written = run("make_gm", "rhea", "--address", "https://table.example/")
    address = written.split()[-1]
    assert address.startswith("https://table.example/sign-in/")
    client.post(address.removeprefix("https://table.example"))
    assert client.session["_auth_user_id"] == str(User.objects.get(username="rhea", is_staff=True).pk)


def test_commands_say_what_is_wrong(gm: User) -> None:
    with pytest.raises(CommandError, match="gm already has an account"):
        run("make_gm", "gm")
    for name in ("", "GM of all", "g" * 151):
        with pytest.raises(CommandError, match="A name has 1 to 150 letters, digits and"):
            run("make_gm", name)
    with pytest.raises(CommandError, match="No account is called rhea"):
        run("reset_access", "rhea")
    assert "/sign-in/" in run("reset_access", "GM")


def test_sign_up_needs_only_a_name_and_makes_no_gm(db: None, client: Client) -> None:
    answer = client.post(
        "/accounts/signup/", {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert answer["Location"] == "/"
    assert not User.objects.get(username="ada").is_staff


def test_name_signs_in_in_any_case_and_phones_do_not_alter_it(db: None, client: Client) -> None:
    client.post("/accounts/signup/", {"username": "Élodie", "password1": PASSWORD, "password2": PASSWORD})
    visitor = Client()
    assert visitor.post("/accounts/login/", {"login": "élodie", "password": PASSWORD}).status_code == 302
    assert visitor.session["_auth_user_id"] == str(User.objects.get().pk)
    for address, name in (("login", "login"), ("signup", "username")):
        field = read(Client().get(f"/accounts/{address}/")).one("input", name=name)
        assert (field["autocapitalize"], field["autocorrect"]) == ("none", "off")


def test_closed_account_is_told_whom_to_ask(gm: User, client: Client) -> None:
    gm.set_password(PASSWORD)
    gm.is_active = False
    gm.save()
    answer = client.post("/accounts/login/", {"login": "gm", "password": PASSWORD}, follow=True)
    page = read(answer)
    assert page.one("h1").text == "Account closed"
    assert "The host has closed this account. Ask them to open it again." in page.one("main").text
    assert "_auth_user_id" not in client.session


def test_sign_up_can_be_closed(db: None, client: Client, settings: Settings) -> None:
    settings.COSMOS_SIGNUP = "closed"
    answer = client.post(
        "/accounts/signup/", {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert not User.objects.exists()
    assert answer.status_code == 200
    assert "closed" in answer.content.decode().lower()


@pytest.mark.parametrize(
    "there", ["https://elsewhere.example/", "//elsewhere.example/", "/\\elsewhere.example"]
)
@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/accounts/login/", {"login": "gm", "password": PASSWORD}),
        ("/accounts/signup/", {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}),
        ("/accounts/logout/", {}),
        ("/accounts/reauthenticate/", {"password": PASSWORD}),
    ],
)
def test_no_form_of_the_accounts_leads_to_another_site(
    gm: User, client: Client, address: str, form: dict[str, str], there: str
) -> None:
    gm.set_password(PASSWORD)
    gm.save()
    if not form.keys() & {"login", "username"}:
        client.force_login(gm)
    answer = client.post(f"{address}?next={there}", {**form, "next": there})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/")
    assert "elsewhere" not in answer["Location"]


def test_account_page_offers_every_way_in(gm: User, gm_client: Client) -> None:
    page = gm_client.get("/accounts/me/").content.decode()
    for way in ("/accounts/password/set/", "/accounts/2fa/", "/accounts/2fa/webauthn/"):
        assert f'href="{way}"' in page
    assert 'href="/accounts/me/"' in gm_client.get("/").content.decode()
    gm.set_password(PASSWORD)
    gm.save()
    gm_client.force_login(gm)
    page = gm_client.get("/accounts/me/", HTTP_HOST="localhost:8000").content.decode()
    assert 'href="/accounts/password/change/"' in page
    assert 'href="/accounts/2fa/webauthn/add/"' in page


NEEDS_NAME = "Passkeys need a name: open http://localhost:8000 or your https address."


@pytest.mark.parametrize(
    ("host", "secure", "works"),
    [
        ("localhost:8000", False, True),
        ("table.localhost:8000", False, True),
        ("table.example", True, True),
        ("127.0.0.1:8000", False, False),
        ("192.168.1.20:8000", False, False),
        ("192.168.1.20:8000", True, False),
        ("[::1]:8000", False, False),
        ("table.example:8000", False, False),
    ],
)
def test_passkeys_are_offered_only_where_browsers_keep_them(
    settings: Settings, gm: User, gm_client: Client, host: str, secure: bool, works: bool
) -> None:
    """Elsewhere every page says what works, and has no button that does nothing."""
    settings.ALLOWED_HOSTS = ["*"]
    sign_in, account = Client(), gm_client
    for client, address, button in (
        (sign_in, "/accounts/login/", 'id="passkey_login"'),
        (account, "/accounts/2fa/", 'href="/accounts/2fa/webauthn/add/"'),
        (account, "/accounts/2fa/webauthn/", 'href="/accounts/2fa/webauthn/add/"'),
        (account, "/accounts/2fa/webauthn/add/", 'id="mfa_webauthn_add"'),
    ):
        page = client.get(address, HTTP_HOST=host, secure=secure).content.decode()
        assert (button in page) is works, address
        assert (NEEDS_NAME in page) is not works, address
    if works:
        assert f"It works only at {host}." in page


def test_passkey_is_called_one_everywhere(gm: User, gm_client: Client) -> None:
    for address in ("me/", "2fa/", "2fa/webauthn/", "2fa/webauthn/add/"):
        page = gm_client.get(f"/accounts/{address}", HTTP_HOST="localhost").content.decode()
        assert "security key" not in page.lower()
    assert 'value="Passkey"' in page
    assert render_to_string("mfa/messages/webauthn_added.txt").strip() == "Passkey added."
    assert render_to_string("mfa/messages/webauthn_removed.txt").strip() == "Passkey removed."


@pytest.mark.parametrize(
    "address", ["/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/"]
)
def test_passkeys_and_authenticator_apps_are_offered(gm_client: Client, address: str) -> None:
    page = gm_client.get(address)
    assert page.status_code == 200
    assert b"data:" not in page.content
    assert b"style=" not in page.content


def test_lost_password_page_says_who_can_help(client: Client, db: None) -> None:
    assert "reset_access" in client.get("/accounts/password/reset/").content.decode()


def test_no_page_asks_for_an_address_that_nothing_would_use(gm: User, gm_client: Client) -> None:
    found = gm_client.get("/accounts/email/", follow=True)
    assert found.redirect_chain == [("/accounts/me/", 302)]
    assert "No e-mail recovery here" in found.content.decode()


# ---- Typing errors ----


def attempt(name: str, password: str = "wrong", address: str = "192.168.0.7") -> str:
    """Try to sign in; return the page's error."""
    sent = {"login": name, "password": password}
    answer = Client(REMOTE_ADDR=address).post("/accounts/login/", sent)
    if answer.status_code == 302:
        return ""
    text = answer.content.decode()
    return "too many" if "Too many wrong sign-ins" in text else "wrong" if "not correct" in text else text


@pytest.mark.django_db
def test_typing_errors_lock_out_no_other_name_or_address() -> None:
    for name in ("rhea", "ben"):
        User.objects.create_user(name, password="seven purple moons")
    said = [attempt("rhea") for _ in range(20)]
    assert said == ["wrong"] * 5 + ["too many"] * 15
    assert attempt("rhea", "seven purple moons") == "too many"
    assert attempt("ben", "seven purple moons") == "", "another one in the same household"
    assert attempt("rhea", "seven purple moons", "10.0.0.9") == "", "themself from elsewhere"


@pytest.mark.django_db
def test_those_who_sign_in_rightly_are_not_counted() -> None:
    User.objects.create_user("rhea", password="seven purple moons")
    assert {attempt("rhea", "seven purple moons") for _ in range(20)} == {""}


@pytest.mark.django_db
def test_guessing_is_bounded_for_a_name_and_for_an_address() -> None:
    User.objects.create_user("rhea", password="seven purple moons")
    from_everywhere = [attempt("rhea", address=f"10.0.0.{n}") for n in range(40)]
    assert from_everywhere == ["wrong"] * 30 + ["too many"] * 10
    all_names = [attempt(f"name{n}", address="10.0.1.1") for n in range(30)]
    assert all_names == ["wrong"] * 30
    assert "wrong" not in attempt("another", address="10.0.1.1")


@pytest.mark.django_db
@pytest.mark.parametrize(("addresses", "tries", "wait"), [(1, 5, "300"), (40, 30, "3600")])
def test_one_too_many_is_told_as_such_and_until_when(addresses: int, tries: int, wait: str) -> None:
    User.objects.create_user("rhea", password="seven purple moons")
    sent = {"login": "rhea", "password": "wrong"}
    answers = [
        Client(REMOTE_ADDR=f"10.0.0.{n % addresses}").post("/accounts/login/", sent) for n in range(tries + 1)
    ]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert (answers[-1].status_code, answers[-1]["Retry-After"]) == (429, wait)
    text = answers[-1].content.decode()
    assert f"wait {'an hour' if wait == '3600' else '5 minutes'}, then try again." in text


@pytest.mark.django_db
def test_wrong_authenticator_codes_end_with_the_same_answer() -> None:
    person = User.objects.create_user("rhea", password="seven purple moons")
    TOTP.activate(person, generate_totp_secret())
    client = Client()
    client.post("/accounts/login/", {"login": "rhea", "password": "seven purple moons"})
    answers = [client.post("/accounts/2fa/authenticate/", {"code": "000000"}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert answers[-1]["Retry-After"] == "300"


# Modules that count what is sent, so that there can be one too many: each answers 429 and says when to go on
LIMITS = {
    "characters/accounts/accounts.py": "signing in: tests above",
    "characters/accounts/visitors.py": "demo fights: test_visitors.py",
    "characters/views/shared.py": "links of sheets: test_shared.py",
    "combat/sharing/codes.py": "codes to join: test_codes.py",
    "combat/sharing/reminders.py": "reminders: test_reminding.py",
    "combat/sharing/programs.py": "requests of programs: test_api.py",
    "combat/pages/map/pens.py": "pieces of lines: test_pens.py",
    "combat/pages/map/previews.py": "pings: test_points.py",
}


def test_every_limit_is_known() -> None:
    root = Path(__file__).resolve().parents[3]
    files = [path for room in ("characters", "combat", "cosmos_site") for path in (root / room).rglob("*.py")]
    counting = ("ratelimit.consume(", "cache.add(", "cache.incr(")
    found = {
        str(path.relative_to(root)) for path in files if any(word in path.read_text() for word in counting)
    }
    assert found == LIMITS.keys(), "what is one too many is answered with 429 and Retry-After"


# ---- Where links lead ----


def test_sign_in_link_leads_to_the_table_running_with_this_data(
    gm: User, settings: Settings, tmp_path: Path
) -> None:
    settings.COSMOS_DATA = tmp_path
    with lock_data_directory(tmp_path), tell_address(tmp_path, "http://localhost:8765"):
        assert "http://localhost:8765/sign-in/" in run("reset_access", "gm")
        assert "http://localhost:8765/sign-in/" in run("make_gm", "rhea")
    assert "http://localhost:8000/sign-in/" in run("reset_access", "gm"), "its usual port, where none runs"
    (tmp_path / "address").write_text("http://localhost:8765")
    assert "http://localhost:8000/sign-in/" in run("reset_access", "gm"), "the one that ran was killed"
