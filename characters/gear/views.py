"""The catalogue: search and filters, one item, a comparison, own items, and adding to a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count, read_whole, say_no_number
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Kind, value_of
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import find_header, is_htmx, see_other

from ..access import can_edit, find_owned, person_of
from ..games import find_game, find_problems, plan_of
from ..guests import for_keepers, keeper_of, visitor_of
from ..models import Character
from ..ports import encounters
from ..services.character_service import find_mine, find_npcs
from ..templatetags.sheets import in_text
from ..views.lists import posted_from
from .catalogue import (
    MAX_COMPARED,
    CatalogueItem,
    Filters,
    compare,
    find_item,
    find_items,
    find_stocked_games,
    list_kinds,
    picture_of,
    search,
)
from .forms import FilterForm, OwnItemForm, TakeForm
from .hands import choose_holder, compare_hands, find_people, view_hands
from .item_service import HELD, RecordInvalid, add_to, catalogue_of, save_own, share
from .lists import UNKEPT, compare_two, find_columns, find_examples, link_games, link_kinds, view_rows
from .live import Fault, take_fix, view_live
from .models import OwnItem

PER_PAGE = 30
MOST_FACES = 9  # to whom an item is given by face: more are a list
PLACES = {  # of a new item that is not in use, by what it is when it is
    HELD: "No hand is free, so it is put away: take it in hand on the sheet, or draw it in the fight.",
    "worn": "It is not worn yet: put it on on the sheet.",
}
MAX_PRICE = 10**10
MAX_SENT = 60  # boxes of one page
Row = dict[str, Any]


@for_keepers
@require_http_methods(["GET", "HEAD"])
def show_gear(request: HttpRequest) -> HttpResponse:
    """The catalogue of every game and the person's own items; typing filters at once."""
    owner, games = keeper_of(request), find_stocked_games()
    target = _find_target(request, request.GET.get("for", ""))
    filters = _read_filters(request.GET, target)
    items, picked = find_items(owner, games), _find_picked(request)
    page = Paginator(search(items, filters), PER_PAGE).get_page(request.GET.get("page"))
    columns = find_columns(list(page)) if filters.kind and filters.game else []
    shown = _find_shown(request)
    item = shown or next(iter(page), None)
    people = find_people(owner, item.system) if item and not target else []
    holder = _choose_holder(request, people, target)
    form = _make_filter_form(games, filters, people if filters.game else [], holder)
    mine = sum(item.is_mine for item in items)
    is_new = request.user.is_authenticated and filters.own and not mine and not target
    context = {
        "page": page,
        "filters": filters,
        "is_new": is_new,
        "examples": find_examples(items) if is_new else (),
        "games": games,
        "target": target,
        "money": _say_money(target) if target else "",
        "query": _query_without_page(request.GET),
        "form": form,
        "age_label": form.fields["age"].label,
        "kinds": link_kinds(request.GET, games, filters, items),
        "game_links": link_games(request.GET, games, filters) if len(games) > 1 and not target else (),
        "columns": columns,
        "listed": view_rows(list(page), columns, {item.key for item in picked}),
        "people": people if filters.game else (),
        "who": _say_who(request, target),
        "chosen_hands": request.GET.get("hands", ""),
        "mine": mine,
    }
    if item:
        context |= _view_beside(item, holder) | _view_versus(picked[-2:], holder)
        context["is_chosen"] = bool(shown)
    partial = "#found" if is_htmx(request) else ""
    context["has_other_lists"] = partial and request.GET.get("listed", filters.game) != filters.game
    return render(request, f"gear/list.html{partial}", context)


def _find_picked(request: HttpRequest) -> list[CatalogueItem]:
    """The items to compare."""
    owner, keys = keeper_of(request), dict.fromkeys(request.GET.getlist("pick")[:MAX_SENT])
    return [item for key in keys if (item := find_item(owner, key))]


