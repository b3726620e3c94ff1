"""No one reads a byte meant for others: the tests first show that the GM reads it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from combat.models import Encounter
from combat.rules.core.state.state import State, encode, replace
from tests.combat.audience.secrets import (
    SYSTEM,
    Fight,
    Reading,
    ask_about,
    find_secrets,
    make_fight,
    questions_about,
    read_rest,
    read_table,
    words,
)
from tests.combat.cast import Cast, gather, invite
from tests.combat.markup import Page
from tests.combat.visit import MARCUS, PIRATE, ZARA, load
from tests.thinning import thin
from tests.typed import Answer

pytestmark = pytest.mark.usefixtures("no_verification")

READERS = {"player": ZARA, "other": MARCUS, "watcher": ""}  # by whose combatant each asks
OUTSIDERS = ("revoked", "stranger", "nobody")
HEALTHS = thin(("word", "bar", "nothing"), "word")
TELLING = ("names", "notes", "undone", "true health")  # nothing that a player enters


@pytest.fixture
def quiet(gm: User) -> Fight:
    """A fight full of secrets, with few notes."""
    return make_fight(gm, secret=True, notes=3)


@pytest.mark.slow
@pytest.mark.parametrize("health", HEALTHS)
def test_table_and_log_hold_no_secret(gm: User, health: str) -> None:
    """However the health of foes is shown: with all that can be asked about one of them."""
    fight = make_fight(gm, secret=True, health=health, notes=3)
    cast, secrets = gather(fight.encounter, ZARA, MARCUS), find_secrets(fight)
    del secrets["number of steps"]  # only a large number differs from all other numbers on a page
    check_told(cast.gm, fight, secrets)
    for role in ("player", "watcher"):
        reading = Reading()
        read_table(cast[role], fight, reading)
        if own := READERS[role]:
            ask_about(cast[role], fight, reading, own, lambda query: PIRATE in query.values())
        check_untold(role, reading, secrets)


def check_told(client: Client, fight: Fight, secrets: dict[str, re.Pattern[str]]) -> None:
    """Check that the GM reads all of these secrets."""
    gm = Reading()
    read_table(client, fight, gm)
    for name, secret in secrets.items():
        assert gm.find(secret), f"the GM does not see the {name}"


def check_untold(role: str, reading: Reading, secrets: dict[str, re.Pattern[str]]) -> None:
    """Check that nothing that someone has read holds one of these secrets."""
    for name, secret in secrets.items():
        found = reading.find(secret)
        assert not found, f"{role} reads the {name}: {found[:4]}"


# ---- What a player sends ----


def post(client: Client, fight: Fight, **fields: str) -> Answer:
    """Post a form of the player's; return the page as htmx gets it."""
    version = load(fight.pk).stamp(is_gm=False, is_seated=True)
    data = {"version": version, "combatant": ZARA, "dice": "app", **fields}
    return client.post(f"/encounters/{fight.pk}/", data, headers={"HX-Request": "true"})


def submissions_about(ghost: str) -> list[dict[str, str]]:
    """Forms of a player that name or approach someone they do not know of."""
    pistol, knife = f"{ZARA}-1", f"{ZARA}-2"
    faces = {"dice": "table", "face-1": "5", "face-2": "5"}
    return [
        {"do": "attack", "target": ghost, "weapon": pistol},
        {"do": "attack", "target": ghost, "weapon": knife},
        {"do": "attack", "target": PIRATE, "weapon": f"{ghost}-1"},
        {"do": "grapple", "target": ghost},
        {"do": "charge", "target": ghost, "weapon": knife},
        {"do": "first_aid", "target": ghost},
        {"do": "disarm", "target": ghost, "weapon": knife},
        {"do": "coup_de_grace", "target": ghost, "weapon": knife},
        {"do": "move", "to": f"near:{ghost}"},
        {"do": "move", "to": f"away:{ghost}"},
        {"do": "move", "to-free": f"near:{ghost}"},
        {"do": "pick_up", "item": f"{ghost}-1"},
        {"do": "draw", "item": f"{ghost}-1"},
        {"do": "attack", "target": PIRATE, "weapon": pistol, "because": ghost, **faces},
        {"do": "total_defense", "combatant": ghost},
        {"do": "set_standing", "rule_id": "COS-CRIT-02", "value": ghost},
        {"do": "answer", "question": "0", "value": ghost},
        {"do": "damage", "target": ghost},
        {"do": f"{ghost}"},
    ]


