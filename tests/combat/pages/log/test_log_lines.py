"""The lines of the log's own page: drawn once for all who read the same, and for nobody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page as Browser

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit, undo
from tests.combat.cast import Cast, gather
from tests.combat.markup import Page
from tests.combat.visit import DEMO, MARCUS, PIRATE, PISTOL, ZARA, play, read


def find_offers(page: Page) -> int:
    """How many steps of a log offer a branch."""
    return len(page.all("a", class_="log-branch"))


def find_dice(page: Page, words: str) -> list[str]:
    """The dice of the newest line with these words in the table's log; none without such a line."""
    lines = [one for one in page.all("li", inside=page.one("ol", id="log-lines")) if words in one.text]
    drawn = page.all("summary", inside=lines[0]) if lines else []
    return [die["aria-label"] for one in drawn for die in page.all("svg", class_="face", inside=one)]


def test_log_of_the_table_has_faces_and_dice(started: Encounter) -> None:
    """The face stands where a turn begins and where someone acts, not at all that follows."""
    cast = gather(started, ZARA, MARCUS)
    submit(
        started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2))
    )
    for role in ("gm", "player", "other", "watcher"):
        page = read(cast[role].get(f"/encounters/{started.pk}/"))
        assert find_dice(page, "Zara attacks Pirate") == ["1 on a d10", "2 on a d10"], role
        lines = page.all("li", inside=page.one("ol", id="log-lines"))
        faced = [one.text for one in lines if page.all("svg", class_="mark", inside=one)]
        assert len(faced) == 2, role
        assert "Zara attacks Pirate" in faced[0]
        assert "Zara's turn." in faced[1]


def test_hidden_rolls_and_faces_are_in_the_gms_log_alone(started: Encounter) -> None:
    cast = gather(started, ZARA, MARCUS)
    submit(started.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    submit(started.pk, Submission("next_turn", {}))
    play(started.pk, [step for step in DEMO.script if step.name == "charge"][:1])
    for role in ("gm", "player", "other", "watcher"):
        page = read(cast[role].get(f"/encounters/{started.pk}/"))
        log = page.one("ol", id="log-lines")
        drawn = [die["aria-label"] for die in page.all("svg", class_="face", inside=log)]
        assert find_dice(page, "attacks Zara") == (["4 on a d10"] * 2 if role == "gm" else []), role
        assert ("4 on a d10" in drawn) == (role == "gm"), role
        assert bool(page.all("svg", class_="is-foe", inside=log)) == (role == "gm"), role


@pytest.mark.slow
def test_log_offers_a_branch_after_an_undone_step_to_gms_only(cast: Cast, started: Encounter) -> None:
    """Each reads the lines of the same steps, the GM first: what was drawn for them is not for others."""
    play(started.pk, DEMO.script[1:2])
    address = f"/encounters/{started.pk}/log/"
    before = {role: find_offers(read(cast[role].get(address))) for role in ("gm", "co_gm", "player")}
    undo(started.pk, by="gm")
    pages = {role: read(cast[role].get(address)) for role in ("gm", "co_gm", "player", "watcher")}
    after = {role: find_offers(page) for role, page in pages.items()}
    assert all("attacks Pirate" in page.one("div", id="log-body").text for page in pages.values())
    assert after["gm"] == after["co_gm"] == before["gm"] + 1 == before["co_gm"] + 1  # the undoing is a step
    assert after["player"] == before["player"] - 1 > 0
    assert after["watcher"] == 0


def test_log_fills_wide_paper(visitor: Browser, address: str, started: Encounter) -> None:
    visitor.set_viewport_size({"width": 1123, "height": 794})
    visitor.goto(f"{address}log/")
    visitor.emulate_media(media="print")
    assert visitor.locator(".log-main").evaluate("e => e.clientWidth") > 1000
