"""A prepared fight as a page for other GMs: scene, who fights, notes, forecast, license; to be copied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from msgspec.structs import replace

from combat.audience.viewer import GM
from combat.display.combatants.cards import list_attacks
from combat.display.combatants.tokens import Look, find_tones
from combat.display.shapes.table_shapes import CombatantView
from combat.models import Encounter, GivenFight
from combat.play.packs import giving
from combat.play.whatif import forecast_jobs
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sides import standing_sides
from combat.rules.core.state.state import State, present
from combat.sharing.invitations import Place, find_places
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_file, answer_picture
from cosmos_site.base.forms import is_htmx

from ..book.views import read_notices
from ..home.pictures import draw_picture
from ..prep.odds_view import PrepOdds, make_odds
from ..table.rows import view_combatants

GONE = "This fight is not shared, or no longer: ask the GM who gave you the link."


@dataclass(frozen=True)
class GivenLink:
    """The link as its owner is shown it: addresses that others can open, the likeliest with its QR code."""

    link: GivenFight
    path: str
    place: Place | None

    @property
    def address(self) -> str:
        """The whole address, or its path where no address is known."""
        return self.place.address if self.place else self.path


@dataclass(frozen=True)
class Kind:
    """Those who are alike: one of them as a row, how many, their attacks, and the GM's note on them."""

    name: str
    count: int
    view: CombatantView
    look: Look
    attack: str
    note: str


def view_link(request: HttpRequest, encounter: Encounter) -> GivenLink | None:
    """The link of a fight that is given, for its owner."""
    given = GivenFight.objects.filter(encounter=encounter).defer("document", "state").first()
    token = giving.find_token(given) if given else ""
    if given is None or not token:
        return None
    path = reverse("given_fight", args=[token])
    places, _ = find_places(request, path)
    return GivenLink(given, path, next(iter(places), None))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_given(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a given fight. A POST makes a copy for the person who is signed in."""
    given, problem, status = _find(token), "", 200
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect_to_login(request.path, resolve_url(settings.LOGIN_URL))
        try:
            return redirect("prep", giving.use(given, request.user).pk)
        except Refused as refused:
            problem, status = refused.message, status_of(refused)
    elif given.encounter.owner_id != request.user.pk:
        giving.count(given, "seen")
    shown = {**_find_shown(given, token), "token": token, "problem": problem}
    return render(request, "combat/sharing/given.html", shown, status=status)


@never_cache
@require_safe
def download_given(request: HttpRequest, token: str) -> HttpResponse:
    """The fight as the file of a pack, for another site."""
    given = _find(token)
    if given.encounter.owner_id != request.user.pk:
        giving.count(given, "used")
    name = slugify(giving.read_fight(given).name)[:60] or "fight"
    return answer_file(giving.read_file(given), f"{name}.pack.json")


@require_safe
def show_given_picture(request: HttpRequest, token: str) -> HttpResponse:
    """The picture under the map of a fight that is given."""
    image = giving.read_fight(_find(token)).picture
    if not image:
        raise Http404("Picture not found.")
    return answer_picture(image, "map", caching="no-store")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_given_odds(request: HttpRequest, token: str) -> HttpResponse:
    """The forecast against ready heroes of the game; a POST begins it. Others than scripts get the page."""
    given = _find(token)
    if not is_htmx(request):
        return redirect("given_fight", token)
    if request.method == "POST" and view_odds(given).begins:
        forecast_jobs.begin(_place(given), given.digest, given.encounter.system, _add_party(given))
    return render(request, "combat/sharing/given_odds.html", {"odds": view_odds(given), "token": token})


def view_odds(given: GivenFight) -> PrepOdds:
    """What the forecast says so far."""
    system = find_system(given.encounter.system)
    try:
        state = _add_party(given)
    except Refused as refused:
        return PrepOdds(refused.message)
    if len(standing_sides(system, state)) < 2:
        return PrepOdds("There is nobody to fight in it.")
    return make_odds(forecast_jobs.read_job(_place(given)), find_tones(state))


def _add_party(given: GivenFight) -> State:
    return giving.add_party(giving.read_state(given))


def _place(given: GivenFight) -> str:
    return f"given:{given.digest[:16]}:{given.changed.timestamp():.0f}"


def _find(token: str) -> GivenFight:
    given = giving.find_given(token)
    if given is None:
        raise Http404(GONE)
    return given


def _find_shown(given: GivenFight, token: str) -> dict[str, Any]:
    """The values of the page's template: nothing of the encounter that the fight came from."""
    one, state = giving.read_fight(given), giving.read_state(given)
    system = find_system(one.system)
    views = view_combatants(system, state, GM)
    notes = dict(zip((who.id for who in present(state)), (who.note for who in one.combatants), strict=False))
    games = [notice for notice in read_notices() if system.slug in [slug for _, slug in notice["games"]]]
    return {
        "fight": one,
        "system": system,
        "picture": draw_picture(system, state, views, picture_at=reverse("given_picture", args=[token])),
        "sides": _view_sides(system, state, views, notes),
        "notes": [text for text in (one.note, one.scene_note, one.scene.notes) if text],
        "changed": given.changed,
        "options": _list_options(system, one.options),
        "conditions": [condition.name for condition in one.conditions],
        "odds": view_odds(given),
        "notices": games,
        "has_picture": bool(one.picture),
    }


def _view_sides(
    system: System, state: State, views: dict[str, CombatantView], notes: dict[str, str]
) -> dict[str, list[Kind]]:
    """Who fights, side by side, namesakes counted together."""
    sides: dict[str, dict[str, list[str]]] = {}
    for one in present(state):
        sides.setdefault(one.side, {}).setdefault(one.name.rstrip(" 0123456789"), []).append(one.id)
    return {
        side: [
            _view_kind(system, state, name, views=views, who=who, notes=notes) for name, who in kinds.items()
        ]
        for side, kinds in sides.items()
    }


def _view_kind(
    system: System,
    state: State,
    name: str,
    *,
    views: dict[str, CombatantView],
    who: list[str],
    notes: dict[str, str],
) -> Kind:
    view = views[who[0]]
    attack = next(iter(list_attacks(system, state, state.combatants[who[0]])), None)
    said = f"{attack.name} {attack.total} · {attack.damage}" if attack else ""
    note = "\n\n".join(dict.fromkeys(notes[one] for one in who if notes.get(one)))
    look = replace(view.look, badge="", active=False)
    return Kind(name, len(who), view, look, attack=said, note=note)


def _list_options(system: System, options: dict[str, Any]) -> list[str]:
    """The house rules that differ from the book, in words."""
    known = {option.key: option for option in system.book.options}
    return [
        f"{known[key].label}: {known[key].describe(value)}"
        for key, value in options.items()
        if key in known and value != known[key].default
    ]
