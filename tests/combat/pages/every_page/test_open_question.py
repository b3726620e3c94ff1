"""While an action waits for dice, no page of the GM has a filled button that is refused."""

from __future__ import annotations

import pytest

from combat.play.writing.encounter_service import Submission, submit
from tests.combat.markup import Page
from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit, load, refusal
from tests.walker.people import taken_back
from tests.walker.reading import find_offers

# Beside the table: addresses below it
PAGES = (
    "",
    f"?row=quick&combatant={PIRATE}",
    f"?row=place&combatant={PIRATE}",
    f"?row=players&combatant={PIRATE}",
    "prep/",
    f"prep/?row={PIRATE}",
    "prep/?open=zone",
    "prep/?open=table",
    "prep/people/",
    "prep/people/?block=pirate",
    "prep/who/",
    "prep/scenes/",
    "scene/",
    "scene/?edit=map:",
    "scene/?edit=zones:bridge",
    "share/",
    "notes/",
    "handouts/",
    "dice/",
    "home/",
    "log/",
    "report/",
    "whatif/",
    "programs/",
)


@pytest.fixture
def asked(visit: Visit) -> Visit:
    """A fight in which Zara's shot waits for the dice on the table."""
    shot = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(visit.pk, Submission("attack", shot, typed=True))
    assert load(visit.pk).open_command
    return visit


@pytest.mark.parametrize("page", PAGES)
def test_nothing_filled_is_refused_while_an_action_waits(asked: Visit, page: str) -> None:
    address = f"{asked.here}{page}"
    found = asked.client.get(address, follow=True)
    assert found.status_code == 200
    offers = find_offers(Page(found.content.decode()), address)
    told = []
    for offer in offers:
        if offer.method == "post" and offer.is_filled and not offer.lacks:
            with taken_back():
                answer = asked.client.post(offer.address, offer.fields, headers={"HX-Current-URL": address})
                if answer.status_code >= 400:
                    told.append((offer.words, offer.key, answer.status_code, refusal(answer)))
    assert not told
