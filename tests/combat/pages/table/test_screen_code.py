"""A projector shows the way to join before the fight, if the GM wants that."""

from __future__ import annotations

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import find_token, open_lasting_link
from tests.combat.cast import come
from tests.combat.visit import read


def set_option(encounter: Encounter) -> None:
    """Let spectators see the players' link."""
    submit(encounter.pk, Submission("set_option", {"key": "screen_code", "value": "true"}))


def test_spectators_see_the_code_before_a_fight_if_the_gm_wants(prepared: Encounter) -> None:
    link = open_lasting_link(prepared, ShareLink.PLAY)
    watcher = come(prepared, ShareLink.WATCH, "Wim")

    def codes() -> int:
        page = read(watcher.get(f"/encounters/{prepared.pk}/"))
        assert find_token(link) not in page.html, "only the picture has the address"
        return len(page.all("svg", inside=page.one("div", id="watch-join"), class_="qr"))

    assert codes() == 0
    set_option(prepared)
    assert codes() == 1
    submit(prepared.pk, Submission("start", {}))
    assert codes() == 0


def test_without_a_lasting_link_there_is_nothing_to_show(prepared: Encounter) -> None:
    set_option(prepared)
    watcher = come(prepared, ShareLink.WATCH, "Wim")

    def shown() -> int:
        return len(read(watcher.get(f"/encounters/{prepared.pk}/")).all("section", class_="joining"))

    assert not shown()
    open_lasting_link(prepared, ShareLink.PLAY)
    assert shown()
