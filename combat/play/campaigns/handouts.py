"""Handouts: create, show to seats or everybody, withdraw; and who may see which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from combat.audience.rights import Grant, check_gm, find_viewer
from combat.audience.things import HANDOUT, find_campaign_id
from combat.models import Campaign, Encounter, Handout, HandoutShowing, Seat
from combat.rules.core.basics.checking import clean_text
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.pictures import Picture

from ..writing.locking import alone, locked
from .campaigns import clean_title, tell_shown, write_seen

MAX_HANDOUTS, MAX_TEXT = 200, 10_000
EVERYBODY = "all"
CHANGED = "This handout changed meanwhile. Compare, then save: what you save replaces it."
DELETED = "This handout was deleted meanwhile: save to create it again."


def _read(title: str, text: str, picture: Picture | None, has_picture: bool) -> dict[str, Any]:
    """The fields of a handout; Refused if it would be empty."""
    fields: dict[str, Any] = {"title": clean_title(title), "text": clean_text(text, MAX_TEXT, "The text")}
    if not fields["text"] and picture is None and not has_picture:
        raise Refused("bad_value", "A handout needs a text or a picture.")
    if picture:
        fields |= {"image": picture.image, "digest": picture.digest}
        fields |= {"width": picture.width, "height": picture.height}
    return fields


def create_handout(campaign: Campaign, title: str, text: str, picture: Picture | None) -> Handout:
    """A new handout that nobody sees yet."""
    fields = _read(title, text, picture, has_picture=False)
    if campaign.handouts.count() >= MAX_HANDOUTS:
        raise Refused("not_allowed", f"A campaign has at most {MAX_HANDOUTS} handouts: delete old ones.")
    return Handout.objects.create(campaign=campaign, **fields)


def see_handout(handout: Handout) -> str:
    """What a form that was opened with this handout sends back."""
    return write_seen(handout.title, handout.text, handout.digest)


def change_handout(
    handout: Handout,
    title: str,
    text: str,
    picture: Picture | None,
    *,
    drop_picture: bool = False,
    seen_text: str = "",
) -> None:
    """Change a handout; pages that show it look again.

    `seen_text` is `see_handout` of what the writer has read; empty: not known. Refused("stale") if it is
    another one now; `handout` is that one then. Also if it was deleted.
    """
    with alone():
        rows = Handout.objects.select_for_update(no_key=True)  # others may show it meanwhile
        try:
            handout.refresh_from_db(fields=["title", "text", "digest", "width", "height"], from_queryset=rows)
        except Handout.DoesNotExist:
            raise Refused("stale", DELETED) from None
        if seen_text and seen_text != see_handout(handout):
            raise Refused("stale", CHANGED)
        fields = _read(title, text, picture, bool(handout.digest) and not drop_picture)
        if drop_picture and picture is None:
            fields |= {"image": None, "digest": "", "width": 0, "height": 0}
        Handout.objects.filter(pk=handout.pk).update(**fields)
        _tell(_find_shown(handout))


def delete_handout(handout: Handout) -> None:
    """Delete a handout for good, also for those who were shown it."""
    with transaction.atomic():
        shown = _find_shown(handout)
        handout.delete()
        _tell(shown)


def _find_shown(handout: Handout) -> dict[int, set[int | None]]:
    """The encounters at which a handout is shown, with the seats that see it; None is everybody."""
    found: dict[int, set[int | None]] = {}
    for encounter, seat in handout.showings.values_list("encounter", "seat"):
        found.setdefault(encounter, set()).add(seat)
    return found


def _tell(shown: dict[int, set[int | None]]) -> None:
    for pk, seats in shown.items():
        with locked(pk) as encounter:
            tell_shown(encounter, everybody=None in seats, seats=[seat for seat in seats if seat])


def show(encounter_id: int, number: int, to: Iterable[str], *, grant: Grant | None = None) -> Handout:
    """Show a handout of the encounter's campaign to exactly these: seats by number, or everybody.

    An empty list withdraws it.
    """
    words = set(to)
    with locked(encounter_id) as encounter:
        viewer = find_viewer(encounter, grant)
        check_gm(viewer)
        of = find_campaign_id(HANDOUT, encounter, viewer, grant)
        handout = Handout.objects.filter(pk=number, campaign=of or 0).first()
        if handout is None:
            raise Refused("unknown", "That handout is not in this encounter's campaign.")
        wanted: set[int | None] = {None} if EVERYBODY in words else set(_find_seats(encounter, words))
        now = HandoutShowing.objects.filter(encounter=encounter, handout=handout)
        shown = set(now.values_list("seat", flat=True))
        if wanted == shown:
            return handout
        everybody, concerned = None in wanted | shown, [pk for pk in wanted ^ shown if pk]
        now.exclude(seat__in=[pk for pk in wanted if pk]).delete()  # those to everybody go as well
        shown = set(now.values_list("seat", flat=True))
        HandoutShowing.objects.bulk_create(
            HandoutShowing(encounter=encounter, handout=handout, seat_id=pk) for pk in wanted - shown
        )
        tell_shown(encounter, everybody=everybody, seats=concerned)
    return handout


def _find_seats(encounter: Encounter, words: set[str]) -> list[int]:
    known = {str(pk): pk for pk in encounter.seats.filter(ended=None).values_list("pk", flat=True)}
    if not words.issubset(known):
        raise Refused("unknown", "Someone chosen has left the table: choose again.")
    return [known[word] for word in words]


def find_shown(encounter: Encounter, seat: Seat | None, is_gm: bool) -> QuerySet[Handout]:
    """The handouts that a viewer may see at an encounter, last shown first; without their bytes.

    Those who run the table see every handout that is shown to anyone.
    """
    shown = Q(showings__encounter=encounter)
    if not is_gm:
        shown &= Q(showings__seat=None) | Q(showings__seat=seat.pk if seat else 0)
    found = Handout.objects.filter(shown).defer("image").annotate(since=Max("showings__since"))
    return found.order_by("-since", "-pk")
