"""Browsing the catalogues: every game, and what a person may see of what people made; filtered, compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import (
    Catalogue,
    Column,
    Entry,
    Kind,
    find_record_problems,
    say_words,
    value_of,
)
from combat.rules.core.sheets.foreign import ForeignItem
from cosmos_site.base.errors import status_of

from ..access import person_of
from ..exchange.item_imports import ItemPreview, find_reading_games, list_item_readers, preview_items
from ..exchange.reading import ValidationFailed, read_answers
from ..games import find_games
from ..guests import Guest, Keeper
from ..ports import encounters
from ..views.forms import ImportForm, QuestionsForm
from ..views.import_export import is_confirmed, read_again, read_sent
from .item_service import RecordInvalid, save_all
from .models import OwnItem

MAX_COMPARED = 3
PICTURES = {  # the icon of a kind of items
    "weapon": "attack",
    "armor": "guard",
    "shield": "guard",
    "suit": "air",
    "medical": "aid",
    "drug": "drug",
    "consumable": "drug",
    "grenade": "explosive",
    "explosive": "explosive",
    "ammo": "reload",
    "accessory": "aim",
    "mount": "vehicle",
}


@dataclass(frozen=True)
class CatalogueItem:
    """An entry of a game's catalogue, or a person's own item (`own`); `lender` is the GM who shares it.

    `also` are further games with the very same catalogue.
    """

    system: System
    entry: Entry
    own: OwnItem | None = None
    lender: str = ""
    also: tuple[System, ...] = ()

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue of its game."""
        assert self.system.book.catalogue is not None
        return self.system.book.catalogue

    @property
    def kind(self) -> Kind:
        """What kind of item it is."""
        found = self.catalogue.find_kind(self.entry.kind)
        assert found is not None
        return found

    @property
    def picture(self) -> str:
        """The icon of what it is."""
        return picture_of(self.system, self.entry.kind, self.entry.name)

    @property
    def traits(self) -> tuple[Choice, ...]:
        """Its traits, each with what it does."""
        return tuple(self.catalogue.traits[trait] for trait in self.entry.traits)

    @property
    def figures(self) -> list[tuple[Column, list[Any], bool]]:
        """Its own columns, as in a comparison with nothing."""
        return compare([self])

    @property
    def is_mine(self) -> bool:
        """Whether the viewer made it."""
        return self.own is not None and not self.lender

    @property
    def key(self) -> str:
        """Its name in addresses and forms."""
        return f"own-{self.own.pk}" if self.own else f"{self.system.slug}-{self.entry.kind}-{self.entry.id}"


def picture_of(system: System, kind: str, name: str = "") -> str:
    """The icon of an item: a weapon has that of its damage, any other that of its kind."""
    return system.kinds.of_damage(name) if kind == "weapon" and name else PICTURES.get(kind, "item")


@dataclass(frozen=True)
class Filters:
    """The words and filters of a search."""

    q: str = ""
    game: str = ""
    kind: str = ""
    age: str = ""
    trait: str = ""
    most: int | None = None
    own: bool = False


def find_stocked_games() -> list[System]:
    """The games that have a catalogue."""
    return [system for system in find_games() if system.book.catalogue]


def find_items(owner: Keeper, systems: Iterable[System]) -> list[CatalogueItem]:
    """Every item of these games: a person's own and those their GMs share first."""
    known = {system.slug: system for system in systems}
    rows = find_visible(owner).filter(system__in=known)
    made = [item for own in rows if (item := as_item(known[own.system], own, owner))]
    books = ((system, system.book.catalogue) for system in known.values())
    return made + [CatalogueItem(s, entry) for s, book in books if book for entry in book.find_entries()]


def as_item(system: System, own: OwnItem, viewer: Keeper) -> CatalogueItem | None:
    """A person's own item as a catalogue item; None if its record no longer fits the schema."""
    catalogue = system.book.catalogue
    if catalogue is None or find_record_problems(catalogue, own.kind, own.record):
        return None
    lender = "" if own.owner_id == viewer.pk else own.owner.get_username()
    return CatalogueItem(system, catalogue.describe(own.kind, own.record), own, lender)


