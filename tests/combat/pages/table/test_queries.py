"""Who opens what by an address of the table, in every phase: a table of queries, phases and people."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from combat.models import Encounter
from combat.pages.table.views import ROW_FORMS
from combat.play.demo import make_demo_fight
from combat.play.improvising import read_wishes
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import Cast, gather
from tests.combat.markup import Page
from tests.combat.visit import DEMO, MARCUS, PIRATE, PISTOL, SLUG, ZARA, load, play, read

PEOPLE = {"gm": "G", "co_gm": "C", "player": "P", "other": "O", "watcher": "W"}
OUTSIDE = ("revoked", "stranger", "nobody")
PHASES = {"before": 0, "fight": 10, "question": 1, "after": None}  # steps of the demo's script
NOBODY = ("", "", "", "")


def make_fight(gm: User, phase: str) -> tuple[Encounter, Cast]:
    """The demo fight in a phase, and its people; in it, Zara's player asks for what no button has."""
    fight = make_demo_fight(gm, SLUG)
    play(fight.pk, DEMO.script[: PHASES[phase]])
    cast = gather(fight, ZARA, MARCUS)
    if phase in ("fight", "question"):
        wish = {"do": "ask_wish", "combatant": ZARA, "words": "I swing from the chandelier"}
        cast.player.post(f"/encounters/{fight.pk}/", wish)
    if phase == "question":
        attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
        assert submit(fight.pk, Submission("attack", attack, typed=True)).waiting
    return fight, cast


def find_check(fight: Encounter) -> int:
    """The number of the last step with a check; 0 if there is none."""
    steps = fight.log.filter(kind="command", name="attack").order_by("-number")
    return steps.values_list("number", flat=True).first() or 0


def find_controls(page: Page) -> set[tuple[str, str, str, str]]:
    """What can be pressed or filled in on a page, and where its links lead."""
    return {
        (element.tag, element["name"], element["value"] if element.tag == "button" else "", element["href"])
        for element in page.elements
        if element.tag in {"a", "button", "input", "select", "textarea"}
    }


def find_openers(cast: Cast, pk: int, queries: list[str]) -> dict[str, str]:
    """By query, the letters of those for whom it brings controls that the table alone has not."""
    address, letters = f"/encounters/{pk}/", dict.fromkeys(queries, "")
    for who, letter in PEOPLE.items():
        plain = find_controls(read(cast[who].get(address)))
        for query in queries:
            if find_controls(read(cast[who].get(f"{address}?{query}"))) - plain:
                letters[query] += letter
    return letters


# Who gets more by a query than the table shows: before the fight, in it, while dice are asked for, after it.
OPENS = {
    "wish=0": ("", "GC", "GC", ""),
    "wish={wish}": ("", "GC", "GC", ""),
    "wish=99": NOBODY,
    "pass": ("", "GC", "", ""),
    "overrule={check}&roll=0": ("", "GC", "", ""),
    "do=suggest": ("", "GCP", "", ""),
    "do=say": ("", "GCPO", "", ""),
    f"combatant={ZARA}": NOBODY,
    f"combatant={MARCUS}": ("", "GC", "", ""),
    f"combatant={PIRATE}": ("", "GC", "", ""),
    f"combatant={ZARA}&do=attack": ("", "GCP", "", ""),
    f"combatant={MARCUS}&do=attack": NOBODY,
    f"combatant={PIRATE}&do=attack": NOBODY,
    f"combatant={PIRATE}&do=set_standing": ("", "GC", "", ""),
    f"combatant={ZARA}&do=improvise": NOBODY,
    f"combatant={PIRATE}&row=mend": NOBODY,
    "do=end_fight": NOBODY,
    "do=nonsense": NOBODY,
    **{f"combatant={PIRATE}&row={row}": ("GC", "GC", "GC", "GC") for row in ROW_FORMS if row != "mend"},
    f"combatant={PIRATE}&row=players": ("G", "G", "G", "G"),
}


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
def test_a_query_opens_to_those_of_its_phase(gm: User, phase: str) -> None:
    fight, cast = make_fight(gm, phase)
    wishes = read_wishes(load(fight.pk)).open
    numbers = {"wish": wishes[0].number if wishes else 1, "check": find_check(fight)}
    number = list(PHASES).index(phase)
    expected = {query.format(**numbers): people[number] for query, people in OPENS.items()}
    assert find_openers(cast, fight.pk, list(expected)) == expected


def test_no_query_opens_a_table_to_those_outside(gm: User) -> None:
    fight, cast = make_fight(gm, "fight")
    for query in OPENS:
        answers = {cast[who].get(f"/encounters/{fight.pk}/?{query}").status_code for who in OUTSIDE}
        assert answers <= {302, 404, 410}, query
