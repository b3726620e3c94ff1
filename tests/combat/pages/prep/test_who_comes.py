"""Rolling for who comes: a table of the campaign or a ready one, whose line becomes notes."""

from __future__ import annotations

from urllib.parse import quote_plus

import pytest
from django.contrib.auth.models import User

from combat.models import Encounter
from combat.play.campaigns.campaigns import create_campaign
from combat.play.campaigns.random_tables import read_table, save_table
from tests.combat.visit import Visit


@pytest.mark.parametrize(("words", "notes"), [("4 thugs", "4 thugs"), ("nobody", ""), ("Nothing.", "")])
def test_line_that_comes_up_fills_the_notes_unless_it_is_nobody(
    room: Visit, gm: User, words: str, notes: str
) -> None:
    campaign = create_campaign(gm, "Rim")
    save_table(campaign, read_table("Streets", "1d6", f"1-6 {words}"))
    Encounter.objects.filter(pk=room.pk).update(campaign=campaign)
    sent = room.client.post(f"{room.here}prep/who/", {"table": "own:Streets"})
    query = f"?notes={quote_plus(notes)}" if notes else ""
    assert sent["Location"] == f"{room.here}prep/{query}#people"
    assert f"is “{words}”" in room.client.get(f"{room.here}prep/").content.decode()


@pytest.mark.parametrize("table", ["", "own:Streets", "ready:Streets", "other:x"])
def test_table_that_is_not_there_is_refused(room: Visit, table: str) -> None:
    sent = room.client.post(f"{room.here}prep/who/", {"table": table})
    assert sent.status_code == 422
    assert "Choose a table: that one is not here." in sent.content.decode()
