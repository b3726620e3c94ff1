"""What the walker reads from a page: as a browser would send it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.combat.markup import Page
from tests.conftest import CHANCE
from tests.walker.people import Table, taken_back
from tests.walker.reading import Choice, find_offers
from tests.walker.walking import Walk

PAGE = """
<form id="act" method="post" action="/table/" hx-post="/table/">
  <input type="hidden" name="do" value="attack"><input type="hidden" name="gone" value="1" disabled>
  <select name="weapon">
    <option value="a" disabled>A</option><option value="b">B</option><option>c</option>
  </select>
  <input type="checkbox" name="all" value="f1"><input type="checkbox" name="all" value="f2" checked>
  <textarea name="words" required>Hm.</textarea><input name="points" inputmode="numeric" required>
  <button class="btn btn-primary" name="dice" value="app">Attack Bo · 58%<small>1 Standard</small></button>
  <button class="btn btn-primary" name="dice" value="no" aria-disabled="true">Later</button>
  <button type="button">A script's</button><button name="dice" value="off" disabled>Off</button>
  <fieldset disabled><input name="shut"><p><button name="do" value="shut">Shut</button></p></fieldset>
</form>
<input name="beside" form="act" value="x"><button form="act" name="do" value="cancel">Cancel</button>
<button data-sends='{"do": "attack", "target": "f2"}'>Shoot · 7%</button>
<a href="?do=move" hx-get="?do=move">Move <b>40%</b></a>
<a href="#top">Top</a><a href="https://example.org/">Out</a>
"""


def test_offers_are_what_a_person_can_press() -> None:
    offers = find_offers(Page(PAGE), "/table/")
    assert [offer.words for offer in offers] == [
        *("Attack Bo · 58%1 Standard", "Later", "Cancel", "Shoot · 7%", "Move 40%"),
    ]
    attack, later, cancel, shot, move = offers
    assert (attack.is_filled, later.is_filled, attack.price, attack.chance) == (
        True,
        False,
        "1 Standard",
        "58",
    )
    told = {
        "do": "attack",
        "weapon": "b",
        "all": "f2",
        "words": "Hm.",
        "points": "",
        "beside": "x",
        "dice": "app",
    }
    assert attack.fields == {name: [value] for name, value in told.items()}
    assert attack.lacks == ("points",)
    assert cancel.do == "cancel"
    assert (shot.fields, shot.chance) == ({"do": ["attack"], "target": ["f2"]}, "7")
    assert (move.method, move.address, move.chance) == ("get", "/table/?do=move", "40")


@pytest.mark.parametrize(
    ("params", "asked"),
    [("", "do=say&words=Hm.&to=all"), ("words,to", "words=Hm.&to=all"), ("not do,words", "to=all")],
)
def test_what_a_form_asks_by_itself_goes_with_its_fields(params: str, asked: str) -> None:
    page = f"""<form method="post" action="/table/">
      <div hx-get="/table/odds/" hx-include="closest form" hx-params="{params}">
        <input type="hidden" name="do" value="say"><input type="hidden" name="csrfmiddlewaretoken" value="1">
        <input name="words" value="Hm."><input type="radio" name="to" value="all" checked>
      </div><button name="dice" value="app">Say</button></form>"""
    _, follows = find_offers(Page(page), "/table/")
    assert (follows.method, follows.address) == ("get", f"/table/odds/?{asked}")


def test_choices_are_the_options_that_can_be_taken() -> None:
    choices = {choice.name: choice for choice in find_offers(Page(PAGE), "/table/")[0].choices}
    assert choices["weapon"] == Choice("weapon", ("b", "c"))
    assert choices["all"] == Choice("all", ("f1", "f2"), many=True)
    assert (choices["words"].needed, choices["points"].numeric, "gone" in choices) == (True, True, False)


@pytest.mark.django_db
def test_wishes_are_named_by_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their numbers tell nothing and differ in each walk."""
    monkeypatch.setattr(Table, "wishes", [SimpleNamespace(number=number) for number in (8842, 17)])
    with taken_back():
        walk = Walk("reading", "cosmos", CHANCE.begin)
        walk.table.pk = 7
        key = "post /encounters/7/ do=take_wish&wish=17 do=take_wish"
        assert walk.shorten(key) == "post ~/ do=take_wish&wish=nth1 do=take_wish"
        assert walk.lengthen(walk.shorten(key)) == key
