"""A deck that nobody knows: not a byte tells players or spectators that it is there."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import make_link
from tests.combat.audience.secrets import find_open_pages
from tests.combat.audience.test_leaks import calm
from tests.combat.audience.test_unseen_pages import find_differences, taken_back
from tests.combat.cast import Cast, gather
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.rules.every_game.decks import DECKS, HATCH, LADDER, SHAFT
from tests.combat.visit import MARCUS, PIRATE, ZARA, demo_fight, load, state_of

pytestmark = pytest.mark.usefixtures("no_verification")


def find_walls(deck: dict[str, Any]) -> list[dict[str, Any]]:
    """The hull around a deck: nobody gets outside."""
    left, top = deck["x"] + 0.2, deck["y"] + 0.2
    right, low = deck["x"] + deck["width"] - 0.2, deck["y"] + deck["depth"] - 0.2
    corners = [(left, top), (right, top), (right, low), (left, low), (left, top)]
    return [
        {"id": f"{deck['id']}-{n}", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
        for n, ((x1, y1), (x2, y2)) in enumerate(pairwise(corners))
    ]


LOW, HIGH = DECKS
SECRET = {**HIGH, "id": "vault", "name": "Vault", "x": 47, "height": 6, "shift": 48}
AREA = {"id": "a1", "x": 46, "y": -3, "width": 26, "depth": 18, "name": "Secret"}
CRATE = {"id": "o1", "name": "Idol", "x": 50, "y": 3}
# Decks and ways that are known, and whether a fog hides the other or an area that the GM has not revealed
WORLDS = {
    "two known, an area": ((LOW, HIGH), (LADDER, SHAFT, HATCH), False),
    "two known, a fog": ((LOW, HIGH), (LADDER, SHAFT, HATCH), True),
    "one known, an area": ((LOW,), (), False),
    "one known, a fog": ((LOW,), (), True),
}
QUESTIONS = (
    *(f"?combatant={ZARA}&do={do}" for do in ("move", "sprint", "attack", "way")),
    *(
        f"paths/?combatant={ZARA}",
        f"paths/?combatant={ZARA}&across=way:to-vault",
        f"paths/?combatant={ZARA}&do=full_move&to=13,2",
        f"lines/?combatant={ZARA}",
    ),
    *(f"foe/?combatant={ZARA}&target={PIRATE}", "ruler/?from=1,1&to=9,3", "ruler/?from=1,1&to=50,3"),
    *(f"odds/?combatant={ZARA}&do=attack&target={PIRATE}", f"odds/?combatant={ZARA}&do=move&to=50,3"),
    *(f"area/?combatant={ZARA}&do=blast", "find/?q=vault", "?deck=vault"),
)
FORMS = (
    *({"do": do, "combatant": ZARA, "to": to} for do in ("move", "move_to_deck") for to in ("50,3", "22,3")),
    {"do": "way", "combatant": ZARA, "way": "to-vault"},
    {"do": "door", "combatant": ZARA, "door": "to-vault"},
)


def make_map(world: str, *, secret: bool) -> dict[str, Any]:
    """The map with the deck that nobody knows, or without it; a scene with one deck stores none."""
    decks, ways, fog = WORLDS[world]
    walls = [wall for deck in decks for wall in find_walls(deck)]
    drawn = {"ways": list(ways), "walls": walls, "hidden": [] if fog else [AREA], "fog": fog}
    if not secret:
        return {**drawn, "decks": list(decks) if len(decks) > 1 else []}
    more = {"walls": [*walls, *find_walls(SECRET)], "obstacles": [CRATE]}
    return {**drawn, **more, "decks": [*decks, SECRET]}


@pytest.fixture
def fight(gm: User) -> Encounter:
    made = demo_fight(gm)
    submit(made.pk, Submission("set_scene", {"scene": {"name": "Ship", "zones": []}}))
    return load(made.pk)


def read_world(
    cast: Cast, fight: Encounter, world: str, *, secret: bool, token: str, bot: Program
) -> dict[str, str]:
    """All that a player, a spectator and their programs get in the fight with this map."""
    texts, pk = {}, fight.pk
    with taken_back():
        submit(pk, Submission("set_map", {"map": make_map(world, secret=secret)}, by="gm"))
        for who, x in ((ZARA, 3), (PIRATE, 9), (MARCUS, 5)):
            submit(pk, Submission("place", {"target": who, "x": x, "y": 3}, by="gm"))
        submit(pk, Submission("start", {}, by="gm"))
        while state_of(pk).active != ZARA:
            submit(pk, Submission("next_turn", {}, by="gm"))
        texts["gm"] = cast.gm.get(f"/encounters/{pk}/").content.decode()
        for role in ("player", "watcher"):
            pages = [page for page in find_open_pages(role) if page != "programs/"]
            for page in ("", *pages, *(QUESTIONS if role == "player" else ())):
                answer = cast[role].get(f"/encounters/{pk}/{page}")
                texts[f"{role} {page}"] = calm(f"{answer.status_code} {answer.content.decode()}")
        for number, form in enumerate(FORMS):
            with taken_back():
                answer = cast.player.post(f"/encounters/{pk}/", form)
                told = [one.strip() for one in calm(answer.content.decode()).splitlines() if "alert" in one]
                texts[f"form {number}"] = f"{answer.status_code} {told}"
        texts["public stamps"] = (
            f"{load(pk).stamp(is_gm=False)} {load(pk).stamp(is_gm=False, is_seated=True)}"
        )
        texts["open state"] = calm(Client().get(f"/api/v1/{token}/").content.decode())
        for what in ("state", "actions", "log"):
            texts[f"api {what}"] = calm(str(bot.get(what)))
    return texts


@pytest.mark.slow
@pytest.mark.usefixtures("fives")
@pytest.mark.parametrize("world", WORLDS)
def test_no_byte_tells_of_a_deck_that_nobody_knows(gm: User, fight: Encounter, world: str) -> None:
    cast = gather(fight, ZARA, MARCUS)
    _, token = make_link(fight, ShareLink.WATCH, "overlay")
    bot = make_program(fight, Seat.objects.get(name="Pia"))
    without, with_it = (
        read_world(cast, fight, world, secret=secret, token=token, bot=bot) for secret in (False, True)
    )
    assert "Vault" in with_it.pop("gm"), "first: it is there to be seen"
    assert "Vault" not in without.pop("gm")
    found = find_differences(without, with_it)
    assert not found, "\n".join(found)