def find_item(owner: Keeper, key: str) -> CatalogueItem | None:
    """The item with this key, if this person may see it."""
    word, _, rest = key.partition("-")
    systems = {system.slug: system for system in find_stocked_games()}
    if word == "own" and rest.isdecimal() and len(rest) < 15:
        own = find_visible(owner).filter(pk=int(rest)).first()
        return as_item(systems[own.system], own, owner) if own and own.system in systems else None
    kind, _, entry_id = rest.partition("-")
    system = systems.get(word)
    entry = system.book.catalogue.find_entry(kind, entry_id) if system and system.book.catalogue else None
    return CatalogueItem(system, entry) if system and entry else None


def search(items: Iterable[CatalogueItem], filters: Filters) -> list[CatalogueItem]:
    """The items that match every word and every filter; without a game, each item only once."""
    words = filters.q.casefold().split()
    found = [item for item in items if _fits(item, filters) and _has_all(item, words)]
    return found if filters.game else _without_twins(found)


def _without_twins(items: list[CatalogueItem]) -> list[CatalogueItem]:
    """Entries that several games share, listed once with all their games."""
    kept: dict[tuple[Any, ...], CatalogueItem] = {}
    for item in items:
        key = (item.key,) if item.own else (id(item.catalogue), item.entry.kind, item.entry.id)
        first = kept.get(key)
        kept[key] = replace(first, also=(*first.also, item.system)) if first else item
    return list(kept.values())


def _fits(item: CatalogueItem, filters: Filters) -> bool:
    entry = item.entry
    return (
        (not filters.own or item.is_mine)
        and filters.game in ("", item.system.slug)
        and filters.kind in ("", entry.kind, find_first_key(item.kind.plural))
        and filters.age in ("", entry.age)
        and (not filters.trait or filters.trait in entry.traits)
        and (filters.most is None or (entry.price is not None and entry.price <= filters.most))
    )


def list_kinds(systems: Iterable[System]) -> dict[str, str]:
    """The kinds of items to choose from by key: those that games call the same are one."""
    kinds = [kind for system in systems if system.book.catalogue for kind in system.book.catalogue.kinds]
    return {find_first_key(kind.plural): kind.plural for kind in kinds}


def draw_kinds(systems: Iterable[System]) -> dict[str, str]:
    """The icon of each kind that `list_kinds` has, by key."""
    return {key: PICTURES.get(key, "item") for key in list_kinds(systems)}


def find_first_key(plural: str) -> str:
    """The key of the first kind with this name, in the order of the games."""
    books = (system.book.catalogue for system in find_stocked_games())
    return next((kind.key for book in books if book for kind in book.kinds if kind.plural == plural), "")


def _has_all(item: CatalogueItem, words: list[str]) -> bool:
    entry = item.entry
    traits = " ".join((*entry.traits, *entry.trait_names))
    text = f"{entry.name} {item.kind.label} {entry.age} {traits} {entry.summary}".casefold()
    return all(word in text for word in words)


def compare(items: list[CatalogueItem]) -> list[tuple[Column, list[Any], bool]]:
    """The figures column by column, and whether they differ; a column that is empty for all is left out."""
    columns: dict[str, Column] = {}
    for item in items:
        for column in item.kind.columns:
            columns.setdefault(column.key, column)
    rows = []
    for column in columns.values():
        values = [value_of(item.entry.record, column.key) for item in items]
        if any(value not in (None, "", 0, False, [], ()) for value in values):
            values = [say_words(column, value) for value in values]
            rows.append((column, values, any(value != values[0] for value in values)))
    return rows


