"""A grenade among pirates: one stands in each of its three rings."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from combat.play.writing.encounter_service import Submission, answer, create_encounter, submit
from tests.combat.visit import questions

HALL = {"id": "hall", "name": "Hall", "x": 0, "y": 0, "width": 40, "depth": 4}
SOLDIER, GRENADE = "f1", "f1-6"


def throw_grenade(gm: User, people: int = 3) -> int:
    """A soldier throws a frag grenade among pirates, who choose their reactions.

    They stand 1.5, 4.5 and 7.5 m from where it lands, each time.
    """
    pk = create_encounter(gm, "cepheus", "Mess hall").pk
    steps: list[tuple[str, dict[str, Any]]] = [("set_scene", {"scene": {"name": "Hall", "zones": [HALL]}})]
    joining = [("infantry_soldier", "crew", 0, {"pc": True})]
    joining += [("pirate", "pirates", 22 + 3 * (n % 3), {}) for n in range(people)]
    for number, (block, side, x, more) in enumerate(joining, 1):
        steps.append(("join", {"block": block, "side": side, "zone": "hall", **more}))
        steps.append(("place", {"target": f"f{number}", "x": x, "y": 2}))
    steps += [("start", {}), ("ready", {"actor": SOLDIER, "weapon": GRENADE})]
    steps.append(("lob", {"actor": SOLDIER, "weapon": GRENADE, "to": "20.5,2"}))
    for name, fields in steps:
        submit(pk, Submission(name, fields, by="gm"))
    return pk


def settle_blast(pk: int) -> None:
    """No one reacts, and the count of the throw ends."""
    answer_all(pk)
    submit(pk, Submission("next_turn", {"whole": True}, by="gm"))
    answer_all(pk)


def answer_all(pk: int) -> None:
    """Decline every request."""
    while questions(pk):
        answer(pk, 0, value="none", by="gm")
