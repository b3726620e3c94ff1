"""An alias tells nothing: pages are byte for byte those of a table where it is the only name."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import create_encounter, redo, undo
from combat.rules.core.state.state import encode, replace
from tests.combat.audience.secrets import Fight, Reading, ask_about
from tests.combat.audience.test_leaks import calm
from tests.combat.audience.test_unseen_pages import find_differences
from tests.combat.audience.traces import test_hidden_later
from tests.combat.audience.traces.test_hidden_later import do, read_all, read_log
from tests.combat.cast import Place, come, gather
from tests.combat.markup import Page
from tests.combat.visit import DEMO, MARCUS, SLUG, ZARA, load, state_of

pytestmark = pytest.mark.usefixtures("no_verification")

no_ties = test_hidden_later.no_ties
VEY, HOOD, FACE = "Xylocaptain", "Hooded figure", "stranger"


def prepare(gm: User, *, secret: bool, notes: int = 60, demo: bool = True) -> tuple[int, str]:
    """The demo in preparation with one more: Vey, known by an alias, or in the twin someone of that name."""
    pk = create_encounter(gm, SLUG, DEMO.name, demo=demo).pk
    for step in DEMO.setup:
        do(pk, step.name, **step.command)
    who = f"f{state_of(pk).made + 1}"
    name = VEY if secret else HOOD
    do(pk, "join", block="pirate_example", name=name, side="enemies", zone="floor")
    if secret:
        do(pk, "rename", target=who, name=f"{VEY} II", side="enemies")
        do(pk, "alias", target=who, alias=HOOD, face=FACE)
        do(pk, "arrange", targets=[who], name=VEY, face="captain")
    else:
        do(pk, "note", text="Hm.", secret=True)
        do(pk, "note", text="Hm.", secret=True)
        people = state_of(pk).combatants
        faced = replace(people[who], marks={**people[who].marks, "face": FACE})
        now = encode(replace(state_of(pk), combatants={**people, who: faced}))
        Encounter.objects.filter(pk=pk).update(state=now)
        do(pk, "note", text="Hm.", secret=True)
    for number in range(notes):
        do(pk, "note", text=f"Note {number}.")
    return pk, who


def fight(pk: int, who: str) -> None:
    """A round in which they are hurt, and named in conditions and choices."""
    do(pk, "start")
    do(pk, "adjust", target=who, track="hp", by=-3, reason="A fall.")
    do(pk, "give_condition", target=ZARA, kind="prone", by=who)
    do(pk, "rename", target=who, side="strays")


@pytest.mark.slow
def test_no_byte_tells_that_there_is_an_alias(gm: User) -> None:
    told, twin = (read_all(prepare(gm, secret=secret)[0]) for secret in (True, False))
    assert f"{HOOD} joins" in told["watcher export/?as=text"]
    assert VEY not in "".join(told.values())
    assert not "\n".join(find_differences(twin, told))


@pytest.mark.slow
def test_no_byte_tells_it_in_a_fight(gm: User, no_ties: None) -> None:
    worlds = [prepare(gm, secret=secret, notes=3) for secret in (True, False)]
    for pk, who in worlds:
        fight(pk, who)
    told, twin = (read_all(pk) for pk, _ in worlds)
    assert f"{HOOD} loses HP" in told["player log/"]
    assert VEY not in "".join(told.values())
    assert not "\n".join(find_differences(twin, told))


@pytest.mark.slow
def test_no_answer_about_them_tells_it(gm: User, no_ties: None) -> None:
    """Forms, targets, odds and paths, as a player may ask for them in their turn."""
    told = []
    for secret in (True, False):
        pk, who = prepare(gm, secret=secret, notes=3)
        fight(pk, who)
        now = Fight(load(pk), secret=False, ghost=who)
        now.turn_to(ZARA)
        player, reading = come(load(pk), ShareLink.PLAY, "Pia", ZARA), Reading()
        ask_about(player, now, reading, ZARA)
        told.append({where: calm(text) for where, text in reading.texts.items()})
    assert HOOD in "".join(told[0].values())
    assert VEY not in "".join(told[0].values())
    assert not "\n".join(find_differences(told[1], told[0]))


@pytest.mark.slow
def test_the_gm_reads_both_names(gm: User, client: Client) -> None:
    pk, who = prepare(gm, secret=True, notes=0)
    client.force_login(gm)
    row = Page(client.get(f"/encounters/{pk}/").content.decode()).one(id=f"row-{who}").text
    assert f"{VEY} II" not in row
    assert VEY in row
    assert f"known as {HOOD}" in row
    log = client.get(f"/encounters/{pk}/export/?as=text").content.decode()
    assert f"{HOOD} is the alias of {VEY}." in log
    assert f"known as {HOOD}" in client.get(f"/encounters/{pk}/prep/").content.decode()


def test_the_reveal_is_one_tap_and_old_lines_keep_what_was_known(gm: User) -> None:
    pk, who = prepare(gm, secret=True, notes=0)
    fight(pk, who)
    cast = gather(load(pk), ZARA, MARCUS)
    page = cast.gm.get(f"/encounters/{pk}/").content.decode()
    button = next(one for one in Page(page).all("button") if one.text == "Reveal name")
    assert (button["name"], button["value"]) == ("do", "alias")
    Place(cast.gm, pk).do("alias", target=who)
    do(pk, "adjust", target=who, track="hp", by=-2)
    log = read_log(pk)
    for line in (f"{HOOD} joins (enemies)", f"{HOOD} loses HP", f"{HOOD} is {VEY}.", f"{VEY} loses HP ("):
        assert line in log
    assert log.count(f"{VEY} loses HP") == 1
    table = cast.player.get(f"/encounters/{pk}/").content.decode()
    assert VEY in Page(table).one(id=f"row-{who}").text


@pytest.mark.slow
def test_the_reveal_is_undone_like_anything(gm: User) -> None:
    pk, who = prepare(gm, secret=True, notes=0)
    fight(pk, who)
    player = come(load(pk), ShareLink.PLAY, "Pia", ZARA)
    before = read_log(pk)
    do(pk, "alias", target=who)
    assert VEY in player.get(f"/encounters/{pk}/").content.decode()
    undo(pk, by="gm")
    assert VEY not in player.get(f"/encounters/{pk}/").content.decode()
    assert read_log(pk) == before
    redo(pk, by="gm")
    assert f"{HOOD} is {VEY}." in read_log(pk)


@pytest.mark.slow
def test_a_replay_shows_each_step_as_it_was_known(gm: User) -> None:
    pk, who = prepare(gm, secret=True, notes=0)
    fight(pk, who)
    watcher = come(load(pk), ShareLink.WATCH, "Wim")
    do(pk, "alias", target=who)
    steps = range(1, 40)
    pages = [watcher.get(f"/encounters/{pk}/log/?step={n}") for n in steps]
    shown = [page.content.decode() for page in pages if page.status_code == 200]
    named = [VEY in page for page in shown if HOOD in page or VEY in page]
    assert named == sorted(named), "no step before the reveal shows the real name"
    assert named[0] is False
    assert named[-1] is True


@pytest.mark.slow
def test_someone_who_may_not_change_it_is_refused(gm: User) -> None:
    pk, who = prepare(gm, secret=True, notes=0)
    cast = gather(load(pk), ZARA, MARCUS)
    for role in ("player", "other", "watcher"):
        assert cast[role].post(f"/encounters/{pk}/", {"do": "alias", "target": who}).status_code == 403
    for role in ("revoked", "stranger", "nobody"):
        cast[role].post(f"/encounters/{pk}/", {"do": "alias", "target": who})
    assert state_of(pk)[who].name == HOOD