def _find_shown(request: HttpRequest) -> CatalogueItem | None:
    """The item whose card stands beside the list, if someone chose one."""
    return find_item(keeper_of(request), request.GET["shown"]) if "shown" in request.GET else None


def _say_who(request: HttpRequest, target: Character | None) -> str:
    """The query that takes along for whom, or in whose hands, items are shown."""
    chosen = {"for": target.pk} if target else {"hands": request.GET.get("hands", "")}
    return f"?{urlencode(chosen)}" if any(chosen.values()) else ""


def _view_beside(item: CatalogueItem, holder: Character | None) -> Row:
    """An item, in the hands of its holder if that is one of its game."""
    fits = holder is not None and holder.system == item.system.slug
    return {"item": item, "hands": view_hands(item.system, item.entry, holder) if fits else None}


def _view_versus(items: list[CatalogueItem], holder: Character | None) -> Row:
    """Two items side by side, also in the same hands."""
    rows = compare_two(items) if len(items) > 1 else ()
    return {"items": items, "rows": rows, **_view_held(items, holder)}


def _view_held(items: list[CatalogueItem], holder: Character | None) -> Row:
    """The rows of several items in the same hands; none unless all are of the holder's game.

    Damage that is as printed has its row among the figures.
    """
    if holder is None or len(items) < 2 or any(one.system.slug != holder.system for one in items):
        return {}
    held = compare_hands([view_hands(one.system, one.entry, holder) for one in items])
    printed = ("damage", [value_of(one.entry.record, "damage") for one in items])
    held = [row for row in held if row[:2] != printed]
    return {"held": held, "holder": holder}


def _choose_holder(
    request: HttpRequest, people: Sequence[Character], target: Character | None = None
) -> Character | None:
    """In whose hands items are shown: those of the target, else of the one that the address names.

    Without a choice it is the character that was played last.
    """
    if target:
        return None if find_problems(find_game(target.system), target.sheet) else target
    return choose_holder(people, request.GET.get("hands", ""))


def _find_target(request: HttpRequest, word: str) -> Character | None:
    """The character to choose items for, if it is the person's own."""
    found = Character.objects.filter(pk=read_count(word) or 0, deleted_at=None).first() if word else None
    return found if found and can_edit(visitor_of(request), found) else None


def _read_filters(data: QueryDict, target: Character | None) -> Filters:
    most, game = read_whole(data.get("most", "")), target.system if target else _read_game(data)
    chosen = data if data.get("listed", game) == game else {}  # filters of another game: dropped
    return Filters(
        q=" ".join(data.get("q", "").split())[:100],
        game=game,
        kind=chosen.get("kind", ""),
        age=chosen.get("age", ""),
        trait=chosen.get("trait", ""),
        most=most if most is not None and 0 <= most < MAX_PRICE else None,
        own="own" in data,
    )


def _read_game(data: QueryDict) -> str:
    """The game whose list is asked for; empty for all of them, as for one that has no catalogue."""
    asked = data.get("game", "")
    return asked if asked in {system.slug for system in find_stocked_games()} else ""


def _query_without_page(data: QueryDict) -> str:
    kept = data.copy()
    for name in UNKEPT:
        kept.pop(name, None)
    return kept.urlencode()


def _make_filter_form(
    games: list[System], filters: Filters, people: list[Character], holder: Character | None
) -> FilterForm:
    """The filters, with the choices of the chosen game or of all, and in whose hands items are shown."""
    chosen = [s for s in games if filters.game in ("", s.slug)]
    shown = [s.book.catalogue for s in chosen if s.book.catalogue]
    traits = sorted({trait for c in shown for trait in c.traits.values()}, key=lambda each: each.label)
    choices = {
        "game": [(game.slug, game.name) for game in games],
        "kind": list_kinds(chosen).items(),
        "age": [(age, age) for age in dict.fromkeys(age for c in shown for age in c.ages)],
        "trait": [(trait.value, trait.label) for trait in traits],
    }
    every = {name: [("", "all"), *pairs] for name, pairs in choices.items()}
    every["hands"] = [(str(one.pk), one.name) for one in people]
    form = FilterForm(choices=every, initial={**asdict(filters), "hands": holder.pk if holder else ""})
    form.fields["age"].label = shown[0].age_label if shown else "Era"
    return form


