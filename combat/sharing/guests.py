"""Guests at a table and the characters they make there: kept with the seat until an account takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from characters.accounts.visitors import find_past_visitors
from characters.guests import Guest, Table
from characters.models import Character
from combat.audience.changes import find_open_seats
from combat.live import hub
from combat.models import Encounter, GuestSheet, HandoutShowing, Note, Seat, ShareLink
from combat.play.campaigns.roster import JOINS_LATE, bring_to_seat, find_character_id
from combat.play.writing.encounter_service import read_state
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.state.state import present
from cosmos_site.base.tags import find_digest

from .access import SEATS, find_seat, is_held

LEFT = "seats_left"  # in the session: encounter id -> the secret of an ended seat that has sheets
MAX_SHEETS, MAX_AT_TABLE = 5, 200  # including deleted ones that could be restored
MAX_TABLES = 6


def find_guest(request: HttpRequest) -> Guest | None:
    """The guest of this browser, if it holds a seat to play from."""
    secrets = list(request.session.get(SEATS, {}).values())
    if not secrets:
        return None
    seats = find_open_seats().filter(kind=ShareLink.PLAY, digest__in=map(find_digest, secrets))
    held = {seat.encounter_id: seat for seat in seats.order_by("created")}
    if not held:
        return None
    seat = held.get(_find_wanted(request)) or max(held.values(), key=lambda one: one.created)
    sheets = GuestSheet.objects.filter(seat__in=[*held.values()]).values_list("character", flat=True)
    return Guest(seat.name, frozenset(sheets), partial(keep_sheets, seat))


def _find_wanted(request: HttpRequest) -> int:
    """The number of the table that a page leads back to; 0 for none."""
    return read_count(request.POST.get("for") or request.GET.get("for") or "0") or 0


def find_tables(request: HttpRequest, character: Character | None = None) -> list[Table]:
    """The tables someone may bring a character to: where they have a seat, and their own if asked for.

    That is first, then those where the character is, and fights under way before others.
    """
    wanted = _find_wanted(request)
    secrets = list(request.session.get(SEATS, {}).values())
    seats = find_open_seats().filter(is_held(request.user, secrets), kind=ShareLink.PLAY)
    seats = seats.filter(encounter__archived=False).select_related("encounter").order_by("-created")
    found = {seat.encounter_id: seat.encounter for seat in seats[:MAX_TABLES]}
    if wanted and wanted not in found and request.user.is_authenticated:
        mine = Encounter.objects.filter(pk=wanted, owner=request.user).first()
        found |= {mine.pk: mine} if mine else {}
    here = [e for e in found.values() if character is None or e.system == character.system]
    here.sort(key=lambda encounter: encounter.phase != "fight")
    tables = [Table(e.pk, e.name, e.system, _is_there(e, character)) for e in here]
    return sorted(tables, key=lambda table: (table.encounter != wanted, not table.is_there))


def _is_there(encounter: Encounter, character: Character | None) -> bool:
    if character is None:
        return False
    return character.pk in map(find_character_id, present(read_state(encounter)))


def bring_made(request: HttpRequest, encounter: int, character: Character) -> bool:
    """Let a character made for a table join it at once, if its player has nobody there; whether it did."""
    seat = find_seat(encounter, request.user, request.session.get(SEATS, {}))
    person = request.user if request.user.is_authenticated else find_guest(request)
    if seat is None or seat.kind != ShareLink.PLAY or person is None:
        return False
    here = {one.id for one in present(read_state(seat.encounter))}
    if here & set(seat.combatants):
        return False
    try:
        joined = bring_to_seat(seat.encounter, seat, person, str(character.pk))
    except Refused as refused:  # the sheet has a button for later
        messages.warning(request, refused.message)
        return False
    if not joined:
        messages.info(request, JOINS_LATE)
    return True


def keep_sheets(seat: Seat, made: Sequence[Character]) -> None:
    """Keep new characters with a seat; Refused if it, or the table, has too many."""
    with locked(seat.encounter_id):
        theirs = GuestSheet.objects.filter(seat__encounter=seat.encounter_id)
        if theirs.filter(seat=seat).count() + len(made) > MAX_SHEETS:
            raise Refused(
                "not_allowed", f"A guest creates at most {MAX_SHEETS} characters: create an account."
            )
        if theirs.filter(seat__link__revoked=None).count() + len(made) > MAX_AT_TABLE:
            raise Refused("not_allowed", "This table has too many guests' characters: create an account.")
        GuestSheet.objects.bulk_create(GuestSheet(seat=seat, character=one) for one in made)


def pass_on(secrets: Iterable[str], seat: Seat) -> None:
    """Give a returning guest the characters, handouts and last notes of the seats they had here before."""
    digests = [find_digest(secret) for secret in secrets]
    before = GuestSheet.objects.filter(seat__encounter=seat.encounter_id, seat__digest__in=digests)
    before.exclude(seat=seat).update(seat=seat)
    HandoutShowing.objects.filter(seat__encounter=seat.encounter_id, seat__digest__in=digests).update(
        seat=seat
    )
    notes = Note.objects.filter(seat__encounter=seat.encounter_id, seat__digest__in=digests)
    last = notes.order_by("changed").last()
    if last and not seat.notes.exists():
        Note.objects.filter(pk=last.pk).update(seat=seat)


def claim_sheets(user: User, secrets: Iterable[str]) -> None:
    """Move the characters a browser made as a guest to the account, even if the seat has ended."""
    theirs = GuestSheet.objects.filter(seat__digest__in=[find_digest(secret) for secret in secrets])
    with transaction.atomic():
        Character.objects.filter(pk__in=theirs.values("character"), owner=None).update(owner=user)
        theirs.delete()


def drop_sheets(encounter: Encounter) -> None:
    """Delete the guests' characters with their table; they can be restored for the usual days.

    Who came back at another table of the campaign keeps theirs there.
    """
    for sheet in GuestSheet.objects.filter(seat__encounter=encounter).select_related("seat"):
        others = find_open_seats().filter(digest=sheet.seat.digest).exclude(encounter=encounter)
        if other := others.order_by("-created").first():
            GuestSheet.objects.filter(pk=sheet.pk).update(seat=other)
    theirs = GuestSheet.objects.filter(seat__encounter=encounter).values("character")
    Character.objects.filter(pk__in=theirs, owner=None, deleted_at=None).update(deleted_at=timezone.now())


def delete_encounter(encounter: Encounter) -> None:
    """Delete an encounter with everything in it, inside its lock; the pages that show it are told."""
    pk = encounter.pk
    drop_sheets(encounter)
    encounter.delete()
    transaction.on_commit(lambda: hub.end_all(pk), robust=True)


def end_visits() -> None:
    """Delete the visitors whose day is over, with their demo fights, and sessions that have ended."""
    for visitor in find_past_visitors():
        for pk in visitor.encounters.values_list("pk", flat=True):
            with suppress(Refused), locked(pk) as encounter:
                delete_encounter(encounter)
        visitor.delete()
    SessionStore.clear_expired()
