"""The page of accounts: only the host finds, changes, closes and deletes them, and makes sign-in links."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.text import slugify
from PIL import Image
from zeal import zeal_ignore

from characters.accounts.users import find_host, make_gm
from characters.exchange.documents import MAX_AT_ONCE
from characters.gear.models import OwnItem
from characters.models import Character
from characters.services import character_service
from combat.audience.rights import grant_of
from combat.models import Campaign, Encounter, Handout, Note, Pack, PackUse, ProgramToken, Seat
from combat.play.after.imports import import_encounter
from combat.play.campaigns.random_tables import read_table, save_table
from combat.play.campaigns.table_notes import save_note
from combat.play.demo import make_demo_fight
from combat.play.packs.documents import MAX_PICTURES, read_document
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.sharing.access import admit_stream, read_present_stamp
from combat.sharing.accounts import mark_things, write_things
from cosmos_site.base.tags import find_digest
from tests.combat.cast import ROLES, Cast
from tests.combat.visit import read, refusal
from tests.typed import Answer, sure

PEOPLE = "/accounts/people/"
LINK = re.compile(r'value="http://testserver(/sign-in/[\w-]+/)"')


@pytest.fixture
def rhea(gm: User) -> User:
    """Someone with an account, after the host."""
    return User.objects.create_user("rhea", password="seven purple moons")


def change(client: Client, person: User, do: str, **fields: str) -> Answer:
    """Press a button of someone's row."""
    return client.post(PEOPLE, {"person": str(person.pk), "do": do, **fields})


def show_row(client: Client, name: str) -> str:
    """What the list says of someone."""
    rows = read(client.get(PEOPLE, {"q": name})).all("li", class_="shelf-line")
    return " ".join(row.text for row in rows)


@pytest.mark.parametrize("role", ROLES)
def test_page_is_for_the_host_alone(cast: Cast, role: str) -> None:
    person = User.objects.create_user("rhea")
    is_host = role == "gm"
    assert cast[role].get(PEOPLE).status_code == (200 if is_host else 404)
    for do in ("link", "close", "download", "open", "rename"):
        answer = change(cast[role], person, do, name="Rhea2")
        answer.close()
        assert answer.status_code == (200 if is_host else 404)
        assert is_host or list(User.objects.filter(username="rhea", is_active=True)) == [person]


def test_second_gm_is_not_the_host(gm_client: Client, rhea: User) -> None:
    second = Client()
    second.force_login(make_gm("second"))
    assert second.get(PEOPLE).status_code == 404
    assert change(second, rhea, "close").status_code == 404
    assert PEOPLE in gm_client.get("/accounts/me/").content.decode()
    assert PEOPLE not in second.get("/accounts/me/").content.decode()


def test_form_needs_the_secret_of_the_browser(gm: User, rhea: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(gm)
    assert change(strict, rhea, "close").status_code == 403
    assert User.objects.get(pk=rhea.pk).is_active


def test_list_says_who_they_are_and_what_they_own(gm_client: Client, rhea: User) -> None:
    User.objects.create_user("Visitor 12ab", password=None)
    make_demo_fight(rhea, "cosmos")
    Character.objects.create(owner=rhea, system="cosmos", name="Zara", sheet={})
    shown = show_row(gm_client, "RHE")
    assert "rhea" in shown
    assert "Never signed in; owns 1 encounter, 1 character" in " ".join(shown.split())
    assert "Visitor 12ab" not in gm_client.get(PEOPLE).content.decode()
    assert "No account has this name." in show_row(gm_client, "nobody")


def test_host_alone_reads_that_players_need_no_account(gm_client: Client) -> None:
    """Their own line stands large, with the way to their account."""
    page = read(gm_client.get(PEOPLE))
    assert page.one("a", inside=page.one("li", class_="is-here"))["href"] == "/accounts/me/"
    assert page.one("h2", id="h-alone").text == "Nobody else has an account"
    assert not read(gm_client.get(PEOPLE, {"q": "g"})).all("h2", id="h-alone")


def test_fifty_accounts_make_a_page(gm_client: Client, rhea: User) -> None:
    User.objects.bulk_create(User(username=f"player{n:02}") for n in range(60))
    first, second = (read(gm_client.get(PEOPLE, {"page": str(n)})) for n in (1, 2))
    assert [len(page.all("li", class_="shelf-line")) for page in (first, second)] == [50, 12]


def test_closed_person_is_out_at_once_and_in_again_when_opened(gm_client: Client, rhea: User) -> None:
    player = Client()
    player.force_login(rhea)
    fight = Encounter.objects.get(pk=make_demo_fight(rhea, "cosmos").pk)
    ProgramToken.objects.create(encounter=fight, name="dice tray", digest=find_digest("x"))
    cookie = f"sessionid={player.cookies['sessionid'].value}".encode()
    grant = sure(admit_stream({"headers": [(b"cookie", cookie)]}, fight.pk))
    assert read_present_stamp(grant)

    answer = change(gm_client, rhea, "close")
    assert "rhea is signed out everywhere and cannot sign in." in answer.content.decode()
    assert "closed" in show_row(gm_client, "rhea")
    assert read_present_stamp(grant) == ""
    assert not ProgramToken.objects.exists()
    assert player.get("/accounts/me/").status_code == 302
    assert not player.login(username="rhea", password="seven purple moons")
    assert Encounter.objects.get(pk=fight.pk).owner == rhea

    assert change(gm_client, rhea, "link").status_code == 409
    assert change(gm_client, rhea, "open").status_code == 200
    assert player.login(username="rhea", password="seven purple moons")


def test_new_link_works_once_and_ends_the_old_ways_in(gm_client: Client, rhea: User) -> None:
    player = Client()
    player.force_login(rhea)
    found = sure(LINK.search(change(gm_client, rhea, "link").content.decode()))
    assert player.get("/accounts/me/").status_code == 302
    assert LINK.search(gm_client.get(PEOPLE).content.decode()) is None, "it is shown once"
    assert [Client().post(found[1]).status_code for _ in range(2)] == [302, 410]
    assert not User.objects.get(pk=rhea.pk).has_usable_password()


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        ("Rhea", 200),
        (" ada ", 200),
        ("", 422),
        ("two words", 422),
        ("other", 422),
        ("0ther", 422),
        ("GM", 422),
    ],
)
def test_rename(gm_client: Client, rhea: User, typed: str, status: int) -> None:
    User.objects.create_user("other")
    assert change(gm_client, rhea, "rename", name=typed).status_code == status
    name = User.objects.get(pk=rhea.pk).username
    assert name == (typed.strip() if status == 200 else "rhea")