@for_keepers
@require_http_methods(["GET", "HEAD"])
def show_item(request: HttpRequest, key: str) -> HttpResponse:
    """One item with all its figures, the meaning of its traits, and its source; beside the list, its card."""
    if is_htmx(request):
        item, target = _need_item(request, key), _find_target(request, request.GET.get("for", ""))
        people = [] if target else find_people(keeper_of(request), item.system)
        shown = _view_beside(item, _choose_holder(request, people, target))
        more = {"target": target, "who": _say_who(request, target), "is_chosen": True}
        return render(request, "gear/beside.html", {**shown, **more})
    return _render_item(request, _need_item(request, key), request.GET.get("for", ""))


def _render_item(
    request: HttpRequest, item: CatalogueItem, target: str, refused: Refused | None = None
) -> HttpResponse:
    """The page of an item, with the character it is chosen for."""
    owner, chosen = keeper_of(request), _find_target(request, target)
    people = find_mine(owner) | find_npcs(owner) if isinstance(owner, User) else find_mine(owner)
    people = people.filter(system=item.system.slug, archived=False)
    listed = list(people.order_by("npc", "-changed_at", "-pk"))
    rows: dict[str, list[tuple[int, str]]] = {}
    for one in listed:
        rows.setdefault("NPCs" if one.npc else "Characters", []).append((one.pk, one.name))
    said = {"character": chosen.pk if chosen else "", "count": request.POST.get("count", "1")[:20]}
    holders = [] if chosen else find_people(owner, item.system)
    context = {
        **_view_beside(item, _choose_holder(request, holders, chosen)),
        "holders": holders,
        "rows": item.figures,
        "traits": item.traits,
        "faces": listed if len(listed) <= MOST_FACES else (),
        "chosen": request.POST.get("character", "") or str(said["character"]),
        "count": said["count"],
        "fights": encounters.list_open_people(owner, item.system.slug)
        if isinstance(owner, User) and item.is_mine
        else (),
        "form": TakeForm(choices={"character": rows.items()}, initial=said) if rows else None,
        "target": chosen,
        "up": _list_for(chosen),
        "refused": refused,
    }
    return render(request, "gear/item.html", context, status=status_of(refused) if refused else 200)


def _need_item(request: HttpRequest, key: str) -> CatalogueItem:
    item = find_item(keeper_of(request), key)
    if item is None:
        raise Http404("Item not found, or not shared with you.")
    return item


@for_keepers
@require_http_methods(["GET", "HEAD"])
def compare_items(request: HttpRequest) -> HttpResponse:
    """Two or three items side by side."""
    items = _find_picked(request)
    people = find_people(keeper_of(request), items[-1].system) if len(items) > 1 else []
    holder = _choose_holder(request, people)
    if is_htmx(request):
        shown = {"people": people if _read_game(request.GET) else (), **_view_versus(items[-2:], holder)}
        answer = render(request, "gear/versus.html", shown)
        answer["HX-Replace-Url"] = _link_list(request, items[-2:])
        return answer
    items = items[:MAX_COMPARED]
    held = _view_held(items, holder)
    context = {"items": items, "rows": compare(items), **held, "holders": people if held.get("held") else ()}
    return render(request, "gear/compare.html", context)


def _link_list(request: HttpRequest, picked: Sequence[CatalogueItem]) -> str:
    """The address of the list that is shown, with what is compared: the way back finds it there."""
    data = QueryDict(urlsplit(find_header(request, "HX-Current-URL")).query, mutable=True)
    data.setlist("pick", [item.key for item in picked])
    return f"{reverse('gear')}?{data.urlencode()}"


