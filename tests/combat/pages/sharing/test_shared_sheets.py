"""A sheet behind its read-only link, during a fight: it follows the combatant, and tells of no one else."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, Seat
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.sharing.links import end_seat
from tests.characters.conftest import text_of
from tests.combat.play.campaigns.test_roster import SHEET, SLUG
from tests.combat.visit import read
from tests.typed import sure

HTMX = {"HX-Request": "true"}


def make_fight(gm: User, zoe: Character) -> tuple[Encounter, str]:
    """A running fight with Zoe and a lurker that nobody sees; her id."""
    fight = create_encounter(gm, SLUG, "The alley")
    joined = bring(fight, sure(zoe.owner), str(zoe.pk), side="allies", zone="", by="gm")
    (me,) = (one.id for one in joined)
    submit(fight.pk, Submission("join", {"block": "street_thug", "name": "Lurker", "side": "enemies"}))
    submit(fight.pk, Submission("hide", {"target": "f2"}))
    submit(fight.pk, Submission("start", {}))
    Seat.objects.create(encounter=fight, user=zoe.owner, name="ana", kind="play", digest="d", combatants=[me])
    return fight, me


def test_link_follows_the_fight_and_tells_of_no_one_else(gm: User, client: Client) -> None:
    ana = User.objects.create_user("ana")
    zoe = character_service.create(ana, SLUG, "Zoe", SHEET)
    path = f"/v/{character_service.find_token(character_service.open_link(zoe))}/"
    before = client.get(path)
    assert "96 / 96" in text_of(before)
    assert "Live, from a fight" not in text_of(before)
    fight, me = make_fight(gm, zoe)
    submit(fight.pk, Submission("adjust", {"target": me, "track": "hp", "by": -7}))
    page = client.get(read(before).one("div", id="sheet")["hx-get"], headers=HTMX)
    assert "Live, from a fight" in text_of(page)
    assert "89 / 96" in text_of(page)
    assert "Lurker" not in text_of(page)
    asked = read(page).one("div", id="sheet")["hx-get"]
    submit(fight.pk, Submission("adjust", {"target": "f2", "track": "hp", "by": -3}))
    assert client.get(asked, headers=HTMX).status_code == 204, "a secret of the GM moves nothing"
    submit(fight.pk, Submission("give_condition", {"target": me, "kind": "prone", "by": "f2"}))
    page = client.get(asked, headers=HTMX)
    assert "Prone" in text_of(page)
    assert "Lurker" not in text_of(page)
    assert "89 / 96" in text_of(client.get(path))
    end_seat(Seat.objects.get())
    page = client.get(read(page).one("div", id="sheet")["hx-get"], headers=HTMX)
    assert "96 / 96" in text_of(page), "its player sees the fight no more"
    assert "Live, from a fight" not in text_of(page)
