"""The page that a link opens, and the way back out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import structs

from characters.access import answer_portrait
from characters.creation.creation_view import say_strengths
from characters.games import check_sheet, find_problems
from characters.guests import visitor_of
from characters.models import Character
from characters.views.lists import posted_from
from combat.audience.changes import find_players
from combat.audience.doors import is_closed
from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.display.combatants.cards import Card, Danger, make_card
from combat.display.combatants.tokens import Look, assign_faces, find_all_combatants, find_look, name_fully
from combat.models import Encounter, Participation, Seat, ShareLink
from combat.play.campaigns.roster import Visitor, find_character_id, find_kept
from combat.play.writing.encounter_service import read_state
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import with_article
from combat.rules.core.declaration.system import System
from combat.rules.core.space import map_of
from combat.rules.core.state.state import Combatant, State, find_waiting, present
from combat.sharing.access import (
    SEAT_REMOVED,
    SEATS,
    SeatEnded,
    find_seat,
    find_seats,
    for_visitors,
    was_removed,
)
from combat.sharing.closed import show_closed
from combat.sharing.guests import LEFT, pass_on
from combat.sharing.links import (
    MAX_LENGTH,
    Arrival,
    clean_name,
    find_characters,
    find_link,
    is_open,
    leave_seat,
    open_combatants,
    take_seat,
)
from combat.sharing.viewer_context import ViewerContext
from combat.sharing.waiting_room import BLOCK, OWN, READY, find_blocks, find_offers, find_own, find_wanted
from cosmos_site.base.errors import status_of

from ..home.pictures import draw_picture
from ..map.views import answer_clip
from ..prep.odds_view import read_open_dangers
from ..table.rows import find_given, view_known
from .forms import SeatForm

NEW, WATCH = "new", "watch"  # in place of a combatant: the guest makes a character, or only watches

PAGE = "combat/sharing/join/join.html"
NO_PICTURE = "Picture not found."
NOT_HERE = "No free character of this link has that portrait."
OPEN = ("fight", "prep")  # phases of tables that someone wants to get back to, the first one first
SHOWN_FIRST, TAKEN_NAMED, OWN_SHOWN = 5, 3, 12
NEVER_PLAYED = "Not yet played"


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The page a link opens: choose a name, a face, a free character or just to watch, and join.

    The GM may have removed someone who came by this link: they are told so, or led to a newer seat.
    """
    link, status = find_link(token), 200
    if link is None:
        return render(request, "combat/sharing/join/join_gone.html", status=404)
    if newer := _find_newer(request, link):
        return redirect("table", newer)
    held = request.session.get(SEATS, {})
    if was_removed(link, request.user, held):
        if find_seat(link.encounter_id, request.user, held):
            return redirect("table", link.encounter_id)
        raise SeatEnded(SEAT_REMOVED)
    if _is_closed(request, link):
        return show_closed(request, link.encounter)
    if request.method == "POST":
        try:
            return _enter(request, link)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    return render(request, PAGE, _find_join_page(request, link, token), status=status)


def _is_closed(request: HttpRequest, link: ShareLink) -> bool:
    """Whether a link leads to a fight that is closed to who opens it."""
    is_owner = link.encounter.owner_id == request.user.pk
    return link.kind != ShareLink.CO_GM and not is_owner and is_closed(link.encounter, Viewer())


def _find_newer(request: HttpRequest, link: ShareLink) -> int:
    """The newer table of the campaign where the visitor has a seat, once the link's fight is over; or 0.

    So the link of the first evening leads on to the next.
    """
    old = link.encounter
    if old.phase != "over" or old.campaign_id is None or link.moves_id or link.kind != ShareLink.PLAY:
        return 0
    mine = [seat.encounter for seat in find_seats(request) if seat.kind == ShareLink.PLAY]
    newer = [one for one in mine if one.campaign_id == old.campaign_id and one.pk > old.pk]
    return max((one.pk for one in newer if one.phase in OPEN), default=0)


