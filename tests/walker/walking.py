"""A walk: a world is made, then people press what they are offered, and each press is checked."""

from __future__ import annotations

import random
import re
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.cache import cache
from django.test import Client

from characters.accounts.users import make_gm
from tests.combat.cast import FOLDS
from tests.combat.evenings import make_hero
from tests.combat.markup import Page
from tests.combat.pages.table.patching import OpenPage, parse
from tests.combat.visit import stored
from tests.typed import Answer
from tests.walker import checks
from tests.walker.moves import TAP, offer_move, pick_move
from tests.walker.people import GM, OTTO, PIA, SECRET, WIM, Found, Table, taken_back
from tests.walker.reading import UNSEEN, Choice, Fields, Offer, fill, find_offers, query_of

# What would end the walk or leave the fight
LEAVES = (
    "/accounts/",
    "/leave/",
    "/copies/",
    "/static/",
    "/export/",
    "/fault/",
    "/programs/",
    "/delete/",
)
NEAR = ("/characters/", "/campaigns/")  # sheets, and what is kept between fights
# Where someone begins who is not at the table; the first are open to all
STARTS = (
    "~/whatif/",
    "~/whatif/1/",
    "/characters/",
    "~/forecast/",
    "~/prep/",
    "/campaigns/1/",
    "/characters/1/",
)
OF_ALL = 3
TRIES = ("take_offer", "rule_wish", "help_wish", "use_ruling")  # what tells the words of a wish
TELLS = ("improvise", "use_ruling", "answer_wish")  # and the steps that do
AT_TABLE = 0.7
ENDS = ("do=delete", "do=archive", "do=copy", "do=end&", "do=revoke", "do=give_fight", "do=move&seat")
OUTSIDE = (
    "/rules/",
    "/help/",
    "/gear/",
    "/find/",
    "/characters/",
)  # read by all, and the same in every fight
NUMBERS = ("0", "1", "2", "3", "6", "10", "-1", "1.5", "999999", "", "x", "+3", "−2", "1e9", "٣")
WORDS = (
    "",
    "Bo",
    "the crate",
    "<b>x</b>",
    "sıx İ ß",
    "2d6+1",
    "3,4",
    "1,1; 6,5",
    "💥",
    "a" * 300,
    "f1",
    "|".join("ab"),
)
WEIGHTS = {GM: 5, PIA: 3, OTTO: 3, WIM: 1}
COME = "players come"  # the key of a press that is none: people follow their links
TAPS = 0.15  # how often someone taps on the map first
OF_WISH, NTH = (
    re.compile(r"(?<=\bwish=)\w+"),
    "nth",
)  # the number of a wish, which tells nothing; its place instead
HOPS = 3  # links that someone follows before a press
ODD, ELSE = 0.12, 0.45  # how often a field is filled oddly, and with another of its options


