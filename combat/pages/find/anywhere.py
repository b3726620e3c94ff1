"""What can be found away from a table: a person's own things, the rules, and the pages they may open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from django.urls import reverse

from characters.accounts.users import is_host
from characters.accounts.visitors import OPEN, is_visitor
from characters.games import search_blocks
from characters.gear.catalogue import Filters, find_items, find_stocked_games
from characters.gear.catalogue import search as search_gear
from characters.guests import Guest
from characters.models import Character
from combat.audience.changes import find_open_seats
from combat.models import Encounter, Handout, Note
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.numbers import with_true_minus

from ..help.views import find_answers
from .at_table import Hit

MOST_ROWS = 1000  # of each kind, the newest, that a search looks through
MAX_NOTES = 200  # the newest, each with its text
MAX_RECENT = 4  # of each kind, before anything is asked
TOLD = ("name", "system", "summary", "npc", "portrait", "face", "sheet")  # of a character
FOR_ALL = {
    "rulebooks": ("Rules", "the rulebooks of all games"),
    "about_rules": ("About the rules", "makers and licenses"),
    "help": ("Help", "short pages"),
}
FOR_KEEPERS = {  # of characters: people with an account, and guests at a player's seat
    "gear": ("Gear", "weapons, armor and everything else"),
    "characters": ("Characters", "all your sheets"),
    "new_character": ("New character", "create a sheet"),
}
FOR_PEOPLE = {
    "home": ("Home", "what comes next"),
    "encounters": ("Encounters", "all your tables"),
    "new_encounter": ("New encounter", "create a table"),
    "import_encounter": ("Import an encounter", "from a file"),
    "campaigns": ("Campaigns", "encounters, people, handouts, notes"),
    "packs": ("Packs", "your own items, stat blocks and scenes"),
    "downtime": ("Downtime", "days between fights"),
    "import_characters": ("Import characters", "from files and text"),
    "npcs": ("NPCs", "all your stat blocks"),
    "new_npc": ("New NPC", "create stat blocks"),
    "enter_code": ("Join a table", "type a code"),
    "for_programs": ("For programs", "the table as JSON"),
    "account": ("Account", "settings: name, password, passkeys"),
    "devices": ("Devices", "settings: where you are signed in"),
}
FOR_HOST = {"copies": ("Copies of all data", "backup and restore")}


def find_encounters(person: User) -> Iterator[Hit]:
    """The encounters that a person owns, and those where they have a seat."""
    seated = find_open_seats().filter(user=person, encounter__archived=False).values("encounter")
    rows = Encounter.objects.filter(Q(owner=person) | Q(pk__in=seated)).order_by("-changed", "-pk")
    for pk, name, system, archived in rows.values_list("pk", "name", "system", "archived")[:MOST_ROWS]:
        about = "archived" if archived else ""
        yield Hit(name, reverse("table", args=[pk]), about, find_system(system).name, game=system)


def find_characters(person: User | Guest) -> Iterator[Hit]:
    """The characters and NPCs that a person or guest keeps."""
    own = Q(owner=None, pk__in=person.sheets) if isinstance(person, Guest) else Q(owner=person)
    rows = Character.objects.filter(own, deleted_at=None)
    for one in rows.only(*TOLD)[:MOST_ROWS]:
        about = ", ".join(filter(None, ("NPC" if one.npc else "", one.summary)))
        address, game = reverse("character", args=[one.pk]), one.system if one.system in SYSTEMS else ""
        yield Hit(one.name, address, about, game and find_system(game).name, game=game, character=one)


def find_campaigns(person: User) -> Iterator[Hit]:
    """The campaigns that a person owns."""
    for pk, name, archived in person.campaigns.values_list("pk", "name", "archived")[:MOST_ROWS]:
        yield Hit(name, reverse("campaign", args=[pk]), "archived" if archived else "")


def find_recent(person: User) -> list[Hit]:
    """What a person may want to go back to: their newest encounters, then characters."""
    return [*islice(find_encounters(person), MAX_RECENT), *islice(find_characters(person), MAX_RECENT)]


def find_own_handouts(person: User) -> Iterator[Hit]:
    """The handouts of a person's campaigns."""
    rows = Handout.objects.filter(campaign__owner=person).order_by("-pk")
    for campaign, pk, title, name in rows.values_list("campaign", "pk", "title", "campaign__name")[
        :MOST_ROWS
    ]:
        yield Hit(title, reverse("edit_handout", args=[campaign, pk]), f"of {name}")