@posted_from("gear_item", "Add gear with the button here.")
@for_keepers
def add_item(request: HttpRequest, key: str) -> HttpResponse:
    """Put an item onto the person's own character, for money or free."""
    item, owner = _need_item(request, key), keeper_of(request)
    if "combatant" in request.POST and isinstance(owner, User):
        return _give_in_fight(request, owner, item)
    target = _find_target(request, request.POST.get("character", ""))
    if target is None or target.system != item.system.slug:
        raise Http404("Character not found, or not shared with you.")
    before = len(target.sheet.get("items", ()))
    try:
        number = _read_count(request.POST.get("count", "1"))
        by = keeper_of(request).get_username()
        target = add_to(target, item.entry, number, pay="pay" in request.POST, by=by)
    except Refused as refused:
        return _show_result(request, target, item, refused)
    return _show_result(request, target, item, None, fresh=target.sheet["items"][before:])


def _give_in_fight(request: HttpRequest, owner: User, item: CatalogueItem) -> HttpResponse:
    """Give one of an item to someone of the GM's own encounter, who carries it from now on."""
    try:
        name = encounters.give_item(owner, request.POST["combatant"], item.entry)
    except Refused as refused:
        return _render_item(request, item, "", refused)
    messages.success(request, f"{name} has {item.entry.name} now, put away.")
    return see_other("gear_item", item.key)


def _read_count(word: str) -> int:
    number = read_whole(word)
    if number is None:
        raise Refused("bad_value", f"Quantity {say_no_number(word)}")
    return number


def _show_result(
    request: HttpRequest,
    target: Character,
    item: CatalogueItem,
    refused: Refused | None,
    fresh: Sequence[Row] = (),
) -> HttpResponse:
    """Show the result: in the item's row with htmx, else on the page the request came from.

    The `fresh` items have lines of their own on the sheet.
    """
    text = refused.message if refused else f"{target.name} has {item.entry.name} now."
    if not refused:
        text = " ".join(filter(None, (text, _say_place(item, fresh))))
    if "pay" in request.POST and not refused:
        text = f"{text} {_say_money(target)}"
    if is_htmx(request):
        context = {"text": text, "refused": refused}
        return render(request, "gear/result.html", context, status=status_of(refused) if refused else 200)
    stays = "stay" in request.POST
    if refused and not stays:
        return _render_item(request, item, str(target.pk), refused)
    (messages.warning if refused else messages.success)(request, text)
    return redirect(_list_for(target) if stays else reverse("character", args=[target.pk]))


def _list_for(target: Character | None) -> str:
    """The address of the catalogue, for this character or for none."""
    return reverse("gear") + (f"?for={target.pk}" if target else "")


def _say_place(item: CatalogueItem, fresh: Sequence[Row]) -> str:
    """Where new items are, if they are used in hand or worn; else empty."""
    if any(one.get("place") == HELD for one in fresh):
        return "It is in hand." if len(fresh) == 1 else "One is in hand, the rest is put away."
    kind = item.catalogue.find_kind(item.entry.kind)
    return PLACES.get(kind.ready, "") if kind and fresh else ""


def _say_money(target: Character) -> str:
    """The money left to spend; empty if the game counts no money."""
    money = plan_of(find_game(target.system)).money
    return f"{target.sheet.get(money.key, 0):,} {in_text(money.label)} left." if money else ""


# ---------------------------------------------------------------- own items


