"""A player's branch knows what the player may know: nothing of the hidden, health only by its look."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Branch, Encounter
from combat.play.whatif import forecast_jobs
from combat.play.whatif.branches import read_steps, unpack
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state import events as e
from combat.rules.core.state.state import encode
from tests.combat.audience.secrets import NOTES, Fight, Reading, find_secrets, make_fight, questions_about
from tests.combat.audience.test_leaks import HEALTHS, calm, regather
from tests.combat.cast import gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, combatant, load
from tests.thinning import thin

pytestmark = pytest.mark.usefixtures("no_verification", "fives")

AUDIENCES = {"player": ZARA, "other": ""}  # by whose combatant questions are asked
TRIED: tuple[dict[str, str], ...] = (
    {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1", "dice": "app"},
    {"do": "move", "combatant": ZARA, "to": "zone:floor"},
    {"do": "next_turn"},
    {"do": "total_defense", "combatant": MARCUS},
    {"do": "next_turn"},
    {"do": "next_turn"},
    {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1", "dice": "app"},
)


@pytest.fixture
def fight(gm: User) -> Fight:
    return make_fight(gm, secret=True, notes=12)


def begin(client: Client, pk: int, step: str = "now") -> str:
    """Begin a branch; return its address."""
    answer = client.post(f"/encounters/{pk}/whatif/", {"do": "begin", "step": step})
    assert answer.status_code == 303, answer.content.decode()
    return str(answer["Location"])


def try_all(client: Client, here: str, reading: Reading) -> None:
    """Try a few actions in a branch, allowed or not, and read each result; the whole page now and then."""
    for number, posted in enumerate(TRIED):
        reading.note(f"{number} {posted['do']}", client.post(here, posted, headers={"HX-Request": "true"}))
        if number % 3 == 0:
            reading.note(f"after {number}", client.get(here))


def find_steps(client: Client, pk: int) -> list[str]:
    """The marks of the steps where the log offers a branch."""
    text = client.get(f"/encounters/{pk}/log/").content.decode()
    return re.findall(r"/whatif/\?step=(\w+)", text)


def read_branch(client: Client, fight: Fight, step: str, reading: Reading, own: str) -> None:
    """Read everything that a branch from a step shows, then delete it.

    Of the forms only those about a foe or the hidden: all others are drawn from the same stored state.
    """
    listed = f"/encounters/{fight.pk}/whatif/"
    here = begin(client, fight.pk, step)
    reading.note(f"list {step}", client.get(listed, {"step": step}))
    for path, query in questions_about(fight, own) if own and step == "now" else ():
        if path or {PIRATE, fight.ghost} & set(query.values()):
            reading.note(f"{step} {path} {query}", client.get(here + path, query))
    try_all(client, here, reading)
    reading.note(f"{step} paths", client.get(f"{here}paths/", {"combatant": own}))
    for path in ("forecast/", "real/"):
        reading.note(f"{step} {path}", client.get(here + path))
    number = here.split("/")[-2]
    reading.note(f"{step} compare", client.get(f"{listed}compare/", {"one": number, "other": number}))
    client.post(listed, {"do": "delete", "branch": number})


@pytest.mark.slow
@pytest.mark.parametrize("health", HEALTHS)
def test_branch_holds_no_secret(gm: User, health: str) -> None:
    """Under one option every question is asked, of a branch from each step.

    Under none does a branch know the true health. The number of steps is looked for under one: only a large
    one differs from all other numbers on a page.
    """
    fight = make_fight(gm, secret=True, health=health, notes=NOTES if health == "word" else 12)
    cast = gather(fight.encounter, ZARA, MARCUS)
    secrets = find_secrets(fight)
    if health != "word":
        del secrets["number of steps"]
    seen = Reading()
    seen.note("GM", cast.gm.get(begin(cast.gm, fight.pk)))
    assert seen.find(secrets["names"]), "the GM does not see the hidden in a branch"
    for role, own in AUDIENCES.items():
        reading = Reading()
        steps = find_steps(cast[role], fight.pk)
        assert len(steps) > 5
        earlier = [steps[0], steps[len(steps) // 2]]
        for step in ("now", *(earlier if health == "word" else earlier[:1] if own else ())):
            read_branch(cast[role], fight, step, reading, own if health == "word" else "")
        for name, secret in secrets.items():
            found = reading.find(secret)
            assert not found, f"{role} reads the {name}: {found[:4]}"


@pytest.mark.parametrize("health", HEALTHS)
def test_nothing_hidden_is_stored_in_a_players_branch(gm: User, health: str) -> None:
    """Data that is not there cannot leak: its row holds neither the hidden nor the true health."""
    fight = make_fight(gm, secret=True, health=health, notes=12)
    player = gather(fight.encounter, ZARA, MARCUS).player
    here = begin(player, fight.pk)
    try_all(player, here, Reading())
    row = Branch.objects.get()
    raw = encode(unpack(row.start)) + encode(unpack(row.state)) + bytes(row.record)
    for name in ("names", "ids", "notes", "undone", "true health"):
        assert not find_secrets(fight)[name].search(raw.decode()), name


def test_wounds_of_others_are_no_part_of_a_players_branch(fight: Fight) -> None:
    player = gather(fight.encounter, ZARA, MARCUS).player
    here = begin(player, fight.pk)
    before = unpack(Branch.objects.get().state).combatants[PIRATE]
    assert player.post(here, TRIED[0]).status_code == 303
    row = Branch.objects.get()
    assert unpack(row.state).combatants[PIRATE].tracks == before.tracks
    told = [fact.event for step in read_steps(row) for fact in step.facts]
    assert any(isinstance(event, e.Checked) and event.target == PIRATE for event in told)
    assert not any(isinstance(event, e.TrackChanged) and event.who == PIRATE for event in told)


def test_unknown_steps_of_the_log_begin_nothing(fight: Fight) -> None:
    """For a player, a step they cannot read does not exist."""
    player = gather(fight.encounter, ZARA, MARCUS).player
    for step in ("1", "7", str(load(fight.pk).steps), "0", "f" * 12):
        listed = f"/encounters/{fight.pk}/whatif/"
        assert player.post(listed, {"do": "begin", "step": step}).status_code == 422
        assert player.get(listed, {"step": step}).status_code == 404
    assert not Branch.objects.exists()


def test_branch_closes_while_someone_in_it_is_hidden(fight: Fight) -> None:
    player = gather(fight.encounter, ZARA, MARCUS).player
    here = begin(player, fight.pk)
    submit(fight.pk, Submission("hide", {"target": PIRATE}))
    closed = player.get(here)
    assert closed.status_code == 409
    assert "Pirate" not in closed.content.decode()
    assert player.post(here, TRIED[0]).status_code == 409
    for path, status in (("odds/", 404), ("paths/", 404), ("forecast/", 409)):
        answer = player.get(here + path, {"do": "attack", "combatant": ZARA})
        assert (answer.status_code, "Pirate" in answer.content.decode()) == (status, False)
    assert "Pirate" not in player.get(f"/encounters/{fight.pk}/whatif/").content.decode()
    submit(fight.pk, Submission("hide", {"target": PIRATE, "hidden": False}))
    assert player.get(here).status_code == 200


@pytest.mark.slow
def test_branch_closes_while_someone_in_it_has_an_unknown_alias(fight: Fight) -> None:
    cast = gather(fight.encounter, ZARA, MARCUS)
    here, of_gm = begin(cast.player, fight.pk), begin(cast.gm, fight.pk)
    submit(fight.pk, Submission("alias", {"target": PIRATE, "alias": "Masked One"}))
    for path in ("", "forecast/"):
        closed = cast.player.get(here + path)
        assert (closed.status_code, "Pirate" in closed.content.decode()) == (409, False)
    assert "Pirate" not in cast.player.get(f"/encounters/{fight.pk}/whatif/").content.decode()
    assert cast.gm.get(of_gm).status_code == 200
    later = begin(cast.player, fight.pk)
    assert "Masked One" in cast.player.get(later).content.decode()
    submit(fight.pk, Submission("alias", {"target": PIRATE}))
    assert [cast.player.get(one).status_code for one in (here, later)] == [200, 200]


@pytest.mark.slow
def test_forecast_of_a_player_is_reckoned_with_what_they_know(
    fight: Fight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A branch plays without the hidden, with health by its look, and does not tell when a foe would drop."""
    begun: list[bytes] = []
    monkeypatch.setattr(forecast_jobs, "_submit", lambda *given, play, start: begun.append(start))
    player = gather(fight.encounter, ZARA, MARCUS).player
    here = begin(player, fight.pk)
    assert player.post(f"{here}forecast/", {"do": "start"}).status_code == 303
    raw = begun[0].decode()
    for name in ("names", "ids", "notes", "true health"):
        assert not find_secrets(fight)[name].search(raw), name
    job = forecast_jobs.read_job(f"branch-{Branch.objects.get().pk}")
    assert job
    assert set(job.names) == {ZARA, MARCUS}
    forecast_jobs.cancel(f"branch-{Branch.objects.get().pk}")


