"""Who joins in sight and is hidden then leaves no trace for those who may not know them."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, create_encounter, submit, undo
from combat.rules.core.basics.dice import dice
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.state.state import encode, replace
from combat.sharing.links import make_link
from tests.combat.audience.secrets import find_open_pages
from tests.combat.audience.test_leaks import calm
from tests.combat.audience.test_unseen_pages import find_differences
from tests.combat.cast import come
from tests.combat.visit import DEMO, PIRATE, SLUG, ZARA, load, state_of

pytestmark = pytest.mark.usefixtures("no_verification")

NAME, SIDE = "Xyloghost", "Quuxgang"
MORE = ("log/?page=2", "log/?step=20", "log/?step=55", "export/?as=text", "report/?as=recap", "dice/?as=file")


def do(pk: int, name: str, /, **fields: object) -> None:
    submit(pk, Submission(name, fields, by="gm"))


def prepare(gm: User, *, secret: bool, notes: int) -> int:
    """The demo in preparation; someone joined in sight, was changed in each way, and then hidden.

    In the twin the GM only noted something for themselves.
    """
    pk = create_encounter(gm, SLUG, DEMO.name, demo=True).pk
    for step in DEMO.setup:
        do(pk, step.name, **step.command)
    ghost = f"f{state_of(pk).made + 1}"
    steps: list[tuple[str, dict[str, object]]] = [
        ("join", {"block": "pirate_example", "name": NAME, "side": SIDE, "zone": "floor"}),
        ("place", {"target": ghost, "x": 6, "y": 3}),
        ("rename", {"target": ghost, "name": f"{NAME} II", "side": SIDE}),
        ("give_condition", {"target": ghost, "kind": "prone"}),
        ("resize", {"target": ghost, "metres": 2}),
        ("adjust", {"target": ghost, "track": "hp", "by": -3, "reason": NAME}),
        ("hide", {"target": ghost}),
    ]
    for name, fields in steps:
        do(pk, name, **fields) if secret else do(pk, "note", text="Hm.", secret=True)
    if not secret:  # the number of things made, of which others learn nothing
        now = replace(state_of(pk), made=state_of(pk).made + 2)
        Encounter.objects.filter(pk=pk).update(state=encode(now))
    for number in range(notes):
        do(pk, "note", text=f"Note {number}.")
    return pk


def read_all(pk: int) -> dict[str, str]:
    """All that players, spectators and programs read of it."""
    player = come(load(pk), ShareLink.PLAY, "Pia", ZARA)
    people = {"player": player, "watcher": come(load(pk), ShareLink.WATCH, "Wim")}
    _, token = make_link(load(pk), ShareLink.WATCH, "overlay")
    texts = {"program": calm(Client().get(f"/api/v1/{token}/").content.decode())}
    for role, client in people.items():
        for page in ("", *find_open_pages(role), *MORE, "home"):
            answer = client.get("/" if page == "home" else f"/encounters/{pk}/{page}")
            texts[f"{role} {page}"] = calm(f"{answer.status_code} {answer.content.decode()}")
    return texts


def read_log(pk: int) -> str:
    watcher = come(load(pk), ShareLink.WATCH, "Wim")
    return watcher.get(f"/encounters/{pk}/export/?as=text").content.decode()


@pytest.mark.slow
def test_who_is_hidden_before_the_fight_leaves_no_line(gm: User) -> None:
    """Byte for byte as at a table where they never were."""
    told, twin = (read_all(prepare(gm, secret=secret, notes=60)) for secret in (True, False))
    assert "Zara joins" in told["watcher export/?as=text"], "of others they read"
    assert not "\n".join(find_differences(twin, told))


@pytest.fixture
def no_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first rolls differ, so that nobody's initiative is tied."""

    def show(secret: str, name: str, words: str, notation: str) -> tuple[int, ...]:
        face = 1 + int(name) if name.isdigit() else 1  # the hidden act last
        return (min(face, parse_dice(notation).sides),) * parse_dice(notation).count

    monkeypatch.setattr(dice, "draw_faces", show)


@pytest.mark.slow
def test_who_is_hidden_before_the_fight_leaves_no_line_in_it(gm: User, no_ties: None) -> None:
    """Neither in the report and the recap."""
    fights = [prepare(gm, secret=secret, notes=3) for secret in (True, False)]
    for pk in fights:
        do(pk, "start")
        do(pk, "adjust", target=ZARA, track="hp", by=-3)
    told, twin = map(read_all, fights)
    assert "Zara loses 3 HP" in told["player log/"]
    assert not "\n".join(find_differences(twin, told))


def test_hiding_in_a_fight_has_no_line(gm: User, no_ties: None) -> None:
    """What happened before stays told, of someone; and once they are seen again, of them."""
    pk = prepare(gm, secret=False, notes=0)
    do(pk, "start")
    do(pk, "adjust", target=ZARA, track="hp", by=-3)
    told = read_log(pk)
    do(pk, "hide", target=PIRATE)
    do(pk, "place", target=PIRATE, zone="floor")
    hidden = read_log(pk)
    assert "Pirate" in told
    assert not re.search("Pirate|hidden|someone is now", hidden, re.IGNORECASE)
    assert "Zara joins" in hidden
    assert "Zara loses 3 HP" in hidden
    do(pk, "hide", target=PIRATE, hidden=False)
    assert "Pirate joins" in read_log(pk)


def test_undoing_the_hiding_tells_the_line_again(gm: User) -> None:
    pk = prepare(gm, secret=True, notes=0)
    assert NAME not in read_log(pk)
    undo(pk, by="gm")
    assert f"{NAME} II joins ({SIDE})" in read_log(pk)