def _find_kind(game: str, key: str) -> tuple[System, Kind]:
    """The game and kind of a form; the first ones if it names none."""
    games = find_stocked_games()
    system = next((s for s in games if s.slug == game), games[0])
    assert system.book.catalogue is not None
    return system, system.book.catalogue.find_kind(key) or system.book.catalogue.kinds[0]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_own(request: HttpRequest) -> HttpResponse:
    """Make a new own item: from a blank form, or after another item (`from`)."""
    asked = request.POST if request.method == "POST" else request.GET
    model = find_item(person_of(request), asked["from"]) if asked.get("from") else None
    if model:
        system, kind = model.system, model.kind
    else:
        system, kind = _find_kind(asked.get("game", ""), asked.get("kind", ""))
    record = dict(model.entry.record) if model else None
    if record and request.method != "POST":
        record["name"] = f"{record['name']} (own)"[:60]
    context = {"system": system, "kind": kind, "games": find_stocked_games(), "model": model}
    form = OwnItemForm(kind, record, request.POST or None, asked=request.GET.get("use", ""))
    return _edit_own(request, context, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_own(request: HttpRequest, pk: int) -> HttpResponse:
    """Change, share or delete an own item. Characters keep what they have."""
    item = find_owned(request, OwnItem.objects, pk)
    do = request.POST.get("do", "")
    if do == "delete":
        item.delete()
        messages.success(request, f"{item.name} was deleted. Characters keep theirs.")
        return redirect("gear")
    if do in ("share", "keep"):
        share(item, shared=do == "share")
        whose = "shared with your tables" if item.shared else "no longer shared. Characters keep theirs"
        messages.success(request, f"{item.name} is {whose}.")
        return redirect("own_item", pk)
    system, kind = _find_kind(item.system, item.kind)
    if (system.slug, kind.key) != (item.system, item.kind):
        raise Http404("This kind of item no longer exists.")
    form = OwnItemForm(kind, item.record, request.POST or None)
    return _edit_own(request, {"system": system, "kind": kind, "item": item}, form)


def _begin_another(system: System, kind: Kind, form: OwnItemForm) -> HttpResponse:
    """An empty form for another item of this kind and use."""
    asked = {"game": system.slug, "kind": kind.key, **({"use": form.use.key} if form.use else {})}
    return redirect(f"{reverse('new_own_item')}?{urlencode(asked)}")


def _find_last(request: HttpRequest, system: System) -> Character | None:
    """The person's own character of a game that was played last."""
    return choose_holder(find_people(keeper_of(request), system), "")


def _pair(form: OwnItemForm, faults: dict[str, Fault]) -> list[tuple[Any, Fault | None, str]]:
    """Each field of a form with what is wrong with it, and the uses that need it."""
    return [(field, faults.get(field.name), form.uses.get(field.name, "")) for field in form]


def _edit_own(request: HttpRequest, context: Row, form: OwnItemForm) -> HttpResponse:
    """Show the form, or save it and show the item; "show" draws its card, "take" puts a value in."""
    status, system, kind = 200, context["system"], context["kind"]
    if "take" in request.POST:
        form = OwnItemForm(kind, form.record, take_fix(request.POST))
    elif request.POST.get("do") == "show":
        live = view_live(system, kind, form, _find_last(request, system))
        faults = {fault.field: fault for fault in live.faults}
        fields = _pair(form, faults)
        shown = {"live": live, "form": form, "fields": fields, "is_live": True, **context}
        return render(request, "gear/own_live.html", shown)
    elif request.method == "POST":
        try:
            if form.is_valid():
                owner, item = person_of(request), context.get("item")
                saved = save_own(
                    owner, context["system"], context["kind"].key, record=form.make_record(), item=item
                )
                messages.success(request, f"{saved.name} saved.")
                if request.POST.get("do") == "another":
                    return _begin_another(system, kind, form)
                return redirect("gear_item", f"own-{saved.pk}")
        except RecordInvalid as invalid:
            form.show(invalid.problems)
        except Refused as refused:
            form.add_error(None, refused.message)
        status = 422
    item = context.get("item")
    asked = form.use.key if form.use else ""
    fresh = OwnItemForm(kind, form.record, form.data if form.is_bound else None, asked=asked)
    live = view_live(system, kind, fresh, _find_last(request, system))
    fixes = {fault.field: fault for fault in live.faults if fault.fix}
    context |= {
        "form": form,
        "fields": _pair(form, fixes),
        "live": live,
        "kinds": [(one, picture_of(system, one.key)) for one in catalogue_of(system).kinds],
        "title": item.name if item else "Create an item",
    }
    return render(request, "gear/own.html", context, status=status)