@pytest.mark.parametrize("do", ["close", "link", "rename", "open", "delete"])
def test_host_cannot_lock_themselves_out(gm: User, gm_client: Client, do: str) -> None:
    answer = change(gm_client, gm, do, name="other")
    assert answer.status_code == 409
    assert "you would lock yourself out" in refusal(answer)
    assert find_host() == gm


@pytest.mark.parametrize(("person", "do", "status"), [("x", "close", 409), ("999999", "close", 409)])
def test_missing_account_is_refused(gm_client: Client, person: str, do: str, status: int) -> None:
    assert gm_client.post(PEOPLE, {"person": person, "do": do}).status_code == status


def make_closed(rhea: User) -> Encounter:
    """Someone with one thing of each kind, whose account is closed."""
    User.objects.filter(pk=rhea.pk).update(is_active=False)
    Character.objects.create(owner=rhea, system="cosmos", name="Zara", sheet={})
    campaign = Campaign.objects.create(owner=rhea, name="Rim")
    pack = Pack.objects.create(owner=rhea, name="Guns", digest="same", document=zlib.compress(b"{}"))
    PackUse.objects.create(pack=pack, campaign=campaign)
    return Encounter.objects.get(pk=make_demo_fight(rhea, "cosmos").pk)


@pytest.mark.parametrize(
    ("heir", "typed", "said"),
    [
        ("gm", "", "Type the name rhea"),
        ("gm", "gm", "Type the name rhea"),
        ("", "rhea", "Name an open account"),
        ("rhea", "rhea", "Name an open account"),
        ("Visitor 12ab", "rhea", "Name an open account"),
    ],
)
def test_account_is_not_deleted_by_a_click(
    gm_client: Client, rhea: User, heir: str, typed: str, said: str
) -> None:
    User.objects.create_user("Visitor 12ab", password=None)
    fight = make_closed(rhea)
    answer = change(gm_client, rhea, "delete", heir=heir, typed=typed)
    assert answer.status_code == 422
    assert said in refusal(answer)
    assert Encounter.objects.get(pk=fight.pk).owner == rhea


def test_open_account_is_closed_before_it_is_deleted(gm_client: Client, rhea: User) -> None:
    answer = change(gm_client, rhea, "delete", heir="gm", typed="rhea")
    assert (answer.status_code, User.objects.filter(username="rhea").count()) == (409, 1)