@pytest.mark.slow
def test_naming_the_hidden_says_what_naming_nobody_says(quiet: Fight) -> None:
    """The answers for a hidden combatant and for one that never was are equal."""
    cast = gather(quiet.encounter, ZARA, MARCUS)
    secrets = {name: secret for name, secret in find_secrets(quiet).items() if name in TELLING}
    for submission, other in zip(submissions_about(quiet.ghost), submissions_about("f99"), strict=True):
        answers = []
        for sent, who in ((submission, quiet.ghost), (other, "f99")):
            with transaction.atomic():
                answer = post(cast.player, quiet, **sent)
                transaction.set_rollback(True)
            answers.append(plain(answer, who))
            reading = Reading({str(sent): answers[-1]})
            assert not [x for name in secrets for x in reading.find(secrets[name])]
        assert answers[0] == answers[1], submission


def plain(answer: Answer, who: str = "") -> str:
    """An answer without the values that differ each time."""
    text = calm(f"{answer.status_code}\n{answer.content.decode()}")
    return re.sub(rf"\b{who}\b", "WHO", text) if who else text


def calm(text: str) -> str:
    """A text without the secrets of forms, stamps, the time of day, and the number of the encounter."""
    return "\n".join(map(calm_line, text.split("\n")))


@lru_cache(20_000)
def calm_line(text: str) -> str:
    """The same for one line: pages share nearly all of theirs."""
    text = re.sub(r"\b[A-Za-z0-9]{64}\b", "#", text)
    text = re.sub(r"\b[0-9a-f]{12,24}\b", "#", text)
    text = re.sub(r"^Expires: .*", "Expires: #", text)
    text = re.sub(r'(?<=name="server-time" content=")[\d.]+', "#", text)
    text = re.sub(r"<time datetime=.*?</time>", "<time>", text)
    text = re.sub(r' data-v="[\w-]*"', "", text)
    text = re.sub(r'(?<=data-regions=")[^"]*', lambda all_: re.sub(r"[\w-]{8}(?![\w-])", "#", all_[0]), text)
    text = re.sub(r"(?<=\?at=)\d+|(?<=data-at=\")\d+", "N", text)
    return re.sub(r"/(encounters|live)/\d+/", r"/\1/N/", text)


# ---- The same fight with and without its secrets ----


@pytest.mark.slow
def test_fight_looks_the_same_with_and_without_its_secrets(gm: User) -> None:
    """Nobody reads a secret on any page, nor in an answer to any question, in a fight with many steps.

    And what players and watchers get does not depend on anything hidden, byte for byte.
    """
    fight, twin = (make_fight(gm, secret=secret) for secret in (True, False))
    cast, secrets = gather(fight.encounter, ZARA, MARCUS), find_secrets(fight)
    check_told(cast.gm, fight, secrets)
    readings = {role: read_all(cast[role], fight, READERS.get(role, "")) for role in (*READERS, *OUTSIDERS)}
    for role, reading in readings.items():
        reading.note("join", cast[role].get(invite(fight.encounter)))
        check_untold(role, reading, secrets)
    others = regather(twin)
    for role, own in READERS.items():
        for where, text in read_all(others[role], twin, own).texts.items():
            assert calm(text) == calm(readings[role].texts[where]), f"{role}: {where}"


def read_all(client: Client, fight: Fight, own: str) -> Reading:
    """All that someone may read of a fight, with all that they may ask for a combatant of their own."""
    reading = Reading()
    read_table(client, fight, reading)
    read_rest(client, fight, reading)
    if own:
        ask_about(client, fight, reading, own)
    return reading


def regather(fight: Fight) -> Cast:
    """The same cast at another fight."""
    User.objects.filter(username="stranger").update(username="stranger too")
    return gather(fight.encounter, ZARA, MARCUS)


@pytest.mark.slow
@pytest.mark.parametrize("health", HEALTHS)
def test_two_numbers_with_the_same_word_cannot_be_told_apart(gm: User, health: str) -> None:
    """Neither rows nor odds nor sums tell more about a foe's health than the table shows.

    The forms around the odds are read for the first two numbers: they offer the same for any others, of which
    each pair is asked about in every third way.
    """
    fight = make_fight(gm, secret=False, health=health, notes=0)
    cast = gather(fight.encounter, ZARA, MARCUS)
    most = SYSTEM.characters.health(fight.state.combatants[PIRATE]).most
    twins = [(1, most)] if health == "nothing" else find_twins(fight, most, by_word=health == "word")
    for turn, (low, high) in enumerate(twins):
        texts = []
        for number in (low, high):
            set_hp(fight, number)
            reading, seen = read_odds(cast.player, fight, turn), Reading()
            if not turn:
                seen.note("gm", cast.gm.get(f"/encounters/{fight.pk}/"))
                assert seen.find(words(f"{number} / {most}"))
            texts.append({where: calm(text) for where, text in reading.texts.items()})
        assert turn or any("to succeed" in text for text in texts[0].values())
        different = [where for where in texts[0] if texts[0][where] != texts[1][where]]
        assert not different, f"{low} and {high}: {different[:5]}"


