"""Words in buttons stay whole."""

from __future__ import annotations

from playwright.sync_api import Page as Browser

from combat.models import Encounter
from combat.play.writing.encounter_service import answer
from tests.browser import SIZES
from tests.combat.pages.every_page.test_accessibility import ask_for_a_choice

# Words of at most 15 letters that a line break cuts in two
BROKEN = """async () => (await document.fonts.ready,
  [...document.querySelectorAll(".btn, .action, .pick label")])
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


WIDTHS = (320, 360, 390, 1024, 1440)


def test_no_button_of_the_table_breaks_a_word(visitor: Browser, address: str, started: Encounter) -> None:
    """In forms, in a question, and in one whose choices say what they do."""
    visitor.goto(address)
    check_words(visitor, f"{address}?row=condition&combatant=f2")
    check_words(visitor, f"{address}?do=attack")
    ask_for_a_choice(started.pk)
    check_words(visitor, address)
    answer(started.pk, 0, value="injury", by="gm")
    check_words(visitor, address)


def check_words(page: Browser, address: str) -> None:
    """In both arrangements and at each width."""
    for arrangement in ("numbers", "map"):
        page.set_viewport_size(SIZES["wide"])
        page.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        page.goto(address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(BROKEN) == [], f"{address}, {arrangement}, {width}"
