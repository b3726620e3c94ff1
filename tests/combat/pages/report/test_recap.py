"""The recap: what the whole table knows of a fight, as Markdown to paste."""

from __future__ import annotations

import re

import pytest

from combat.audience.map_fog import find_unknown
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.pages.report.recap_view import write_recap
from combat.play.after.recaps import tell
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.declaration.system import System
from tests.combat.cast import Cast
from tests.combat.kept import keep
from tests.combat.rules.every_game.wild.wild import Log, wild_fights
from tests.combat.rules.every_game.wild.wild import play as play_wild
from tests.combat.rules.games import every_game
from tests.combat.visit import DEMO, MARCUS, PIRATE, ZARA, combatant, play, read

ADDRESS = "/encounters/{}/report/"


def read_recap(cast: Cast, encounter: Encounter, role: str = "gm") -> str:
    return cast[role].get(f"{ADDRESS.format(encounter.pk)}?as=recap").content.decode()


def test_recap_tells_who_fought_and_what_turned_the_fight(ended: Encounter, cast: Cast) -> None:
    recap = read_recap(cast, ended)
    assert recap.startswith("# Docking bay 7")
    assert "**Who fought:** Zara and Marcus (crew) against Pirate (pirates)." in recap
    assert "Round 1: first blood: Zara hurts Pirate (Pistol)." in recap
    assert "Marcus scores a critical hit on Pirate." in recap
    assert "Zara brings down Pirate (Pistol)." in recap
    assert "**Still standing:** Zara and Marcus.\n**Out:** Pirate." in recap
    assert 10 <= len(recap.splitlines()) <= 25


@pytest.mark.slow
def test_everyone_reads_the_same_recap_once_the_fight_is_over(started: Encounter, cast: Cast) -> None:
    assert "The fight is still on." in read_recap(cast, started)
    assert "# Docking bay" not in read_recap(cast, started, "player")
    keep("recap", lambda: play(started.pk, DEMO.script[1:]))
    assert len({read_recap(cast, started, role) for role in ("gm", "player", "watcher")}) == 1
    answer = cast.player.get(ADDRESS.format(started.pk))
    assert read(answer).one("textarea", id="recap-text").text.startswith("# Docking bay 7")


def test_recap_tells_what_was_handed_out_and_no_secret(ended: Encounter, cast: Cast) -> None:
    sword = next(item.id for item in combatant(ended.pk, PIRATE).items)
    hidden = {"block": "soldier", "name": "Vex", "side": "enemies", "hidden": True}
    for name, fields in (
        ("hand_out", {"holder": PIRATE, "items": [sword], "to": ZARA}),
        ("share_money", {"amount": 9, "to": [ZARA, MARCUS]}),
        ("note", {"text": "The captain lies."}),
        ("join", hidden),
    ):
        submit(ended.pk, Submission(name, fields))
    recap = read_recap(cast, ended)
    assert "- Zara gets Pirate's Sword.\n- Zara gets 5 credits.\n- Marcus gets 4 credits." in recap
    assert not re.search("Vex|captain", recap)


def test_names_break_no_markdown_and_call_nobody(ended: Encounter, cast: Cast) -> None:
    submit(ended.pk, Submission("rename", {"target": PIRATE, "name": "*Max* @all [x](y) <b>"}))
    recap = read_recap(cast, ended)
    assert r"\*Max\* @" + "\u200b" + r"all \[x\](y) \<b\>" in recap


@every_game
@wild_fights
def test_recap_of_a_wild_fight_holds_no_secret(system: System, seed: int, length: int) -> None:
    *_, log = Log(system), *(log for log, _ in play_wild(system, seed, length))
    told = tell(system, log.start, log.steps)
    if told is None:
        return
    recap = write_recap(system, "The alley", log.state, told)
    unknown, people = find_unknown(log.state, Viewer()), log.state.combatants
    known = " ".join(one.name for who, one in people.items() if who not in unknown)
    secret = {people[who].name for who in unknown if people[who].name not in known}
    assert not [name for name in secret if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", recap)]
    assert "Mind the gap" not in recap
    assert len([line for line in recap.splitlines() if line]) <= 25
