"""Spectators get the moments of a fight and its end, as far as they may know them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, answer, submit, undo
from combat.rules.core.basics.dice import dice as sealed
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.state.state import present
from tests.combat.cast import come
from tests.combat.markup import Element, Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, demo_fight, load, read, roll_fives, state_of


class Projector:
    """The page of a spectator."""

    def __init__(self, encounter: Encounter) -> None:
        self.pk, self.client = encounter.pk, come(encounter, ShareLink.WATCH, "Wim")

    def page(self) -> Page:
        return read(self.client.get(f"/encounters/{self.pk}/"))

    def keys(self) -> list[str]:
        """The names of the steps with a moment, the newest first."""
        return self.page().one("div", id="watch-moment")["data-moments"].split()

    def moments(self) -> list[Element]:
        """The drawn moments, the newest first."""
        return self.page().all("section", class_="moment")

    def said(self) -> list[str]:
        """The moments as screen readers hear them."""
        return [moment["data-said"] for moment in self.moments()]

    def end(self) -> str:
        """The text of the end screen; empty without one."""
        return " ".join(one.text for one in self.page().all("section", class_="ending"))


@pytest.fixture
def projector(started: Encounter) -> Projector:
    """A spectator of a running fight."""
    return Projector(started)


def hurt(pk: int, who: str, by: int) -> None:
    """Take hit points from someone, as the GM."""
    submit(pk, Submission("adjust", {"target": who, "track": "hp", "by": -by}))


def test_fallen_are_down_once_and_not_at_all_after_undo(projector: Projector) -> None:
    hurt(projector.pk, ZARA, 5)
    assert (projector.keys(), projector.moments()) == ([], []), "a quiet step"
    hurt(projector.pk, ZARA, 77)
    assert projector.keys()
    helped = "Zara is down. Marcus is 2.8 m away and may help: First aid."
    assert projector.said() == [helped]
    (moment,) = projector.moments()
    assert moment["aria-hidden"] == "true"
    assert "hidden" in moment.attrs, "a script shows it"
    assert "Unconscious" in moment.text
    assert helped.partition(". ")[2] in moment.text
    hurt(projector.pk, ZARA, 1)
    assert projector.said() == ["Zara is down."], "they lie there already; who helps is said once"
    undo(projector.pk)
    undo(projector.pk)
    assert not projector.keys()


def test_fall_names_who_did_it_with_what_but_no_helper_of_foes(
    projector: Projector, monkeypatch: pytest.MonkeyPatch
) -> None:
    roll_fives(monkeypatch)
    hurt(projector.pk, PIRATE, 79)
    attack = Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL})
    assert not submit(projector.pk, attack).waiting
    assert projector.said() == ["Pirate is down: Zara's Pistol."]
    (moment,) = projector.moments()
    assert "Zara's Pistol" in moment.text
    assert not projector.page().all("p", class_="moment-help")


def test_death_outweighs_a_fall_and_players_outweigh_others(projector: Projector) -> None:
    hurt(projector.pk, ZARA, 200)
    assert projector.said() == ["Zara dies."]
    hurt(projector.pk, PIRATE, 400)
    assert projector.said() == ["Pirate dies.", "Zara dies."]
    pirate, zara = (float(moment["data-weight"]) for moment in projector.moments())
    assert pirate < zara


def test_a_death_outweighs_the_fall_of_a_player(projector: Projector) -> None:
    hurt(projector.pk, PIRATE, 400)
    hurt(projector.pk, ZARA, 82)
    assert [one.split(".")[0] for one in projector.said()] == ["Zara is down", "Pirate dies"]
    zara, pirate = (float(moment["data-weight"]) for moment in projector.moments())
    assert zara < pirate


def test_critical_hit_shows_its_dice_and_both(projector: Projector, monkeypatch: pytest.MonkeyPatch) -> None:
    def show_highest(secret: str, number: int, words: str, notation: str) -> tuple[int, ...]:
        dice = parse_dice(notation)
        return (dice.sides,) * dice.count

    monkeypatch.setattr(sealed, "draw_faces", show_highest)
    attack = Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL})
    assert submit(projector.pk, attack).waiting
    assert not projector.moments(), "none while someone is asked"
    answer(projector.pk, 0, value="maximum")
    (moment,) = projector.moments()
    assert moment["data-said"] == "Critical on Pirate."
    assert "Zara attacks Pirate" in moment.text
    assert moment.text.endswith("Pirate 10 10 Critical")


def test_fall_of_a_hidden_combatant_is_no_moment_even_when_seen(projector: Projector) -> None:
    submit(projector.pk, Submission("hide", {"target": PIRATE}))
    hurt(projector.pk, PIRATE, 82)
    assert not projector.keys()
    submit(projector.pk, Submission("hide", {"target": PIRATE, "hidden": False}))
    assert not projector.keys()


def test_players_and_the_gm_get_no_moments(started: Encounter, gm_client: Client) -> None:
    hurt(started.pk, ZARA, 82)
    player = come(started, ShareLink.PLAY, "Pia", MARCUS)
    for client in (gm_client, player):
        assert not read(client.get(f"/encounters/{started.pk}/")).all("section", class_="moment")


@every_slug
def test_end_of_every_game_names_who_stands_and_five_numbers(gm: User, slug: str) -> None:
    made = demo_fight(gm, slug)
    projector = Projector(made)
    submit(made.pk, Submission("start", {}))
    assert not projector.end()
    submit(made.pk, Submission("end_fight", {}))
    assert projector.said()[0] == "The fight is over."
    end = projector.end()
    assert end.startswith(f"{made.name} The fight is over ")
    for label in ("round", "in the game", "at the table", "roll", "out"):
        assert label in end
    hero = next(one.name for one in present(state_of(made.pk)) if one.pc)
    assert hero in end.partition("Standing")[2]


def test_fight_without_seen_enemies_is_a_victory_to_spectators(projector: Projector) -> None:
    submit(projector.pk, Submission("hide", {"target": PIRATE}))
    submit(projector.pk, Submission("end_fight", {}))
    assert " Victory round 1 " in projector.end()
    assert "Pirate" not in projector.end()


def test_fight_without_heroes_left_is_a_defeat(projector: Projector) -> None:
    for who in (ZARA, MARCUS):
        hurt(projector.pk, who, 200)
    submit(projector.pk, Submission("end_fight", {}))
    assert projector.said()[0] == "Defeat."
    out = projector.end().partition("Out")[2]
    assert "Zara" in out
    assert "Marcus" in out
    assert load(projector.pk).phase == "over"


def test_spectators_read_how_it_ended_above_the_last_roll(started: Encounter) -> None:
    page = come(started, ShareLink.WATCH, "Wim").get(f"/encounters/{started.pk}/").content.decode()
    assert page.index('id="watch-ending"') < page.index('id="watch-result"')
