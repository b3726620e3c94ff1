"""All that ends someone's access, against all that gives it, in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from zeal import zeal_ignore

from characters.accounts.users import make_sign_in_link, reset_access
from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, Seat, ShareLink
from combat.play.campaigns.campaigns import create_campaign, delete_campaign
from combat.play.campaigns.handouts import create_handout, show
from combat.play.demo import make_demo_fight
from combat.sharing.links import make_link, revoke
from combat.sharing.pens import lend_pens, take_pens
from tests.combat.cast import PASSWORD, enter
from tests.combat.live.test_open_events import Program, Server, at_once, server
from tests.combat.live.test_token_events import listen
from tests.combat.markup import Page
from tests.combat.pages.programs.asking import Program as Bot
from tests.combat.pages.programs.asking import make_program
from tests.combat.visit import SLUG, ZARA
from tests.thinning import thin
from tests.typed import sure

__all__ = ["at_once", "server"]  # fixtures
NEW = "green velvet trains"
NAME = "rhea"
# What gives Rhea access. They own a table and a sheet, and sit at the GM's table by an account:
#   here, there       the browser where it happens, and another one that is signed in
#   page              the live stream of an open table in the other browser
#   seat, pen, whatif, handout, file   the table, the drawing pointer, branches and a handout there, and the
#                     export of their own table, in the other browser
#   mine, mystream    a program at their own table, and its stream
#   bot, botstream    a program at the seat, and its stream
#   signin            an unused sign-in link
#   moving            the link that moves the seat to another device
#   invited           the link by which they came, for someone else
#   table, sheet      the links to their table and to their sheet, which others hold
WAYS = """
here there page seat pen whatif handout file mine mystream bot botstream signin moving invited table sheet
""".split()  # noqa: SIM905 - as the lines below
OTHER = "there page seat pen whatif handout file"
PROGRAMS = "mine mystream bot botstream"
AT_SEAT = "page seat pen whatif handout bot botstream moving"
ALL = f"here {OTHER} {PROGRAMS} signin moving"
ENDS = {
    "change_password": f"{OTHER} {PROGRAMS} signin moving",
    "change_password_keep_programs": f"{OTHER} signin moving",
    "sign_out_elsewhere": f"{OTHER} {PROGRAMS} signin moving",
    "sign_out_there": OTHER,
    "log_out_there": OTHER,
    "log_out_here": "here",
    "end_a_program": "mine mystream",
    "reset_access": ALL,
    "new_link_by_host": ALL,
    "close_account": ALL,
    "delete_own_account": f"{ALL} table sheet",
    "remove_seat": AT_SEAT,
    "remove_co_gm": AT_SEAT,
    "leave_table": AT_SEAT,
    "revoke_link": f"{AT_SEAT} invited",
    "move_seat": AT_SEAT,
    "take_pens_back": "pen",
    "delete_encounter": f"{AT_SEAT} invited",
    "delete_campaign": "handout",
    "delete_own_encounter": "file mine mystream table",
    "delete_sheet": "sheet",
    "revoke_sheet_link": "sheet",
    "revoke_table_link": "table",
}


@dataclass
class Rhea:
    """A person with all kinds of access, and the GM of the table where they sit."""

    person: User
    gm: Client
    here: Client
    there: Client
    theirs: Encounter
    own: Encounter
    seat: Seat
    sheet: Character
    handout: int
    links: dict[str, str]
    bots: dict[str, Bot]
    streams: dict[str, Program]

    def can(self, way: str) -> bool:
        """Whether a way in still works."""
        at = f"/encounters/{self.theirs.pk}/"
        if way in ("here", "there"):
            return bool(getattr(self, way).get("/accounts/me/").status_code == 200)
        if way in self.bots:
            return Client().get("/api/table/state/", headers=self.bots[way].headers).status_code == 200
        if way in self.streams:
            return not [kind for kind, _, _ in self.streams[way].events if kind == "ended"]
        if way in self.links:
            return Client().get(self.links[way]).status_code == 200
        pages = {
            "seat": at,
            "whatif": f"{at}whatif/",
            "handout": f"{at}handouts/{self.handout}/",
            "file": f"/encounters/{self.own.pk}/export/",
        }
        if way == "pen":
            return 'data-pen="' in self.there.get(at).content.decode()
        return self.there.get(pages[way]).status_code == 200


@pytest.fixture
def rhea(started: Encounter, gm_client: Client, server: Server, ending: str) -> Rhea:
    """Rhea before an ending; one who will be removed as co-GM is a co-GM."""
    person = User.objects.create_user(NAME, password=PASSWORD)
    here, there = Client(), Client()
    for browser in (here, there):
        assert browser.post("/accounts/login/", {"login": NAME, "password": PASSWORD}).status_code == 302
    own = Encounter.objects.get(pk=make_demo_fight(person, SLUG).pk)
    invited = make_link(started, ShareLink.CO_GM if ending == "remove_co_gm" else ShareLink.PLAY, "")[1]
    enter(there, f"/join/{invited}/", combatant=ZARA)
    seat = Seat.objects.get(user=person)
    lend_pens(started.pk, [seat.pk])
    started.campaign = create_campaign(started.owner, "Rim")
    started.save()
    handout = create_handout(started.campaign, "Map", "Left, then left.", None)
    show(started.pk, handout.pk, [str(seat.pk)])
    sheet = Character.objects.create(owner=person, system=SLUG, name="Zoe", sheet={})
    links = {
        "signin": f"/sign-in/{make_sign_in_link(person)}/",
        "moving": f"/join/{make_link(started, seat.kind, 'Phone', uses=1, moves=seat)[1]}/",
        "invited": f"/join/{invited}/",
        "table": f"/join/{make_link(own, ShareLink.PLAY, 'All')[1]}/",
        "sheet": reverse(
            "shared_sheet", args=[character_service.find_token(character_service.open_link(sheet))]
        ),
    }
    bots = {"mine": make_program(own, name="Mine"), "bot": make_program(started, seat)}
    streams = {
        "page": server.open_page(started.pk, there),
        "mystream": listen(server, bots["mine"]),
        "botstream": listen(server, bots["bot"]),
    }
    return Rhea(person, gm_client, here, there, started, own, seat, sheet, handout.pk, links, bots, streams)


def post(client: Client, address: str, **fields: Any) -> None:
    """What a press does; it is not refused."""
    answer = client.post(address, fields)
    assert answer.status_code in (200, 302, 303), answer.content.decode()


def new_password(rhea: Rhea, **more: str) -> None:
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    post(rhea.here, "/accounts/password/change/", **fields, **more)


def sign_out_there(rhea: Rhea) -> None:
    page = Page(rhea.here.get("/accounts/devices/").content.decode())
    post(rhea.here, "/accounts/devices/", device=page.one("input", name="device")["value"])


def end_a_program(rhea: Rhea) -> None:
    page = Page(rhea.here.get("/accounts/devices/").content.decode())
    numbers = {button.text.split()[-1]: button["value"] for button in page.all("button", name="program")}
    post(rhea.here, "/accounts/devices/", program=numbers["Mine"])


def as_host(rhea: Rhea, do: str) -> None:
    post(rhea.gm, "/accounts/people/", person=rhea.person.pk, do=do)


def delete_own_account(rhea: Rhea) -> None:
    post(rhea.here, "/accounts/reauthenticate/", password=PASSWORD)
    post(rhea.here, "/accounts/delete/", do="delete", typed=NAME)


def share(rhea: Rhea, do: str) -> None:
    post(rhea.gm, f"/encounters/{rhea.theirs.pk}/share/", do=do, seat=rhea.seat.pk, link=rhea.seat.link_id)


def delete(client: Client, encounter: Encounter) -> None:
    post(client, f"/encounters/{encounter.pk}/prep/", do="delete", confirm=encounter.name)


ENDINGS: dict[str, Callable[[Rhea], object]] = {
    "change_password": new_password,
    "change_password_keep_programs": lambda rhea: new_password(rhea, keep_programs="on"),
    "sign_out_elsewhere": lambda rhea: post(rhea.here, "/accounts/devices/"),
    "sign_out_there": sign_out_there,
    "log_out_there": lambda rhea: post(rhea.there, "/accounts/logout/"),
    "log_out_here": lambda rhea: post(rhea.here, "/accounts/logout/"),
    "end_a_program": end_a_program,
    "reset_access": lambda rhea: reset_access(rhea.person),
    "new_link_by_host": lambda rhea: as_host(rhea, "link"),
    "close_account": lambda rhea: as_host(rhea, "close"),
    "delete_own_account": delete_own_account,
    "remove_seat": lambda rhea: share(rhea, "end"),
    "remove_co_gm": lambda rhea: share(rhea, "end"),
    "leave_table": lambda rhea: post(rhea.there, f"/encounters/{rhea.theirs.pk}/leave/"),
    "revoke_link": lambda rhea: share(rhea, "revoke"),
    "move_seat": lambda rhea: post(Client(), rhea.links["moving"]),
    "take_pens_back": lambda rhea: take_pens(rhea.theirs.pk),
    "delete_encounter": lambda rhea: delete(rhea.gm, rhea.theirs),
    "delete_campaign": lambda rhea: delete_campaign(sure(rhea.theirs.campaign)),
    "delete_own_encounter": lambda rhea: delete(rhea.here, rhea.own),
    "delete_sheet": lambda rhea: post(rhea.here, f"/characters/{rhea.sheet.pk}/", do="delete"),
    "revoke_sheet_link": lambda rhea: character_service.revoke_link(rhea.sheet),
    "revoke_table_link": lambda rhea: revoke(rhea.own.links.get(name="All")),
}


@pytest.mark.parametrize("ending", thin(ENDS, "change_password", "reset_access", "remove_seat"))
def test_each_ending_ends_what_it_should_and_nothing_else(
    rhea: Rhea, server: Server, at_once: Any, ending: str
) -> None:
    with zeal_ignore():
        with at_once():
            ENDINGS[ending](rhea)
        for _ in range(5):  # what was told reaches the streams; none looks again so soon
            server.turn()
        assert " ".join(way for way in WAYS if not rhea.can(way)) == ENDS[ending]


@pytest.mark.parametrize("ending", thin(["none", "remove_co_gm"], "none"))
def test_before_an_ending_all_ways_are_open(rhea: Rhea) -> None:
    with zeal_ignore():
        assert [way for way in WAYS if not rhea.can(way)] == []
