"""Words in buttons stay whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page as Browser

from combat.models import Encounter
from combat.play.writing.encounter_service import answer
from tests.browser import SIZES
from tests.combat.views.pages.test_accessibility import ask_for_a_choice

# Words of at most 15 letters that a line break cuts in two
BROKEN = """() => [...document.querySelectorAll(".btn, .action, .pick label")]
  .filter((button) => button.checkVisibility())
  .flatMap((button) => {
    const words = [], range = document.createRange();
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement.closest(".vh, svg")) continue;
      for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\d]{2,15}/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (tops.size > 1) words.push(word);
      }
    }
    return words;
  })"""


def ask_for_an_injury(pk: int) -> None:
    """A question whose choices say what they do."""
    ask_for_a_choice(pk)
    answer(pk, 0, value="injury", by="gm")


WIDTHS = (320, 360, 390, 1024, 1440)


@pytest.mark.parametrize(
    ("begin", "query"),
    [
        (ask_for_a_choice, ""),
        (ask_for_an_injury, ""),
        (None, "?row=condition&combatant=f2"),
        (None, "?do=attack"),
    ],
    ids=["choice", "injury", "row", "form"],
)
def test_no_button_of_the_table_breaks_a_word(
    visitor: Browser, address: str, started: Encounter, begin: Callable[[int], None] | None, query: str
) -> None:
    if begin:
        begin(started.pk)
    for arrangement in ("numbers", "map"):
        visitor.set_viewport_size(SIZES["wide"])
        visitor.goto(address + query)
        visitor.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        for width in WIDTHS:
            visitor.set_viewport_size({"width": width, "height": 900})
            visitor.reload()
            assert visitor.evaluate(BROKEN) == [], f"{arrangement}, {width}"
