"""The pages that are looked at, each for the person who uses it, and their windows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import ViewportSize

from characters.creation.creation_view import find_ready, make_ready_sheet
from characters.services.character_service import create
from combat.models import Encounter, ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.characters.conftest import SHEET
from tests.combat.cast import come, invite
from tests.combat.evenings import make_evening
from tests.combat.full_campaign import make_full_campaign
from tests.combat.pages.map.test_deck_moves import lay
from tests.combat.rules.every_game.decks import HATCH, LADDER
from tests.combat.visit import DEMO, PIRATE, PISTOL, SLUG, ZARA, begun, play, state_of

OTHERS = ("starshock", "guardians", "cepheus", "cepheus_quick")
NAMED = "Ana of the long and winding name"
PAIR = "pick=cosmos-weapon-pistol&pick=cosmos-weapon-laser_pistol"
EMPTY = {  # pages of an account that has nothing yet
    "home": "/",
    "encounters": "/encounters/",
    "campaigns": "/campaigns/",
    "characters": "/characters/",
    "NPCs": "/characters/npcs/",
    "packs": "/packs/",
    "gear": "/gear/?own=on",
}
HALF = 10  # steps of the demo's script: an attack has just hit


@dataclass(frozen=True)
class Place:
    """A page: its name, who opens it, its address, and what they do there: “map” or what they press."""

    name: str
    who: str
    address: str
    how: str = ""


@dataclass(frozen=True)
class Look:
    """A window: its size in pixels, its theme, and its typeface. 720 × 450 is 1440 × 900 at 200 % zoom.

    The theme “forced” is what the system paints where someone has chosen its high contrast.
    """

    width: int
    height: int
    theme: str
    font: str = ""

    @property
    def size(self) -> ViewportSize:
        """For the browser."""
        return {"width": self.width, "height": self.height}

    @property
    def least(self) -> int:
        """The least target in pixels: larger where windows are touched."""
        return 36 if self.width >= 1024 else 44

    @property
    def is_wall(self) -> bool:
        """Whether a projector shows it."""
        return self.width >= 1920

    @property
    def is_forced(self) -> bool:
        """Whether the system paints it in its own colors."""
        return self.theme == "forced"

    def __str__(self) -> str:
        return " ".join(filter(None, [str(self.width), self.theme, self.font]))


SIZES = ((1440, 900), (1024, 768), (820, 1180), (390, 844), (360, 740))
ZOOMED = [Look(720, 450, theme) for theme in ("dark", "light")]
FORCED = [Look(1440, 900, "forced"), Look(390, 844, "forced")]
WHOLE = (
    [Look(*size, theme) for size in SIZES for theme in ("dark", "light")]
    + [Look(1440, 900, "dark", "plain"), Look(390, 844, "light", "plain")]
    + ZOOMED
    + FORCED
)
TURNS = [
    (Look(1440, 900, "dark"), Look(390, 844, "light")),
    (Look(1440, 900, "light"), Look(360, 740, "dark")),
    (Look(1024, 768, "dark"), Look(360, 740, "light")),
    (Look(820, 1180, "light"), Look(390, 844, "dark", "plain")),
    (Look(820, 1180, "dark"), ZOOMED[1]),
    (FORCED[0], FORCED[1]),
]


def take_turns(tables: list[Place], site: list[Place]) -> list[tuple[Place, list[Look]]]:
    """Each table in two windows, each other page in one, in turn all: neighbors have much in common."""
    one_by_one = cycle(look for looks in TURNS for look in looks)
    return [
        *((place, list(looks)) for place, looks in zip(tables, cycle(TURNS), strict=False)),
        *((place, [look]) for place, look in zip(site, one_by_one, strict=False)),
    ]


class World:
    """Fights before, in and after their turns, what belongs to them, and a browser for each person."""

    def __init__(self, gm: User) -> None:
        self.gm = gm
        self.fight, self.done = (self.play(SLUG, steps) for steps in (HALF, None))
        self.asking = self.play(SLUG, 1)
        submit(
            self.asking.pk,
            Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, typed=True),
        )
        self.fresh = make_demo_fight(gm, SLUG)
        self.games = {slug: self.play(slug, 6) for slug in OTHERS}
        self.ship = begun(gm, SLUG)
        lay(self.ship.pk, state_of(self.ship.pk).active, (4, 6), LADDER, HATCH)
        self.sheet = create(gm, SLUG, NAMED, SHEET)
        self.sheets = {slug: self.make_sheet(slug) for slug in OTHERS[:-1]}
        self.browsers = {"gm": Client(), "nobody": Client(), "newcomer": Client()}
        self.browsers["gm"].force_login(gm)
        self.browsers["newcomer"].force_login(User.objects.create_user("newcomer"))
        for who, encounter, kind, seat in (
            ("player", self.fight, ShareLink.PLAY, ZARA),
            ("asked", self.asking, ShareLink.PLAY, ZARA),
            ("past player", self.done, ShareLink.PLAY, ZARA),
            ("watcher", self.fight, ShareLink.WATCH, ""),
            ("late watcher", self.done, ShareLink.WATCH, ""),
        ):
            self.browsers[who] = come(encounter, kind, who.title(), seat)
        said = self.browsers["gm"].post("/campaigns/", {"name": "The long way home"})
        self.campaign = said["Location"]
        self.evening, self.full = make_evening(gm), make_full_campaign(gm)
        self.browsers["gm"].post(f"/encounters/{self.fight.pk}/whatif/", {"do": "begin", "step": "now"})
        self.link = invite(self.fresh)

    def play(self, slug: str, steps: int | None) -> Encounter:
        """A demo fight of a game after this many steps of its script."""
        fight = make_demo_fight(self.gm, slug)
        script = DEMO.script if slug == SLUG else find_system(slug).demo.make_first().script
        play(fight.pk, script[:steps])
        fight.refresh_from_db()
        return fight

    def make_sheet(self, slug: str) -> int:
        """The number of a ready character of another game."""
        system = find_system(slug)
        return create(self.gm, slug, NAMED, make_ready_sheet(system, find_ready(system)[0].archetype)).pk

    def list_tables(self) -> list[Place]:
        """The table in all its states and for all who sit at it."""
        here, past, new = (f"/encounters/{one.pk}/" for one in (self.fight, self.done, self.fresh))
        asking = f"/encounters/{self.asking.pk}/"
        return [
            Place("table", "gm", here),
            Place("table, map first", "gm", here, "map"),
            Place("table, action form", "gm", here, "#turn a.action"),
            Place("table, form of a row", "gm", f"{here}?combatant=f2&row=damage"),
            Place("table, question", "gm", asking),
            Place("table, before", "gm", new),
            Place("table, after", "gm", past),
            Place("seat", "player", here),
            Place("seat, map first", "player", here, "map"),
            Place("seat, asked", "asked", asking),
            Place("seat, after", "past player", past),
            Place("watch", "watcher", here),
            Place("watch, after", "late watcher", past),
            *(Place(f"table, {slug}", "gm", f"/encounters/{one.pk}/") for slug, one in self.games.items()),
        ]

    def list_around(self) -> list[Place]:
        """The pages of a fight around its table: prepared, shared, read again, and what if."""
        here, past, new = (f"/encounters/{one.pk}/" for one in (self.fight, self.done, self.fresh))
        return [
            Place("prep", "gm", f"{new}prep/"),
            *(
                Place(f"prep, {part}", "gm", f"{new}prep/#{part}")
                for part in ("roster", "options", "keep-fold", "ready-yours")
            ),
            Place("prep, people", "gm", f"{new}prep/people/"),
            Place("prep, people in a fight", "gm", f"{here}prep/people/"),
            Place("prep, who comes", "gm", f"{new}prep/who/"),
            Place("prep, zone", "gm", f"{new}prep/?edit=crates"),
            Place("scene", "gm", f"{new}scene/"),
            Place("share", "gm", f"{new}share/"),
            Place("share, full", "gm", f"{new}share/full/"),
            Place("programs", "gm", f"{new}programs/"),
            Place("notes", "gm", f"{here}notes/?about={PIRATE}"),
            Place("handouts", "gm", f"{here}handouts/"),
            Place("take home", "gm", f"{past}home/"),
            Place("rest", "gm", f"{past}rest/?size=week"),
            Place("fault", "gm", f"{here}fault/"),
            Place("log", "gm", f"{past}log/"),
            Place("dice", "gm", f"{past}dice/"),
            Place("report", "gm", f"{past}report/"),
            Place("replay", "gm", f"{past}log/?step=5"),
            Place("forecast", "gm", f"{here}forecast/"),
            Place("what if", "gm", f"{here}whatif/"),
            Place("branch", "gm", f"{here}whatif/1/"),
            Place("branch, map first", "gm", f"{here}whatif/1/", "map"),
            Place("table, ruling", "gm", f"{here}?wish=0"),
            Place("table, decks", "gm", f"/encounters/{self.ship.pk}/", "map"),
        ]

    def list_site(self) -> list[Place]:
        """The pages outside fights."""
        sheet = f"/characters/{self.sheet.pk}/"
        return [
            Place("front", "nobody", "/"),
            Place("sign in", "nobody", "/accounts/login/"),
            Place("join", "nobody", self.link),
            Place("code", "nobody", "/join/"),
            Place("gone", "nobody", "/nothing/"),
            Place("home", "gm", "/"),
            Place("home, player", "player", "/"),
            Place("find", "gm", "/find/?q=pistol"),
            Place("encounters", "gm", "/encounters/"),
            Place("encounter, new", "gm", f"/encounters/new/?game={SLUG}"),
            Place("import an encounter", "gm", "/encounters/import/"),
            Place("campaigns", "gm", "/campaigns/"),
            Place("campaign", "gm", self.campaign),
            Place("campaign, rules", "gm", f"{self.campaign.split('#')[0]}rules/{SLUG}/"),
            Place("campaign, conditions", "gm", f"{self.campaign.split('#')[0]}conditions/{SLUG}/"),
            Place("campaign, full", "gm", f"/campaigns/{self.evening.pk}/"),
            Place("evening", "gm", f"/campaigns/{self.evening.pk}/evening/"),
            Place("downtime", "gm", f"/downtime/?who={self.sheet.pk}"),
            Place("packs", "gm", "/packs/"),
            Place("pack, new", "gm", f"{self.campaign.split('#')[0]}pack/"),
            Place("account", "gm", "/accounts/me/"),
            Place("devices", "gm", "/accounts/devices/"),
            Place("account, delete", "gm", "/accounts/delete/"),
            Place("copies", "gm", "/copies/"),
            Place("people", "gm", "/accounts/people/"),
            Place("characters", "gm", "/characters/"),
            Place("sheet", "gm", sheet),
            *(Place(f"sheet, {slug}", "gm", f"/characters/{pk}/") for slug, pk in self.sheets.items()),
            Place("creation", "gm", f"/characters/new/?game={SLUG}"),
            Place("creation, free", "gm", f"/characters/new/?game={SLUG}&way=free"),
            Place("NPCs", "gm", "/characters/npcs/"),
            Place("NPC, new", "gm", "/characters/npcs/new/"),
            Place("NPC, form", "gm", "/npcs/new/?game=cosmos&from=pirate"),
            Place("characters, import", "gm", "/characters/import/"),
            Place("gear", "gm", "/gear/"),
            Place("gear, two beside a list", "gm", f"/gear/?game={SLUG}&kind=weapon&{PAIR}"),
            Place("gear, item", "gm", "/gear/item/cosmos-weapon-laser_pistol/"),
            Place("gear, compare", "gm", f"/gear/compare/?{PAIR}"),
            Place("gear, own", "gm", "/gear/own/new/"),
            Place("gear, import", "gm", "/gear/own/import/"),
            Place("rules", "gm", "/rules/"),
            Place("rulebook", "gm", f"/rules/{SLUG}/"),
            Place("rulebooks side by side", "gm", "/rules/side-by-side/"),
            Place("rulebook, chapter", "gm", f"/rules/{SLUG}/critical-hits/"),
            Place("help", "gm", "/help/"),
            Place("help for players", "nobody", "/help/player/"),
            Place("campaign, with everything", "gm", f"/campaigns/{self.full.pk}/"),
            Place("pack, new, full", "gm", f"/campaigns/{self.full.pk}/pack/"),
            Place("chest", "gm", f"/campaigns/{self.full.pk}/chest/"),
            Place("next evening", "gm", f"/campaigns/{self.full.pk}/next/"),
            Place("reinforcements", "gm", f"/encounters/{self.fight.pk}/prep/people/?to=table"),
            *(Place(f"nothing in {one}", "newcomer", address) for one, address in EMPTY.items()),
        ]

    def list_wide(self) -> list[Place]:
        """Pages whose tables and codes may be wider than a phone; they have no windows of their own."""
        paper = Place("paper", "gm", f"/characters/{self.sheet.pk}/print/")
        return [paper, Place("hosting", "gm", "/help/hosting/")]

    def list_fights(self) -> list[Place]:
        return self.list_tables() + self.list_around()

    def list_places(self) -> list[Place]:
        return self.list_fights() + self.list_site()