@dataclass(frozen=True)
class Press:
    """What someone pressed: on which page, which offer, and the fields they filled otherwise.

    Addresses are written from the table on: `~` stands for it.
    """

    who: str
    page: str
    key: str
    changes: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Walk:
    """A walk through one fight by its seed; `presses` are those so far, in order."""

    def __init__(self, seed: str, slug: str, chance_begin: Callable[[str], None]) -> None:
        self.seed, self.slug = seed, slug
        self.chance = random.Random(f"{seed} {slug}")
        self.presses: list[Press] = []
        self.counts = Counter[str]()
        self.careful = True  # with all that is checked after a press
        self.is_replay = False
        self.open: dict[str, OpenPage] = {}
        chance_begin(f"walk {seed} {slug}")
        cache.clear()
        self.table = self._begin()

    def _begin(self) -> Table:
        gm = make_gm("gm")
        client = Client(headers={"X-Folds": FOLDS})
        client.force_login(gm)
        for name in ("Vega", "Marcus"):
            make_hero(gm, name, self.slug)
        return Table(0, self.slug, {GM: client})

    # ---- Addresses ----

    def shorten(self, address: str) -> str:
        """An address or a key as another walk of this seed finds it: the table, wishes by their order."""
        if not self.table.pk:
            return address
        places = {str(wish.number): f"{NTH}{place}" for place, wish in enumerate(self.table.wishes)}
        return OF_WISH.sub(
            lambda found: places.get(found[0], found[0]), address.replace(self.table.here, "~/")
        )

    def lengthen(self, address: str) -> str:
        """An address or a key as it is in this walk."""
        if not self.table.pk:
            return address
        numbers = {f"{NTH}{place}": str(wish.number) for place, wish in enumerate(self.table.wishes)}
        return OF_WISH.sub(
            lambda found: numbers.get(found[0], found[0]), address.replace("~/", self.table.here)
        )

    # ---- Pressing ----

    def perform(self, press: Press) -> Answer | None:
        """Press as it was pressed before; None if that is no longer offered."""
        who, address = press.who, self.lengthen(press.page)
        if press.key == COME:
            self.come()
        if who not in self.table.browsers or "~" in address:
            return None
        html = self.read(who, address)
        page = Page(html)
        wanted = self.lengthen(press.key)
        if wanted.startswith(TAP):
            offer = offer_move(self.table, who, query_of(f"?{wanted.removeprefix(TAP)}"))
        else:
            offers = find_offers(page, self.find_base(address))
            offer = next((one for one in offers if one.key == wanted), None)
        if offer is None:
            return None
        names = {choice.name for choice in offer.choices}
        changes = {name: list(values) for name, values in press.changes if name in names}
        return self.press(press, offer, page, html, changes)

    def come(self) -> None:
        """Two players and a watcher come to the fight, if there is one."""
        self.presses.append(Press(GM, "~/", COME))
        if self.table.pk and len(self.table.browsers) == 1:
            self.table.invite()

    def open_all(self) -> None:
        """Everybody opens the table, and leaves that page open."""
        for who, browser in self.table.browsers.items() if self.table.pk else ():
            self.open[who] = OpenPage(browser, self.table.here, FOLDS)

    def ask(
        self,
        who: str,
        page: str,
        do: str,
        changes: Fields | Callable[[Offer], Fields] | None = None,
        anywhere: bool = False,
        wanted: str = "",
    ) -> None:
        """Press the button of a page that does this, with these fields: that with most of them, or any.

        `wanted` names one of its fields, or stands in its key.
        """
        address = self.lengthen(page)
        html = self.read(who, address)
        parsed = Page(html)
        offers = [one for one in find_offers(parsed, address) if one.method == "post" and one.do == do]
        offers = [one for one in offers if wanted in one.key or wanted in (each.name for each in one.choices)]
        if not offers:
            return
        offer = max(offers, key=lambda one: (len(one.choices), one.is_filled))
        offer = self.chance.choice(offers) if anywhere else offer
        filled = changes(offer) if callable(changes) else changes or {}
        known = {choice.name for choice in offer.choices}
        fields = {name: values for name, values in filled.items() if name in known}
        kept = tuple((name, tuple(values)) for name, values in fields.items())
        self.press(Press(who, page, self.shorten(offer.key), kept), offer, parsed, html, fields)

    def find_base(self, address: str) -> str:
        """What addresses on a page count from: parts of the table stand in it."""
        parts = ("/foe/", "/odds/")
        return self.table.here if any(part in address for part in parts) else address

    def read(self, who: str, address: str, link: Offer | None = None) -> str:
        """A page as someone reads it, who may have followed a link to it."""
        try:
            answer = self.table.get(who, address)
        except Found:
            raise
        except Exception as broken:
            raise Found("broken", f"{who} reads {address}: {traceback.format_exc(limit=-4)}") from broken
        if link:
            checks.check_answer(who, link, answer, as_offered=True)
        return answer.content.decode(errors="replace") if not answer.streaming else ""

    def press(self, press: Press, offer: Offer, page: Page, html: str, changes: Fields) -> Answer:
        """Send what a button sends, and check all that has to hold then."""
        self.presses.append(press)
        self.counts["presses"] += 1
        table, who, before = self.table, press.who, None
        if table.pk:
            before = table.encounter
            rows = stored(table.pk)
        if self.careful and table.pk and not changes:
            checks.check_odds(table, who, page, offer)
            checks.check_card(table, who, offer)
        at_table = table.pk and urlsplit(offer.address).path == table.here
        open_page = (
            _open(table, who, self.lengthen(press.page), html) if at_table and 'id="table"' in html else None
        )
        answer = self.send(press, offer, changes, open_page)
        as_offered = not changes and not offer.lacks
        if not checks.is_busy_out_of_sight(table, who, answer):
            checks.check_answer(who, offer, answer, as_offered=as_offered)
        if before is None:
            made = re.search(r"/encounters/(\d+)/", answer.headers.get("Location", ""))
            table.pk = int(made[1]) if made else 0
            return answer
        if answer.status_code >= 400 and stored(table.pk) != rows:
            raise Found("half done", f"{who}: {offer.key} is refused and changes something")
        after = table.encounter
        steps = checks.find_new_steps(table, before.steps)
        self.counts["steps"] += len(steps)
        is_tried = answer.status_code < 400 and offer.do in TRIES  # also while it waits for dice
        if is_tried or any(step.name in TELLS for step in steps):
            table.shown |= {f"{SECRET}{name}" for name in (PIA, OTTO)}  # it is told
        if self.careful:
            if not changes and answer.status_code < 400:
                checks.check_price(table, offer, steps)
            checks.check_undo(table, before, after, steps)
            if steps:
                checks.check_history(table)
            self.look(press, answer, open_page)
        return answer

    def send(self, press: Press, offer: Offer, changes: Fields, page: OpenPage | None) -> Answer:
        """Post a form as htmx does from an open table, or as a plain form."""
        fields = fill(offer, changes)
        headers = {"HX-Current-URL": f"http://testserver{self.lengthen(press.page)}"}
        if page:
            fields.setdefault("version", [page.table.attrs.get("data-version", "")])
            headers |= page.headers
        try:
            answer = self.table.post(press.who, offer.address, fields, **headers)
            if not page and "Location" in answer.headers:  # as a browser goes on to it, and shows its message
                self.table.get(press.who, answer.headers["Location"])
            return answer
        except Found:
            raise
        except Exception as broken:
            told = f"{press.who} presses “{offer.words}” ({offer.key}) {changes}"
            raise Found("broken", f"{told}: {traceback.format_exc(limit=-6)}") from broken

    def look(self, press: Press, answer: Answer, page: OpenPage | None) -> None:
        """Whoever pressed has the page of now, and so has somebody else whose page stayed open."""
        if page and answer.status_code == 200:
            page.take(answer)
            asked = answer.headers.get("HX-Replace-Url", self.table.here)
            if (
                page.table.attrs.get("data-again", asked) == asked
            ):  # else a window stays open and says what was done
                checks.check_regions(self.table, press.who, page, asked)
        others = [who for who in self.open if who != press.who]
        for other in others if self.is_replay else self.chance.sample(others, min(1, len(others))):
            self.open[other].look()
            checks.check_regions(self.table, other, self.open[other], self.table.here)

    # ---- Walking ----

    def step(self) -> None:
        """Someone goes through some links from the table, and presses something there."""
        chance = self.chance
        who = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        address, link = self.find_start(who), None
        for _ in range(HOPS):
            html = self.read(who, address, link)
            page = Page(html)
            checks.check_tile(who, link, page)
            offers = [one for one in find_offers(page, self.find_base(address)) if not self.is_left_out(one)]
            posts = [one for one in offers if one.method == "post"]
            links = [one for one in offers if one.method == "get"]
            links += self.find_map_links(page)
            if address == self.table.here and chance.random() < TAPS:
                if move := pick_move(self.table, who, page, chance):
                    self.press(Press(who, "~/", self.shorten(move.key)), move, page, html, Fields())
                    return
            if posts and (not links or chance.random() < 0.4):
                offer = self.pick(posts)
                changes = self.fill(offer)
                if "words" in changes:  # of a wish
                    changes["words"] = [f"{SECRET}{who} and I swing on the hook"]
                kept = tuple((name, tuple(values)) for name, values in changes.items())
                press = Press(who, self.shorten(address), self.shorten(offer.key), kept)
                self.press(press, offer, page, html, changes)
                return
            if not links:
                return
            link = self.pick_link(links)
            self.counts["links"] += 1
            address = link.address

    def find_start(self, who: str) -> str:
        """Where someone begins: mostly at the table, else at what lies beside it."""
        starts = STARTS if who == GM else STARTS[:OF_ALL]
        if self.chance.random() < AT_TABLE:
            return self.table.here
        return self.lengthen(self.chance.choice(starts))

    def find_map_links(self, page: Page) -> list[Offer]:
        """The cards of the people on the map, which a tap asks for."""
        forms = page.all("form", id="map-move")
        if not forms or not forms[0]["data-actor"] or not forms[0]["data-foe"]:
            return []
        actor, foe = forms[0]["data-actor"], forms[0]["data-foe"]
        tokens = dict.fromkeys(one["data-token"] for one in page.all() if one["data-token"])
        asked = [f"{foe}?combatant={actor}&target={who}" for who in tokens if who != actor]
        return [Offer(f"get {one}", "a token", "get", one) for one in asked]

    def is_left_out(self, offer: Offer) -> bool:
        """Whether a press would leave the fight or end the walk, or leads to what is no part of a fight."""
        if any(part in offer.address for part in LEAVES) or any(part in f"{offer.key}&" for part in ENDS):
            return True
        is_near = offer.address.startswith((self.table.here, *NEAR))
        return not is_near and self.chance.random() < 0.97

    def pick(self, posts: Sequence[Offer]) -> Offer:
        """One of these, rather a filled one."""
        filled = [one for one in posts if one.is_filled]
        return self.chance.choice(filled if filled and self.chance.random() < 0.6 else posts)

    def pick_link(self, links: Sequence[Offer]) -> Offer:
        """One of these, rather one of an action."""
        near = [one for one in links if "do=" in one.address or "/foe/" in one.address]
        return self.chance.choice(near if near and self.chance.random() < 0.6 else links)

    def fill(self, offer: Offer) -> Fields:
        """Other values of some of its fields; what is needed is filled in any case."""
        changes = Fields()
        is_as_offered = self.chance.random() < 0.5
        for choice in offer.choices:
            if choice.name in UNSEEN or (is_as_offered and choice.name not in offer.lacks):
                continue
            if choice.name in offer.lacks or self.chance.random() < ELSE:
                changes[choice.name] = self.choose(choice)
        return changes

    def choose(self, choice: Choice) -> list[str]:
        """A value of a field: one of its options, or what somebody may write."""
        chance = self.chance
        if choice.options and chance.random() >= ODD:
            if choice.many:
                return chance.sample(choice.options, chance.randint(0, len(choice.options)))
            return [chance.choice(choice.options)]
        if choice.options:
            return [chance.choice(WORDS)]
        if choice.numeric:
            return [chance.choice(NUMBERS if chance.random() < ODD else NUMBERS[:6])]
        return [chance.choice(WORDS if chance.random() < ODD else WORDS[1:3])]

    # ---- Sweeps ----

    def sweep(self, most: int) -> None:
        """Press the filled buttons on pages of everyone, each in a transaction that is taken back."""
        self.counts["sweeps"] += 1
        for who in self.table.browsers:
            html = self.read(who, self.table.here)
            offers = find_offers(Page(html), self.table.here)
            links = [
                one.address for one in [*offers, *self.find_map_links(Page(html))] if one.method == "get"
            ]
            near = [one for one in links if "do=" in one or "row=" in one or "/foe/" in one]
            asked = self.chance.sample(near, min(most, len(near)))
            for address in (self.table.here, *asked):
                self.sweep_page(who, address)

    def sweep_page(self, who: str, address: str) -> None:
        """Press every filled button of a page and take it back."""
        html = self.read(who, address)
        page = Page(html)
        for offer in find_offers(page, self.find_base(address)):
            if offer.is_filled and offer.method == "post" and not offer.lacks and not self.is_left_out(offer):
                press = Press(who, self.shorten(address), self.shorten(offer.key))
                kept, was_careful = len(self.presses), self.careful
                self.counts["swept"] += 1
                with taken_back():
                    self.careful = False
                    self.press(press, offer, page, html, Fields())
                    del self.presses[kept:]
                self.careful = was_careful
                self.counts["presses"] -= 1


def _open(table: Table, who: str, address: str, html: str) -> OpenPage:
    """A page that is open in somebody's browser, without asking for it again."""
    page = OpenPage.__new__(OpenPage)
    page.client, page.path, page.folds = table.browsers[who], address, FOLDS
    page.whole, page.size, page.sent = 1, len(html), []
    page.root = parse(html)
    return page


__all__ = ["SECRET", "Press", "Walk"]