@pytest.mark.slow
@pytest.mark.parametrize("health", thin(("word", "bar", "nothing"), "word"))
def test_branch_is_the_same_whatever_the_true_health(gm: User, started: Encounter, health: str) -> None:
    """Two fights that look alike give the same branch, byte for byte, whatever the player tries."""
    player = gather(started, ZARA, MARCUS).player
    submit(started.pk, Submission("set_option", {"key": "foe_health", "value": health}))
    most, texts = combatant(started.pk, PIRATE).tracks["hp"], []
    for points in (most - 1, most - 2):
        submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "to": points}))
        reading = Reading()
        here = begin(player, started.pk)
        try_all(player, here, reading)
        player.post(f"/encounters/{started.pk}/whatif/", {"do": "delete", "branch": "1"})
        texts.append({where: calm(text) for where, text in reading.texts.items() if where[0] != "a"})
        texts[-1] |= {
            where: calm(re.sub(r"From:.*?</p>", "", t, flags=re.S)) for where, t in reading.texts.items()
        }
    assert texts[0] == texts[1]


@pytest.mark.slow
def test_branch_is_the_same_with_and_without_the_secrets(gm: User) -> None:
    fights = [make_fight(gm, secret=secret, notes=20, held=False) for secret in (True, False)]
    casts = [gather(fights[0].encounter, ZARA, MARCUS), regather(fights[1])]
    readings = [Reading(), Reading()]
    for one, cast, reading in zip(fights, casts, readings, strict=True):
        here = begin(cast.player, one.pk)
        reading.note("page", cast.player.get(here))
        try_all(cast.player, here, reading)
    for where, text in readings[0].texts.items():
        assert calm(text) == calm(readings[1].texts[where]), where
