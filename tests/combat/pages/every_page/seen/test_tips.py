"""What opens over a table (tips of actions, popovers) can be read in both themes, in every game."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from pytest_django.live_server_helper import LiveServer

from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import present
from tests.combat.pages.every_page.test_phone_turn import begin_turn
from tests.combat.visit import state_of

CONTRAST = 4.5
# The least contrast of words and their ground in each tip and popover. A canvas turns any color into numbers
MEASURE = """() => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (color) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => read(color).slice(0, 3)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (read(backgroundColor)[3] > 200) return backgroundColor;
    }
    return "#000";
  };
  const least = {};
  const look = (name, element) => {
    const [one, other] = [light(getComputedStyle(element).color), light(ground(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    least[name] = Math.min(least[name] ?? 21, contrast);
  };
  const tips = "a.action:is(.usual *, .usual ~ #turn-actions *) > small:not(.brief)";
  for (const tip of document.querySelectorAll(tips))
    look(`tip of ${tip.parentElement.id}`, tip);
  const hasWords = (part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  for (const box of document.querySelectorAll("[popover]"))
    for (const part of [box, ...box.querySelectorAll("*")])
      if (hasWords(part) && !part.closest(".btn, .chip, svg")) look(`popover ${box.id}`, part);
  return least;
}"""


def test_tips_and_popovers_can_be_read(visitor: Browser, live_server: LiveServer, gm: User) -> None:
    with_tips: set[str] = set()
    visitor.set_viewport_size({"width": 1440, "height": 900})
    for slug in SYSTEMS:
        made, who = begin_turn(gm, slug)
        kind = next(iter(find_system(slug).characters.conditions))
        other = next(one.id for one in present(state_of(made.pk)) if one.id != who)
        submit(made.pk, Submission("give_condition", {"target": other, "kind": kind}, by="gm"))
        visitor.goto(f"{live_server.url}/encounters/{made.pk}/?combatant={who}")
        for theme in ("dark", "light"):
            visitor.emulate_media(color_scheme=theme)
            found = visitor.evaluate(MEASURE)
            with_tips |= {slug for name in found if name.startswith("tip of")}
            assert any(name.startswith("popover") for name in found), slug
            weak = {name: round(ratio, 1) for name, ratio in found.items() if ratio < CONTRAST}
            assert weak == {}, f"{slug}, {theme}"
    assert len(with_tips) >= 5