def read_odds(client: Client, fight: Fight, turn: int) -> Reading:
    """The table, and the odds of what the player's combatant could do to the pirate.

    In the first turn of all of it, with the forms; later of each third.
    """
    reading, here = Reading(), f"/encounters/{fight.pk}/"
    reading.note("table", client.get(here))
    asked = [(path, query) for path, query in questions_about(fight, ZARA) if query.get("target") == PIRATE]
    if turn:
        asked = [question for question in asked if question[0]][turn % 3 :: 3]
    for path, query in asked:
        reading.note(f"{path} {query}", client.get(here + path, query, headers={"HX-Request": "true"}))
    return reading


def find_twins(fight: Fight, most: int, by_word: bool) -> list[tuple[int, int]]:
    """Pairs of numbers that look alike at the table: the ends of each band."""
    bands: dict[Any, list[int]] = {}
    for number in range(1, most + 1):
        health = SYSTEM.characters.health(with_hp(fight.state, number).combatants[PIRATE])
        bar = -(-round(100 * health.share) // 25)
        bands.setdefault(health.word if by_word else (bar, health.word), []).append(number)
    return [(band[0], band[-1]) for band in bands.values() if len(band) > 1]


def with_hp(state: State, number: int) -> State:
    pirate = state.combatants[PIRATE]
    hurt = replace(pirate, tracks={**pirate.tracks, "hp": number})
    return replace(state, combatants={**state.combatants, PIRATE: hurt})


def set_hp(fight: Fight, number: int) -> None:
    """Set the pirate's points in the database."""
    state = with_hp(fight.state, number)
    Encounter.objects.filter(pk=fight.pk).update(state=encode(state), version=number)
    cache.clear()


# ---- Results of acting where a hidden combatant is ----

ACTS = [
    {"do": "move", "to": "zone:floor"},
    {"do": "move", "to": "zone:crates"},
    {"do": "move", "to": f"near:{MARCUS}"},
    {"do": "move", "to": "", "to-free": "6,3"},
    {"do": "move", "to": "", "to-free": "4,6; 6,9.5"},
    {"do": "attack", "target": PIRATE, "weapon": f"{ZARA}-1"},
    {"do": "attack", "target": PIRATE, "weapon": f"{ZARA}-3"},
    {"do": "attack", "target": PIRATE, "weapon": f"{ZARA}-1", "attacks": "3"},
    {"do": "grapple", "target": PIRATE},
    {"do": "trip", "target": PIRATE, "weapon": f"{ZARA}-3"},
    {"do": "charge", "target": PIRATE, "weapon": f"{ZARA}-3"},
    {"do": "retreat", "to": f"away:{PIRATE}"},
    {"do": "reactive_defense"},
    {"do": "drop", "item": f"{ZARA}-1"},
    {"do": "overwatch", "weapon": f"{ZARA}-1", "trigger": "anybody"},
    {"do": "total_defense"},
    {"do": "look", "what": "the crates"},
    {"do": "speak", "what": "Who is there?"},
    {"do": "next_turn"},
    {"do": "nonsense"},
]


@pytest.mark.slow
def test_acting_near_the_hidden_gives_nothing_away(gm: User) -> None:
    fights = [make_fight(gm, secret=secret, notes=2, held=False) for secret in (True, False)]
    casts = [gather(fights[0].encounter, ZARA, MARCUS), regather(fights[1])]
    for act in ACTS:
        texts = [play_out(fight, cast.player, act) for fight, cast in zip(fights, casts, strict=True)]
        assert texts[0] == texts[1], act


def play_out(fight: Fight, client: Client, act: dict[str, str]) -> list[str]:
    """What a player reads after doing this, with every die showing a 3 or a 5; undo it all."""
    read: list[str] = []
    with transaction.atomic():
        faces = {f"face-{n}": "5" for n in (1, 2)}
        answer = post(client, fight, **{"dice": "table", **faces, **act})
        for _ in range(12):
            read.append(plain(answer))
            page = Page(answer.content.decode())
            if not page.all("input", name="question") and not page.all("form", id="rolls"):
                break
            sides = [e for e in page.all("input") if "data-die" in e.attrs]
            faces = {f"face-{n}": "3" for n in range(1, len(sides) + 1)}
            answer = post(client, fight, do="answer", question="0", dice="table", **faces)
        read.append(plain(client.get(f"/encounters/{fight.pk}/log/")))
        transaction.set_rollback(True)
    return read
