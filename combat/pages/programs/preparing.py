"""What a GM's program does before a fight: it chooses a ready scene, and adds people as notes name them."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import QueryDict
from django.urls import reverse

from combat.audience.fetching import find_encounter
from combat.audience.rights import check_gm
from combat.audience.viewer import GM
from combat.play.campaigns.campaigns import create_in_campaign
from combat.play.campaigns.roster import list_sides
from combat.play.scenes.ready import find_ready_scenes
from combat.play.writing.encounter_service import create_encounter
from combat.play.writing.locking import stale
from combat.rules import SYSTEMS
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.sharing.programs import make_token
from combat.sharing.viewer_context import ViewerContext

from ..map.views import use_ready_scene
from ..prep.people import add_read
from ..prep.people_view import PeopleBox
from ..prep.ready import find_missing
from . import shapes as s


def create_new(context: ViewerContext, wanted: s.NewEncounter) -> s.Created:
    """Create an encounter of the same owner, with a token of the same name; for the owner's programs alone.

    Both or, if one is refused, none.
    """
    encounter = context.encounter
    if context.seat is not None or not context.viewer.is_gm:
        raise PermissionDenied("Only a program of the encounter's owner creates another.")
    game = wanted.game or encounter.system
    if game not in SYSTEMS:
        raise Refused("unknown", f"There is no such game: choose one of {', '.join(SYSTEMS)}.")
    name = tidy(wanted.name)
    if not name:
        raise Refused("bad_value", "Name the encounter.")
    with transaction.atomic():
        if encounter.campaign and game == encounter.system:
            made = create_in_campaign(encounter.campaign, encounter.owner, game, name)
        else:
            made = create_encounter(encounter.owner, game, name)
        program = context.name.removesuffix(f" of {encounter.owner.get_username()}")
        _, token = make_token(ViewerContext(made, GM), program)
    return s.Created(made.pk, reverse("table", args=[made.pk]), token)


def list_scenes(context: ViewerContext, _: QueryDict) -> s.Scenes:
    """The ready scenes, for those who run the encounter."""
    check_gm(context.viewer)
    now = context.known_state.scene.name
    found = (
        s.OpenScene(one.key, one.group, one.name, about=one.about, used=one.name == now)
        for one in find_ready_scenes()
    )
    return s.Scenes(context.stamp, tuple(found))


def use_scene(context: ViewerContext, wanted: s.UseScene) -> s.Prepared:
    """Use a ready scene."""
    _check(context, wanted.stamp)
    use_ready_scene(context, wanted.scene)
    return _tell(context)


def add_people(context: ViewerContext, wanted: s.People) -> s.Prepared:
    """Add the people whom notes name, all who are understood."""
    _check(context, wanted.stamp)
    if wanted.zone and wanted.zone not in {zone.id for zone in context.known_state.scene.zones}:
        raise Refused("unknown", "There is no such zone: choose one of the scene, by its id.")
    side = tidy(wanted.side) or list_sides(context.known_state)[0]
    box = PeopleBox(wanted.notes, side, wanted.zone, hidden=wanted.hidden, later=wanted.later)
    added, rest = add_read(_find_person(context), context, box, wanted.stamp)
    return _tell(context, tuple(added), rest)


def _check(context: ViewerContext, stamp: str) -> None:
    """Refuse all but those who run the encounter, and what was outdated."""
    check_gm(context.viewer)
    if stamp != context.stamp:
        raise stale()


def _find_person(context: ViewerContext) -> User | None:
    """The account whose program it is, for their own NPCs; a co-GM may have none."""
    return context.seat.user if context.seat else context.encounter.owner


def _tell(context: ViewerContext, added: tuple[str, ...] = (), rest: str = "") -> s.Prepared:
    encounter = find_encounter(context.encounter.pk)
    if encounter is None:
        raise Refused("stale", "This encounter was deleted.")
    now = ViewerContext(encounter, context.viewer, context.seat, context.name)
    return s.Prepared(now.stamp, added, rest, find_missing(now))
