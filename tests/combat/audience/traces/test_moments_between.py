"""What others learn and may do while a command is open, of secret dice, and of half-made characters."""

from __future__ import annotations

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.dice import dice
from combat.rules.core.basics.dice.dice import parse_dice
from combat.sharing.links import swap_players
from tests.combat.audience.test_unseen_pages import find_differences
from tests.combat.audience.traces.test_hidden_later import do, prepare, read_all
from tests.combat.cast import Cast, Place
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, find_open, load, read, state_of

ROLL = {"question": "0", "dice": "table", "face-1": "1", "face-2": "2"}
PAUSED = "The GM has paused the fight: wait until it goes on."


def ask_zara(started: Encounter) -> str:
    """Zara attacks, and her player is asked for the dice."""
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", attack, typed=True))
    return f"/encounters/{started.pk}/"


def is_asked(client: Client, address: str) -> bool:
    return bool(read(client.get(address)).all("form", id="rolls"))


def test_open_question_goes_to_who_plays_the_combatant_now(cast: Cast, started: Encounter) -> None:
    address = ask_zara(started)
    assert (is_asked(cast.player, address), is_asked(cast.other, address)) == (True, False)
    swap_players(started, (ZARA, MARCUS))
    assert (is_asked(cast.player, address), is_asked(cast.other, address)) == (False, True)
    said = Place(cast.player, started.pk).refused("answer", 409, **ROLL)
    assert said == "Nothing needs an answer now: reload the page."
    Place(cast.other, started.pk).do("answer", **ROLL)
    assert not find_open().exists()


def test_open_question_waits_in_a_pause(cast: Cast, started: Encounter) -> None:
    """Its player answers when the fight goes on; the GM may answer at once."""
    address = ask_zara(started)
    assert cast.gm.post(address, {"do": "pause"}).status_code == 303
    assert Place(cast.player, started.pk).refused("answer", 409, **ROLL) == PAUSED
    assert find_open().exists()
    assert cast.gm.post(address, {"do": "resume"}).status_code == 303
    Place(cast.player, started.pk).do("answer", **ROLL)
    assert not find_open().exists()
    assert not state_of(started.pk).is_paused


def fight_unseen(gm: User, face: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """All that others read of a fight in which two unknown ones roll this on every die but their first."""

    def show(secret: str, name: str, words: str, notation: str) -> tuple[int, ...]:
        first = name.endswith(".1")
        wanted = 1 + int(name) if name.isdigit() else 1 if first else face
        return (min(wanted, parse_dice(notation).sides),) * parse_dice(notation).count

    monkeypatch.setattr(dice, "draw_faces", show)
    pk = prepare(gm, secret=True, notes=2)
    (ghost,) = state_of(pk).combatants.keys() - {ZARA, PIRATE, MARCUS}
    do(pk, "duplicate", target=ghost)
    (lurker,) = state_of(pk).combatants.keys() - {ZARA, PIRATE, MARCUS, ghost}
    for who, x in ((ghost, 6), (lurker, 7)):
        do(pk, "place", target=who, x=x, y=3)
    do(pk, "start")
    while state_of(pk).active not in (ghost, lurker):
        do(pk, "next_turn")
    attacker = state_of(pk).active
    target = lurker if attacker == ghost else ghost
    sword = state_of(pk)[attacker].items[-1].id
    do(pk, "attack", actor=attacker, target=target, weapon=sword)
    assert not load(pk).open_command
    assert face in {roll for step in load(pk).log.all() for roll in _faces(bytes(step.record))}
    return read_all(pk)


def _faces(record: bytes) -> set[int]:
    return {
        face for answer in msgspec.json.decode(record).get("answers", ()) for face in answer.get("faces", ())
    }


@pytest.mark.slow
def test_secret_dice_show_nowhere(gm: User, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two worlds that differ only in what the hidden rolled among themselves read the same, byte by byte."""
    settings.COSMOS_VERIFY = False
    low, high = (fight_unseen(gm, face, monkeypatch) for face in (2, 9))
    assert not "\n".join(find_differences(low, high))


@pytest.mark.django_db
def test_half_made_character_is_its_makers_alone() -> None:
    """Neither others see it, nor who signs in next in the same browser."""
    half = {"game": "cosmos", "way": "guided", "at": "who", "pick": "medic", "name": "Rhea Own", "go": "body"}
    new = "/characters/new/"
    ana, ben = User.objects.create_user("ana"), User.objects.create_user("ben")
    hers, his = Client(), Client()
    hers.force_login(ana)
    his.force_login(ben)
    assert hers.post(new, half).status_code == 302
    assert "Rhea Own" in hers.get(new, {"game": "cosmos"}).content.decode()
    assert "Rhea Own" not in his.get(new, {"game": "cosmos"}).content.decode()
    assert "Rhea Own" not in his.get("/characters/").content.decode()
    hers.post("/accounts/logout/")
    hers.force_login(ben)
    assert "Rhea Own" not in hers.get(new, {"game": "cosmos"}).content.decode()
