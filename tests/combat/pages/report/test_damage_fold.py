"""The folded damage of namesakes in a report, as a browser lays it out."""

from __future__ import annotations

from typing import Literal

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from combat.play.writing.encounter_service import Submission, create_encounter, submit
from tests.browser import sign_in
from tests.combat.visit import SLUG

pytestmark = pytest.mark.slow
# What each line covers, in pixels: its ends, those of the words of its fold, and how low a row within it ends
LINES = """() => [...document.querySelectorAll(".sect > .dmg > li")].map((line) => {
  const box = (one) => one.getBoundingClientRect();
  const words = [...line.querySelectorAll("summary > span")].map((one) => box(one.querySelector("b")));
  const { top, bottom, left, right } = box(line);
  const inner = Math.max(...[...line.querySelectorAll("li")].map((one) => box(one).bottom));
  const [tops, lefts] = [words.map((one) => one.top), words.map((one) => one.left)];
  return { top, bottom, left, right, inner, tops, lefts };
})"""


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("media", ["screen", "print"])
def test_folded_damage_is_a_line_and_opens_without_covering_next(
    live_server: LiveServer,
    visitor: Page,
    gm: User,
    gm_client: Client,
    width: int,
    media: Literal["print", "screen"],
) -> None:
    made = create_encounter(gm, SLUG, "Boarding")
    for block, side, count in (("pirate", "enemies", 4), ("security_guard", "allies", 3)):
        submit(made.pk, Submission("join", {"block": block, "side": side, "count": count}))
    submit(made.pk, Submission("start", {}))
    sign_in(visitor.context, live_server, gm_client)
    visitor.emulate_media(media=media)
    visitor.set_viewport_size({"width": width, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{made.pk}/report/")
    shut = visitor.evaluate(LINES)
    assert len(shut) == 2
    for line in shut:
        name, taken, dealt = line["lefts"]
        assert name - line["left"] < 60, "the name begins the line"
        assert name < taken < dealt
        assert line["right"] - dealt < 60, "the sums end it"
        assert max(line["tops"]) - min(line["tops"]) < 24, "all on one line"
    visitor.evaluate("document.querySelectorAll('.dmg details').forEach((one) => { one.open = true; })")
    first, second = visitor.evaluate(LINES)
    assert first["inner"] <= first["bottom"] + 1 <= second["top"] + 2
    assert second["inner"] <= second["bottom"] + 1