def find_similar(item: CatalogueItem, most: int) -> list[CatalogueItem]:
    """The printed items of its kind that are most like it: by its choices, such as its use, then by price."""
    choices = [column.key for column in item.kind.columns if column.kind == "choice"]
    own, price = item.entry.record, item.entry.price or 0

    def rank(entry: Entry) -> tuple[int, int, str]:
        unlike = sum(value_of(entry.record, key) != value_of(own, key) for key in choices)
        return unlike, abs((entry.price or 0) - price), entry.name

    others = [one for one in item.catalogue.find_entries() if one.kind == item.entry.kind]
    return [CatalogueItem(item.system, one) for one in sorted(others, key=rank)[:most]]


def find_visible(person: Keeper) -> QuerySet[OwnItem]:
    """A person's own items, and those that the GMs of their tables share. One query.

    Guests see only the catalogue: items are shared with accounts.
    """
    if isinstance(person, Guest):
        return OwnItem.objects.none()
    gms = encounters.find_gms_of(person)
    return OwnItem.objects.filter(Q(owner=person) | Q(shared=True, owner__in=gms)).select_related("owner")


# The page that imports a person's own items: it previews them, then stores all of them.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_items(request: HttpRequest) -> HttpResponse:
    """Import the items of a file or text: all new ones, or none and a list of what is wrong."""
    if request.method != "POST":
        return _show_form(request, {})
    wrong: dict[str, Any] = {}
    status = 422
    try:
        text = read_sent(request)
        shown = preview_items(text, request.POST.get("game", ""), read_answers(request.POST))
        if not is_confirmed(request):
            return _show_preview(request, text, shown)
        if not QuestionsForm(shown.questions, request.POST).is_valid():
            return _show_preview(request, text, shown, request.POST)
        made = save_all(
            person_of(request), shown.system, [(item.kind, dict(item.record)) for item in shown.new]
        )
        return _show_made(request, shown, made)
    except ValidationFailed as failed:
        wrong = {"problems": failed.problems, "left_out": failed.left_out}
    except RecordInvalid as invalid:
        wrong = {"problems": invalid.problems}
    except Refused as refused:
        wrong, status = {"refused": refused}, status_of(refused)
    return _show_form(request, {**wrong, "text": read_again(request)}, status)


def _show_form(request: HttpRequest, more: dict[str, Any], status: int = 200) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    games = [(game.slug, game.name) for game in find_reading_games()]
    said = {"game": asked.get("game") or games[0][0], "text": more.get("text", "")}
    form = ImportForm(choices={"game": games}, initial=said)
    form.fields["file"].label, form.fields["game"].label = "JSON file", "Game"
    context = {
        "form": form,
        "readers": list_item_readers(),
        **more,
    }
    return render(request, "gear/import.html", context, status=status)


def _show_preview(request: HttpRequest, text: str, shown: ItemPreview, *refused: Any) -> HttpResponse:
    names = OwnItem.objects.filter(owner=person_of(request), system=shown.system.slug)
    taken = {name.casefold() for name in names.values_list("name", flat=True)}
    rows = [
        _describe(shown.system, item, item.name.casefold() in taken)
        | {"form": QuestionsForm(item.questions, *refused)}
        for item in shown.new
    ]
    context = {"shown": shown, "rows": rows, "text": text, "is_refused": bool(refused)}
    return render(request, "gear/import_preview.html", context, status=422 if refused else 200)


def _describe(system: System, item: ForeignItem, is_twin: bool) -> dict[str, Any]:
    """An item as the preview shows it: its kind, its figures, and what found no place."""
    assert system.book.catalogue is not None
    made = CatalogueItem(system, system.book.catalogue.describe(item.kind, dict(item.record)))
    return {"item": item, "kind": made.kind, "figures": compare([made]), "twin": is_twin}


def _show_made(request: HttpRequest, shown: ItemPreview, made: list[OwnItem]) -> HttpResponse:
    names = ", ".join(item.name for item in made[:10])
    more = f" and {len(made) - 10} more" if len(made) > 10 else ""
    messages.success(request, f"Imported: {names}{more}.")
    if len(made) == 1 and made[0].pk:
        return redirect("gear_item", f"own-{made[0].pk}")
    return redirect(f"{reverse('gear')}?own=on&game={shown.system.slug}")
