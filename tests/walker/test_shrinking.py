"""From many presses to those that fail, and what is found."""

from __future__ import annotations

from functools import partial

import pytest

from combat.models import Encounter
from tests.conftest import CHANCE
from tests.typed import Answer
from tests.walker import checks
from tests.walker.people import GM, Found, taken_back
from tests.walker.reading import Offer
from tests.walker.shrinking import replay, shrink, tell
from tests.walker.walking import Walk
from tests.walker.worlds import NEW, PREP, TABLE

MAKE = partial(Walk, "shrinking", "cosmos", CHANCE.begin)


def walk_by_hand() -> Walk:
    """A new encounter, then four presses of its GM."""
    walk = MAKE()
    walk.ask(GM, NEW.format(slug=walk.slug), "", {"name": ["Berth 3"]})
    walk.ask(GM, TABLE, "note", {"text": ["one"]})
    walk.ask(GM, PREP, "name", {"name": ["Berth 4"]})
    walk.ask(GM, TABLE, "fog")
    walk.ask(GM, TABLE, "note", {"text": ["two"]})
    return walk


@pytest.mark.slow
@pytest.mark.django_db
def test_only_the_presses_that_fail_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a note fails once the encounter has its other name."""
    with taken_back():
        walk = walk_by_hand()
    assert replay(MAKE, walk.presses) is None

    def fail(who: str, offer: Offer, answer: Answer, as_offered: bool) -> None:
        if offer.do == "note" and Encounter.objects.get().name == "Berth 4":
            raise Found("made up", "a note")

    monkeypatch.setattr(checks, "check_answer", fail)
    found = replay(MAKE, walk.presses)
    assert found is not None
    left = shrink(MAKE, walk.presses, found.kind)
    assert [press.key.rpartition(" ")[2] for press in left[1:]] == ["do=name", "do=note"]
    told = tell("shrinking", "cosmos", found, left)
    assert "Seed shrinking, cosmos" in told
    assert repr(left[-1]) in told


@pytest.mark.django_db
def test_filled_button_that_is_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The GM's clock of a page that lies: its form asks for more than the rules allow."""
    with taken_back():
        walk = MAKE()
        walk.ask(GM, NEW.format(slug=walk.slug), "", {"name": ["Berth 3"]})
        page = walk.read(GM, walk.lengthen(TABLE))
        lying = page.replace('name="size"', 'name="size" value="999" data-was')
        monkeypatch.setattr(walk, "read", lambda who, address, link=None: lying)
        monkeypatch.setattr(Offer, "lacks", ())
        with pytest.raises(Found, match="refused"):
            walk.ask(GM, TABLE, "start_clock")
