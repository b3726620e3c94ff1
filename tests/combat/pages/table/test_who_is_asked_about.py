"""Every page about a combatant also answers for those who left, are hidden, or never were."""

from __future__ import annotations

import pytest

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import present
from tests.combat.cast import gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, state_of
from tests.thinning import thin

HTMX = {"HX-Request": "true"}
GARBAGE = ("f99", "", "f1-1", "f1'\"<b>", "x" * 5000, "\x00")
FORMS: tuple[dict[str, str], ...] = (
    {},
    {"row": "damage"},
    {"row": "condition"},
    {"do": "suggest"},
    {"do": "attack", "target": PIRATE},
    {"do": "move", "to": "4,4"},
    {"do": "blast"},
    {"do": "nonsense"},
)
QUERIES = [
    *(("", more) for more in FORMS),
    *(("odds/", more) for more in FORMS if "row" not in more),  # rows have no odds
    *(("area/", more) for more in FORMS if "do" in more),
    *((page, {}) for page in ("lines/", "paths/", "ruler/")),  # they take no form
]


@pytest.mark.slow
@pytest.mark.parametrize("role", thin(["gm", "player", "watcher"], "player"))
@pytest.mark.parametrize("case", thin(["left", "hidden", "garbage"], "hidden"))
def test_no_page_fails_for_a_combatant_who_is_not_there(started: Encounter, case: str, role: str) -> None:
    """Each page is asked about garbage twice, in turn of all kinds."""
    client = gather(started, ZARA, MARCUS)[role]
    if case == "left":
        submit(started.pk, Submission("remove_each", {"targets": [ZARA, PIRATE]}))
    if case == "hidden":
        submit(started.pk, Submission("hide_each", {"targets": [ZARA, PIRATE], "hidden": True}))
    assert {f.id for f in present(state_of(started.pk))} >= {MARCUS}
    for number, who in enumerate(GARBAGE if case == "garbage" else (ZARA, PIRATE)):
        for page, more in QUERIES[number % 3 :: 3] if case == "garbage" else QUERIES:
            asked = {"combatant": who, "target": who, "from": f"who:{who}", "to": f"who:{who}", **more}
            answer = client.get(f"/encounters/{started.pk}/{page}", asked, headers=HTMX)
            assert answer.status_code < 500, (page, asked)
            if case == "left" and page in ("lines/", "paths/"):
                assert answer.status_code == 404
