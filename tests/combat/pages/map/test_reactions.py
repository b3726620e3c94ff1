"""Beside the price of a move or a plan stands who may shoot out of turn, and with what chance."""

from __future__ import annotations

import re
from typing import Any

import pytest

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, load, read, state_of, stored

WARNED = re.compile(r"^(Pirate|Zara) may react first: attack (\d+)%$")


def ask(visit: Visit, who: str, by: float = 2.0, **more: str) -> Any:
    """The card of a move to the right."""
    at = state_of(visit.pk)[who].at
    asked = {"combatant": who, "do": "move", "to": f"{at.x + by:g},{at.y:g}", **more}
    return visit.client.get(f"{visit.here}paths/", asked).json()


def let_zara_watch(visit: Visit, when: str) -> None:
    """Zara holds her fire, and it is the turn of the Pirate, who lies."""
    visit.act("overwatch", ZARA, when=when)
    visit.do("next_turn")
    submit(visit.pk, Submission("give_condition", {"target": PIRATE, "kind": "prone"}))


def let_pirate_watch(visit: Visit) -> None:
    """The Pirate draws and holds their fire in their turn, until Zara's next one."""
    visit.do("next_turn")
    gun = next(one for one in state_of(visit.pk)[PIRATE].items if one.name == "Pistol")
    visit.do("draw", combatant=PIRATE, item=gun.id)
    visit.act("overwatch", PIRATE, weapon=gun.id)
    while state_of(visit.pk).active != ZARA:
        visit.do("next_turn")


def test_watched_walk_says_who_may_shoot_with_what_chance(visit: Visit) -> None:
    """The same chance as the odds of its form count it."""
    visit.act("overwatch", ZARA)
    visit.do("next_turn")
    before, told = stored(visit.pk), ask(visit, PIRATE)
    found = WARNED.match(told["reaction"])
    assert found
    assert found[1] == "Zara"
    assert stored(visit.pk) == before, "asking does nothing"
    at = state_of(visit.pk)[PIRATE].at
    odds = read(visit.client.get(f"{visit.here}odds/?combatant={PIRATE}&do=move&to={at.x + 2:g},{at.y:g}"))
    names, chances = ([one.text for one in odds.all(tag)] for tag in ("dt", "dd"))
    by_name = {name: float(chance.removesuffix("%")) for name, chance in zip(names, chances, strict=True)}
    hits = [chance for name, chance in by_name.items() if re.match(r"attack: (hit|critical)", name)]
    assert hits
    assert abs(sum(hits) - float(found[2])) <= 1
    visit.do("next_turn")
    assert not ask(visit, MARCUS)["reaction"], "nobody waits for an ally"


@pytest.mark.parametrize(
    ("when", "label"), [("any", "Stand up"), ("action", "Stand up"), ("move", "Stand up, then move")]
)
def test_standing_up_before_a_move_says_who_may_shoot(visit: Visit, when: str, label: str) -> None:
    """It stops where they may: at getting up, or at the first step."""
    let_zara_watch(visit, when)
    upright = ask(visit, PIRATE)["upright"]
    assert upright["label"] == label
    assert WARNED.match(upright["reaction"])
    visit.do(**upright["fields"])
    waiting = load(visit.pk).open_command
    assert waiting
    assert any(one.kind == "prone" for one in state_of(visit.pk)[PIRATE].conditions) == (when != "move")


def test_unwatched_plan_warns_of_nobody(visit: Visit) -> None:
    submit(visit.pk, Submission("give_condition", {"target": ZARA, "kind": "prone"}))
    assert "reaction" not in ask(visit, ZARA)["upright"]


def test_drawing_first_says_who_may_shoot(visit: Visit) -> None:
    """On the form of the attack, and on the card of a tapped enemy."""
    gun = next(one for one in state_of(visit.pk)[ZARA].items if one.name == "Pistol")
    visit.do("draw", combatant=ZARA, item=gun.id)
    let_pirate_watch(visit)
    page = visit.page(combatant=ZARA, do="attack", target=PIRATE, weapon=gun.id)
    (warned,) = [one.text for one in page.all("p", class_="alert-warning") if "react" in one.text]
    assert WARNED.match(warned.removesuffix("."))
    submit(visit.pk, Submission("give_budget", {"target": ZARA, "pool": "quick", "left": 0}))  # no charge
    card = read(visit.client.get(f"{visit.here}foe/?combatant={ZARA}&target={PIRATE}&weapon={gun.id}"))
    assert [one.text + "." for one in card.all("p", class_="map-card-warn")] == [warned]


def test_a_watcher_whom_nobody_sees_is_in_no_warning(visit: Visit, started: Encounter) -> None:
    let_pirate_watch(visit)
    submit(visit.pk, Submission("give_condition", {"target": ZARA, "kind": "prone"}))
    cast = gather(started, ZARA, MARCUS)
    visit.client = cast["player"]
    assert WARNED.match(ask(visit, ZARA)["upright"]["reaction"])
    submit(visit.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    told = ask(visit, ZARA)
    assert "reaction" not in told["upright"]
    assert not told["reaction"]
    assert "Pirate" not in str(told)