@require_http_methods(["GET", "HEAD"])
def show_portrait(request: HttpRequest, token: str, digest: str) -> HttpResponse:
    """The portrait of a character that a player's link offers."""
    link = find_link(token)
    if link is None or link.kind != ShareLink.PLAY or link.moves or _is_closed(request, link):
        raise Http404(NOT_HERE)
    kept = find_kept(link.encounter, open_combatants(link.encounter)).values()
    return answer_portrait(next((sheet for sheet in kept if sheet.portrait == digest), None), digest)


def _enter(request: HttpRequest, link: ShareLink) -> HttpResponse:
    person = request.user if isinstance(request.user, User) else None
    if person and link.encounter.owner_id == person.pk:
        return redirect("table", link.encounter_id)
    plays = link.kind == ShareLink.PLAY and not link.moves
    word = request.POST.get("combatant", "") if plays else ""
    bring = find_wanted(link.encounter, visitor_of(request), word)
    old = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    seat, secret = take_seat(link, read_arrival(request.POST), person, old)
    _bring_sheets(request, seat)
    _tell_new_name(request, seat)
    if person is None:
        request.session.cycle_key()  # so a session planted before is useless
    request.session[SEATS] = {**request.session.get(SEATS, {}), str(seat.encounter_id): secret}
    if bring:
        try:
            bring(seat)
        except Refused as refused:  # they have their seat: the table says what to do next
            messages.warning(request, refused.message)
    if request.POST.get("combatant") == NEW and seat.kind == ShareLink.PLAY:
        return redirect(f"{reverse('new_character')}?for={seat.encounter_id}")
    return redirect("table", seat.encounter_id)


def _tell_new_name(request: HttpRequest, seat: Seat) -> None:
    """Say it to a guest whose name another one at the table has, so that theirs got a number."""
    wanted = clean_name(request.POST.get("name", ""))
    begin, _, number = seat.name.rpartition(" ")
    if seat.user_id is None and begin == wanted[: MAX_LENGTH - 4] and number.isdecimal():
        text = f"There is {with_article(wanted)} already: you are {seat.name}."
        messages.info(request, f"{text} To change that, leave and join under another name.")


def read_arrival(posted: QueryDict) -> Arrival:
    """What the form asks for; one list offers characters, a new one, and just to watch."""
    wanted = posted.get("combatant", "")
    combatant = "" if wanted in (NEW, WATCH) or wanted.startswith((OWN, READY, BLOCK)) else wanted
    return Arrival(posted.get("name", ""), combatant, posted.get("face", ""), wanted == WATCH)


def _bring_sheets(request: HttpRequest, seat: Seat) -> None:
    """Give this browser the characters it made at this table before."""
    held, left, here = (
        request.session.get(SEATS, {}),
        dict(request.session.get(LEFT, {})),
        str(seat.encounter_id),
    )
    pass_on([*held.values(), *filter(None, [left.get(here)])], seat)
    if left.pop(here, ""):
        request.session[LEFT] = left


def _find_join_page(request: HttpRequest, link: ShareLink, token: str) -> dict[str, Any]:
    """The values of the page, with the seat at this table that would be given up; and what was typed."""
    held = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    offers = link.kind == ShareLink.PLAY and not link.moves
    picks = view_picks(link.encounter, token) if offers else None
    typed = _find_typed(request, held)
    own = view_own(link.encounter, visitor_of(request)) if picks else ()
    if not typed["combatant"] and own and not held:
        typed["combatant"] = own[0].id  # whom they played last: one tap to sit down
    return {
        "link": link,
        "encounter": link.encounter,
        "system": find_system(link.encounter.system),
        "picture": _draw_scene(link.encounter, token),
        "seated": tuple(find_players(link.encounter_id)) if offers else (),
        "picks": picks,
        "own": own,
        "blocks": view_blocks(link.encounter) if picks else (),
        "ready": find_offers(link.encounter, picks.names) if picks else (),
        "form": SeatForm(watches=link.kind == ShareLink.WATCH, **typed),
        "moves": link.moves,
        "held": held,
        "typed": typed,
        "picked": picks is not None and typed["combatant"] in {pick.id for pick in (*own, *picks.free)},
    }