def find_own_notes(person: User, other_than: int | None = None) -> Iterator[Hit]:
    """What a person wrote: on encounters but for one, at their seats and for their campaigns."""
    seats = find_open_seats().filter(user=person, encounter__archived=False)
    mine = Q(encounter__owner=person) | Q(seat__in=seats) | Q(campaign__owner=person)
    rows = Note.objects.filter(mine).exclude(text="").order_by("-changed", "-pk")
    of = ("encounter", "encounter__name", "seat__encounter", "seat__encounter__name")
    for about, text, *at in rows.values_list("about", "text", *of, "campaign", "campaign__name")[:MAX_NOTES]:
        encounter, name, seated, seated_name, campaign, campaign_name = at
        if campaign:
            yield Hit(
                campaign_name, f"{reverse('campaign', args=[campaign])}#notes", "shared note", text=text
            )
        elif (where := encounter or seated) != other_than:
            address = f"{reverse('notes', args=[where])}#notes-{about}"
            yield Hit(name or seated_name, address, "your note", text=text)
    for pk, name, text in person.campaigns.exclude(notes="").values_list("pk", "name", "notes")[:MAX_NOTES]:
        yield Hit(name, f"{reverse('campaign', args=[pk])}#notes", "notes of the campaign", text=text)


def find_gear(keeper: User | Guest, slugs: Iterable[str], asked: str) -> Iterator[Hit]:
    """The items of these games that the catalogue finds for someone, their own too."""
    games = [system for system in find_stocked_games() if system.slug in slugs]
    for item in search_gear(find_items(keeper, games), Filters(q=asked)):
        entry, money = item.entry, item.catalogue.money
        about = ", ".join(filter(None, (item.kind.label, with_true_minus(entry.summary), *entry.trait_names)))
        yield Hit(
            entry.name,
            reverse("gear_item", args=[item.key]),
            about,
            asked,  # the catalogue has found all of the words
            figure="" if entry.price is None else f"{entry.price:,} {money}",
            game=item.system.slug if len(games) > 1 else "",
            icon=item.picture,
        )


def find_blocks(slugs: Iterable[str], table: int | None = None) -> Iterator[Hit]:
    """The stat blocks of these games: to copy, or to add to the fight of a table."""
    for slug in slugs:
        for block in search_blocks(find_system(slug), ""):
            asked = {"who": block.id} if table else {"game": slug, "find": block.name}
            page = reverse("prep_people", args=[table]) if table else reverse("new_npc")
            about = f"{block.tier} {block.summary}"
            yield Hit(block.name, f"{page}?{urlencode(asked)}", "", about, game=slug, block=block)


def find_help(asked: str) -> Iterator[Hit]:
    """The parts of help that answer what was asked; it has a search of its own, for whole questions."""
    for page, found in find_answers(asked):
        address = f"{reverse('help_page', args=[page.name])}#{found.part.anchor}"
        yield Hit(found.part.title or page.title, address, found.said, asked)


def find_rules(slugs: Iterable[str]) -> Iterator[Hit]:
    """The rules of these games and how they are played, each by its place in the book and its text."""
    for slug in slugs:
        system, book = find_system(slug), reverse("rulebook", args=[slug])
        for ruling in system.rulebook.rulings.values():
            also = f"{system.name} {ruling.id}"
            yield Hit(ruling.title, f"{book}{ruling.id}/", "", also, is_rule=True, game=slug)
        for rule in system.rulebook.all_rules.values():
            about, also = rule.section.rpartition(" > ")[2], f"{system.name} {rule.id}"
            yield Hit(rule.text, f"{book}{rule.id}/", about, also, is_rule=True, game=slug)


def find_pages(person: User | AnonymousUser) -> Iterator[Hit]:
    """The pages of the site that a person may open, the rulebooks too."""
    names = (FOR_PEOPLE if isinstance(person, User) else {}) | FOR_ALL
    names |= FOR_KEEPERS if isinstance(person, User | Guest) else {}
    names |= FOR_HOST if is_host(person) else {}
    for name, (label, about) in names.items():
        if name in OPEN or not is_visitor(person):
            yield Hit(label, reverse(name), about)
    for slug in SYSTEMS:
        yield Hit(f"{find_system(slug).name}: rulebook", reverse("rulebook", args=[slug]), "Rules", game=slug)