@pytest.mark.parametrize("has_twin", [False, True])
def test_what_a_deleted_person_owned_goes_to_another(
    gm: User, gm_client: Client, rhea: User, has_twin: bool
) -> None:
    """A pack that both have stays once, and the campaign still uses it."""
    fight = make_closed(rhea)
    if has_twin:
        Pack.objects.create(owner=gm, name="Guns", digest="same", document=b"")
    answer = change(gm_client, rhea, "delete", heir="GM", typed="rhea")
    assert "rhea is deleted. gm has what they owned." in answer.content.decode()
    assert not User.objects.filter(username="rhea").exists()
    assert gm_client.get(f"/encounters/{fight.pk}/").status_code == 200
    for things in (Character, Campaign, Pack):
        assert set(things.objects.values_list("owner", flat=True)) == {gm.pk}
    assert PackUse.objects.get().pack.owner == gm


def download(client: Client, person: User) -> dict[str, bytes]:
    """The files of a person's download."""
    with zeal_ignore():  # one log at a time: all together may need much memory
        answer = change(client, person, "download")
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == 'attachment; filename="rhea.zip"'
    raw = b"".join(answer)
    answer.close()
    with ZipFile(BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_is_downloaded_then_deleted_can_be_imported_again(
    gm: User, gm_client: Client, rhea: User
) -> None:
    fight = make_closed(rhea)
    save_note(fight.pk, "encounter", "They come at dusk.", 0, grant=grant_of(fight, None))
    picture = fight.pictures.create(digest="x", image=b"webp", width=1, height=1)
    Character.objects.create(owner=rhea, system="cosmos", name="Gone", sheet={}, deleted_at=timezone.now())
    Character.objects.create(owner=rhea, system="cosmos", name="Thug", sheet={}, npc=True)
    name = f"encounters/{fight.pk}-{slugify(fight.name)}"
    other = make_demo_fight(rhea, "tiny")
    files = download(gm_client, rhea)
    assert files.pop(f"encounters/{other.pk}-{slugify(other.name)}.json")
    pack = f"packs/{Pack.objects.get().pk}-guns.json"
    assert sorted(files) == [
        "characters-1.json",
        f"{name}-picture-1.webp",
        f"{name}.json",
        "npcs-1.json",
        pack,
    ]
    assert files[f"{name}-picture-1.webp"] == picture.image

    answer = change(gm_client, rhea, "delete_all", typed="rhea")
    assert "rhea is deleted, with the encounters and characters in your file." in answer.content.decode()
    assert not User.objects.filter(username="rhea").exists()
    assert not Encounter.objects.exists()
    assert not Character.objects.exists()
    for kept in (Campaign, Pack):
        assert set(kept.objects.values_list("owner", flat=True)) == {gm.pk}
    assert PackUse.objects.exists()

    again = import_encounter(gm, files[f"{name}.json"]).encounter
    assert (again.name, again.notes.get().text) == (fight.name, "They come at dusk.")
    names = [one["name"] for one in json.loads(files["characters-1.json"])["characters"]]
    assert sorted(names) == ["Gone", "Zara"]
    assert json.loads(files["npcs-1.json"])["characters"][0]["name"] == "Thug"


def test_download_holds_all_that_someone_wrote(gm: User, gm_client: Client, rhea: User) -> None:
    make_closed(rhea)
    Pack.objects.all().delete()
    campaign = Campaign.objects.get()
    Campaign.objects.update(notes="The duke lies.", options={"cosmos": {"gm_keeps_tracks": True}})
    for table in ("Streets", "Alleys"):
        save_table(Campaign.objects.get(), read_table(table, "1d6", "1-5 nobody\n6 4 thugs"))
    Note.objects.create(campaign=campaign, about="shared", text="We owe 300.")
    image = BytesIO()
    Image.new("RGB", (8, 8)).save(image, "WEBP")
    for number in range(MAX_PICTURES + 1):
        picture = {"image": image.getvalue(), "digest": f"{number}"}
        Handout.objects.create(campaign=campaign, title=f"Letter {number}", text="Come.", **picture)
    record = {"name": "Ray", "damage": 3}
    OwnItem.objects.create(owner=rhea, system="cosmos", kind="weapon", name="Ray", record=record)
    seat = Seat.objects.create(
        encounter=make_demo_fight(gm, "tiny"), user=rhea, name="rhea", kind="play", digest="d"
    )
    Note.objects.create(seat=seat, about="own", text="I trust nobody.")
    files = download(gm_client, rhea)
    name = f"campaigns/{campaign.pk}-rim"
    assert files[f"{name}-notes.md"] == b"The duke lies."
    assert files[f"{name}-shared-notes.md"] == b"We owe 300."
    lines = "1-5 nobody\n6 4 thugs"
    assert files[f"{name}-tables.md"].decode() == f"# Alleys (1d6)\n\n{lines}\n\n# Streets (1d6)\n\n{lines}"
    assert [text for file, text in files.items() if file.startswith("notes/")] == [b"I trust nobody."]
    packs = [read_document(raw) for file, raw in files.items() if file.startswith(f"{name}-pack")]
    assert packs[0].rules == {"cosmos": {"gm_keeps_tracks": True}}
    handouts = [one for pack in packs for one in pack.handouts]
    assert sorted(one.title for one in handouts) == sorted(f"Letter {n}" for n in range(MAX_PICTURES + 1))
    assert {one.picture for one in handouts} == {image.getvalue()}
    (items,) = (read_document(raw) for file, raw in files.items() if "custom-items" in file)
    assert [(one.name, one.record) for one in items.items] == [("Ray", record)]


@pytest.mark.parametrize("thing", ["campaign", "table", "handout", "shared note", "own note", "item"])
def test_what_is_written_since_the_download_changes_its_mark(gm: User, rhea: User, thing: str) -> None:
    campaign = Campaign.objects.create(owner=rhea, name="Rim")
    before = mark_things(rhea)
    if thing == "campaign":
        campaign.notes = "The duke lies."
        campaign.save()
    elif thing == "table":
        save_table(campaign, read_table("Streets", "1d6", "1-6 nobody"))
    elif thing == "handout":
        Handout.objects.create(campaign=campaign, title="Letter", text="Come.")
    elif thing == "shared note":
        Note.objects.create(campaign=campaign, about="shared", text="We owe 300.", revision=1)
    elif thing == "own note":
        fight = make_demo_fight(gm, "tiny")
        seat = Seat.objects.create(encounter=fight, user=rhea, name="rhea", kind="play", digest="d")
        Note.objects.create(seat=seat, about="own", text="Hm", revision=1)
    else:
        OwnItem.objects.create(owner=rhea, system="cosmos", kind="weapon", name="Ray", record={})
    assert mark_things(rhea) != before


def test_long_character_list_is_cut_into_importable_files(rhea: User) -> None:
    Character.objects.bulk_create(
        Character(owner=rhea, system="cosmos", name=f"Zara {n}", sheet={}) for n in range(MAX_AT_ONCE + 1)
    )
    file = BytesIO()
    write_things(rhea, file)
    with ZipFile(file) as archive:
        files = [json.loads(archive.read(f"characters-{n}.json"))["characters"] for n in (1, 2)]
    assert [len(some) for some in files] == [MAX_AT_ONCE, 1]
    assert {one["name"] for some in files for one in some} == {f"Zara {n}" for n in range(MAX_AT_ONCE + 1)}


def test_nothing_is_deleted_before_the_download(gm_client: Client, rhea: User) -> None:
    fight = make_closed(rhea)
    answer = change(gm_client, rhea, "delete_all", typed="rhea")
    assert (answer.status_code, refusal(answer)) == (409, "Download what rhea owns first: delete after that.")
    other = User.objects.create_user("other", is_active=False)
    change(gm_client, other, "download").close()
    assert change(gm_client, rhea, "delete_all", typed="rhea").status_code == 409, "a file of another one"
    assert Encounter.objects.get(pk=fight.pk).owner == rhea


def change_note(fight: Encounter) -> None:
    save_note(fight.pk, "encounter", "At dawn.", 0, grant=grant_of(fight, None))


def change_fight(fight: Encounter) -> None:
    submit(fight.pk, Submission("note", {"text": "Hm"}, by="gm"))


def change_character(fight: Encounter) -> None:
    block = next(iter(find_system(fight.system).book.find_blocks().values()))
    Character.objects.update(sheet=block.sheet)
    character_service.change(Character.objects.get().pk, "Notes", by="gm", notes="Hm")


@pytest.mark.parametrize("change_it", [change_note, change_fight, change_character])
def test_what_changed_since_the_download_is_not_deleted(
    gm_client: Client, rhea: User, change_it: Callable[[Encounter], None]
) -> None:
    fight = make_closed(rhea)
    download(gm_client, rhea)
    change_it(fight)
    answer = change(gm_client, rhea, "delete_all", typed="rhea")
    assert (answer.status_code, "download them again" in refusal(answer)) == (409, True)
    assert Encounter.objects.get(pk=fight.pk).owner == rhea
    download(gm_client, rhea)
    assert change(gm_client, rhea, "delete_all", typed="Rhe").status_code == 422, "another name"
    assert change(gm_client, rhea, "delete_all", typed="rhea").status_code == 200


@pytest.mark.parametrize("do", ["download", "delete_all"])
def test_open_account_is_neither_downloaded_nor_deleted(gm_client: Client, rhea: User, do: str) -> None:
    answer = change(gm_client, rhea, do, typed="rhea")
    assert (answer.status_code, refusal(answer)) == (409, "rhea is open: close the account first.")
    assert User.objects.filter(username="rhea").exists()


def test_unknown_button_is_refused(gm_client: Client, rhea: User) -> None:
    assert change(gm_client, rhea, "explode").status_code == 422