def _draw_scene(encounter: Encounter, token: str) -> SafeString:
    """The scene as a spectator knows it; the link is the right to fetch the picture under it."""
    context = ViewerContext(encounter, Viewer())
    known, picture = context.known_state, map_of(context.known_state.scene).picture
    at = reverse("join_map", args=[token, picture.digest]) if picture else ""
    return draw_picture(context.system, known, view_known(context), encounter.pk, picture_at=at)


@require_http_methods(["GET", "HEAD"])
def show_map_picture(request: HttpRequest, token: str, digest: str) -> HttpResponse:
    """The part of the picture under the scene that spectators see, for who has a link."""
    link = find_link(token)
    if link is None or _is_closed(request, link):
        raise Http404(NO_PICTURE)
    return answer_clip(ViewerContext(link.encounter, Viewer()), digest)


def _find_typed(request: HttpRequest, held: Seat | None) -> dict[str, str]:
    """What a refused form held; a face that someone has already stays chosen."""
    posted = {name: request.POST.get(name, "")[:MAX_LENGTH] for name in ("name", "face", "combatant")}
    if request.method == "POST":
        return posted
    return {**posted, "face": held.face if held else ""}


def _tell_way_back(seat: Seat) -> str:
    """How someone who left gets in again: by their link, if it still lets people in."""
    if seat.link is None:
        return "The GM can let you in again."
    return (
        "Its link brings you back." if is_open(seat.link) else "Its link is used up: ask the GM for another."
    )


@posted_from("table", "Leave with the button at the top of the table.")
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Give up the visitor's seat."""
    held = dict(request.session.get(SEATS, {}))
    seat = find_seat(pk, request.user, held)
    if seat:
        with suppress(Refused):  # the table was deleted meanwhile
            leave_seat(seat)
        messages.success(request, f"You left {seat.encounter.name}. {_tell_way_back(seat)}")
    secret = held.pop(str(pk), "") if seat else ""  # that of a removed seat stays: it keeps them out
    if secret:
        request.session[SEATS] = held
    if seat and secret and seat.sheets.exists():
        request.session[LEFT] = {**request.session.get(LEFT, {}), str(pk): secret}
    return redirect("home")


@require_safe
def open_my_seat(request: HttpRequest) -> HttpResponse:
    """Lead to the newest seat at a fight that runs, else at one that is prepared, else home."""
    seats = [seat for seat in find_seats(request) if seat.encounter.phase in OPEN]
    seats.sort(key=lambda seat: OPEN.index(seat.encounter.phase))
    return redirect("table", seats[0].encounter_id) if seats else redirect("home")


# What the page of a player's link offers: the characters that are free, and those that are taken.


@dataclass(frozen=True)
class Pick:
    """Someone to play: their token, a line about them and a second one; `keeps`: where changes go.

    `danger` is how strong they are against the party, where that was measured.
    """

    id: str
    name: str
    short: str
    line: str
    look: Look
    about: str = ""
    keeps: str = ""
    danger: Danger | None = None


@dataclass(frozen=True)
class Picks:
    """The free characters, the first that are `taken`, how many `others` are, and the `names` of all."""

    free: tuple[Pick, ...]
    taken: tuple[str, ...]
    others: int = 0
    names: frozenset[str] = frozenset()

    @property
    def first(self) -> tuple[Pick, ...]:
        """Those in sight at once; a single one more is not worth a fold."""
        return self.free[: SHOWN_FIRST + 1] if len(self.free) == SHOWN_FIRST + 1 else self.free[:SHOWN_FIRST]

    @property
    def rest(self) -> tuple[Pick, ...]:
        """Those in the fold."""
        return self.free[len(self.first) :]


def view_picks(encounter: Encounter, token: str) -> Picks:
    """The player characters of an encounter as someone with a player's link may know them."""
    state = read_state(encounter)
    free, taken = find_characters(encounter, state)
    known = _reduce(state, [*free, *taken])
    kept, faces = find_kept(encounter, free), _find_faces(encounter, state)
    picks = tuple(
        _view_pick(encounter, known, one, sheet=kept.get(one.id), token=token, faces=faces) for one in free
    )
    names = tuple(name_fully(known, one) for one in taken)
    known_names = frozenset(one.name for one in (*free, *taken))
    return Picks(picks, names[:TAKEN_NAMED], len(names[TAKEN_NAMED:]), known_names)


