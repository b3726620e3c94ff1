"""The GM's turn head and rows name who plays someone; nobody else's page does."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from combat.audience.viewer import Viewer
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table.players_view import PlayersForm, open_players
from combat.pages.table.rows import view_known
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast, come
from tests.combat.pages.table.test_squads import join_thugs, post
from tests.combat.visit import MARCUS, PIRATE, ZARA, begun, load, read


def test_the_gm_reads_who_plays_whom(gm: User, gm_client: Client) -> None:
    fight = begun(gm)
    player = come(fight, ShareLink.PLAY, "Nia Q", ZARA)
    here = f"/encounters/{fight.pk}/"
    page = read(gm_client.get(f"{here}?combatant={ZARA}"))
    assert "Nia Q" in page.one(id="turn-head").text
    assert "Nia Q" in page.one(id=f"row-{ZARA}").text
    assert "Nia Q" not in page.one(id=f"row-{MARCUS}").text
    for client in (player, come(fight, ShareLink.PLAY, "Otto", MARCUS), come(fight, ShareLink.WATCH, "Wim")):
        assert "Nia Q" not in read(client.get(here)).one(id="rows").text
    Seat.objects.filter(name="Nia Q").update(ended="2026-01-01T00:00:00Z")
    assert "Nia Q" not in read(gm_client.get(here)).one(id="rows").text


def test_who_may_play_someone_and_with_whom(cast: Cast, started: Encounter) -> None:
    """The faces of the small window, the namesakes handed over together, and who changes places."""
    thugs = join_thugs(started, 3)
    submit(started.pk, Submission("join", {"block": "street_thug", "name": "Thug 9", "side": "others"}))
    seats = {seat.name: str(seat.pk) for seat in Seat.objects.filter(encounter=started)}
    rows = view_known(ViewerContext(load(started.pk), Viewer("gm"), None))
    theirs = [who for who in rows if who not in (ZARA, MARCUS)]

    def look(who: str, **posted: str) -> PlayersForm:
        context = ViewerContext(load(started.pk), Viewer("gm"), None)
        sent = QueryDict(mutable=True)
        sent.update(posted)
        form = open_players(context, who, view_known(context), sent if posted else None)
        assert form
        return form

    form = look(thugs[1])
    assert [(one.seat, one.name, one.plays, one.is_now, bool(one.look)) for one in form.faces] == [
        (seats["Pia"], "Pia", "Zara", False, True),
        (seats["Otto"], "Otto", "Marcus", False, True),
        ("", "GM", "", True, False),
    ]
    assert (form.now, form.together, form.said, form.was) == ("", f"{thugs[0]},{thugs[2]}", "", None)
    assert [one.id for one in form.swaps] == [ZARA, MARCUS]
    form = look(ZARA)
    assert [one.name for one in form.faces if one.is_now] == ["Pia"]
    assert (form.now, form.together) == (seats["Pia"], "")
    assert [one.id for one in form.swaps] == [who for who in rows if who != ZARA]
    post(cast.gm, started, "hand_over", target=thugs[0], seat=seats["Otto"], all=thugs[1])
    form = look(thugs[0], do="hand_over", was="", all=f"{thugs[1]},")
    assert (form.said, form.was, form.others) == ("Otto plays Thug 1 and 1 more.", "", f"{thugs[1]},")
    assert (form.now, form.together) == (seats["Otto"], thugs[1])
    assert [one.id for one in form.swaps] == [ZARA, *[who for who in theirs if who not in thugs[:2]]]
    assert look(PIRATE, do="swap_players").said == "GM plays Pirate."
    assert look(PIRATE, do="swap_players").was is None
    for viewer, seat in ((Viewer("seat", frozenset({ZARA})), None), (Viewer("gm"), Seat.objects.first())):
        context = ViewerContext(load(started.pk), viewer, seat)
        assert open_players(context, ZARA, view_known(context), None) is None