def view_own(encounter: Encounter, visitor: Visitor) -> tuple[Pick, ...]:
    """Someone's own characters of the encounter's game that are not in it yet, the last played first."""
    system, state = find_system(encounter.system), read_state(encounter)
    there = {find_character_id(one) for one in (*present(state), *find_waiting(state))}
    mine = [one for one in find_own(visitor, encounter.system) if one[0].pk not in there]
    return tuple(filter(None, (_view_own(system, *one) for one in mine[:OWN_SHOWN])))


def _view_own(system: System, character: Character, last: Participation | None) -> Pick | None:
    if find_problems(system, character.sheet):
        return None
    sheet = check_sheet(system, character.sheet)
    card = make_card(
        system, f"{OWN}{character.pk}", character.name, ("", ""), sheet=sheet, face=character.face
    )
    if card is None:
        return None
    look = as_ally(card.look)
    if character.portrait:
        look = structs.replace(look, portrait=reverse("portrait", args=[character.pk, character.portrait]))
    played = f"Last played {last.encounter.created:%-d %B}: {last.encounter.name}" if last else ""
    return Pick(
        card.key,
        card.name,
        card.name.split()[0],
        _say_card(card),
        look,
        played or NEVER_PLAYED,
        "changes go back to this sheet",
    )


def as_ally(look: Look) -> Look:
    """The token of someone of the book as their player will see it."""
    return structs.replace(look, tone="is-ally")


def _say_card(card: Card) -> str:
    """The main attack, and how much they bear: "Auto rifle +9 · 84 Health"."""
    attack = f"{card.attack.name} {card.attack.total}".strip() if card.attack else ""
    return " · ".join(filter(None, (attack, f"{card.health.most} {card.health.label}")))


def view_blocks(encounter: Encounter) -> tuple[Pick, ...]:
    """The stat blocks that the GM has opened to those who join."""
    system, state = find_system(encounter.system), read_state(encounter)
    blocks = find_blocks(encounter, state)
    dangers = read_open_dangers(encounter, state, [one.id for one in blocks])
    cards = [
        (one, make_card(system, f"{BLOCK}{one.id}", one.name, (one.tier, one.summary), sheet=one.sheet))
        for one in blocks
    ]
    return tuple(
        Pick(
            card.key,
            card.name,
            card.name,
            _say_card(card),
            as_ally(card.look),
            card.kind,
            "for this fight only",
            dangers.get(one.id),
        )
        for one, card in cards
        if card and not card.look.is_vehicle
    )


def _reduce(state: State, known: list[Combatant]) -> State:
    """The state with these combatants alone: a namesake that is hidden must not show in a name."""
    return structs.replace(state, combatants={one.id: one for one in known})


def _find_faces(encounter: Encounter, state: State) -> dict[str, str]:
    """The faces of all whom a spectator knows: those that the table shows."""
    system, public = find_system(encounter.system), redact(state, Viewer())
    given = find_given(encounter, system, public, find_kept(encounter, present(public)))
    return assign_faces(system, public, given)


def _view_pick(
    encounter: Encounter,
    known: State,
    one: Combatant,
    sheet: Character | None,
    token: str,
    faces: Mapping[str, str],
) -> Pick:
    system = find_system(encounter.system)
    number, face = find_all_combatants(system, known).numbers.get(one.id, ""), faces.get(one.id, "")
    look = find_look(system, one, "is-ally", active=False, down=False, number=number)
    if face and look.face:
        look = structs.replace(look, face=face)
    if sheet and sheet.portrait:
        look = structs.replace(look, portrait=reverse("join_portrait", args=[token, sheet.portrait]))
    name = name_fully(known, one)
    line, keeps = say_strengths(system, one), "made ready by the GM"
    return Pick(one.id, name, name.split()[0], line=line, look=look, keeps=keeps)
