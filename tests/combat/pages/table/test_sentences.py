"""Ten sentences of players in each game, from the words to the result: the taps are counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.http import QueryDict

from combat.audience.rights import viewer_of
from combat.audience.viewer import GM
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table.submissions import perform
from combat.pages.table.wishes_view import find_meaning, open_ruling
from combat.play.improvising import find_wishes
from combat.play.writing.encounter_service import undo
from combat.play.writing.verification import verify
from combat.rules.core.basics.data import read_toml
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import come
from tests.combat.visit import begun, load, state_of

MOST = 4  # taps of each
STEPS = {"cosmos": 8, "cepheus": 6, "guardians": 3, "starshock": 6}  # of the demo, to someone's turn


class Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: str
    verb: str
    changes: dict[str, str] = {}


def load_sentences() -> dict[str, list[Sentence]]:
    return msgspec.convert(read_toml(Path(__file__).parent / "sentences.toml"), dict[str, list[Sentence]])


class Table:
    """A fight with a player and a GM who tap."""

    def __init__(self, fight: Encounter, seat: Seat) -> None:
        self.pk, self.seat = fight.pk, seat

    def context(self, who: str) -> ViewerContext:
        encounter = load(self.pk)
        if who == "gm":
            return ViewerContext(encounter, GM, None, "gm")
        return ViewerContext(encounter, viewer_of(self.seat), self.seat, "Pia")

    def tap(self, who: str, do: str, **fields: str) -> None:
        posted = QueryDict(mutable=True)
        posted.update({"do": do, **fields})
        perform(posted, self.context(who))


def fill_form(table: Table, number: int, changes: dict[str, str]) -> dict[str, str]:
    """What the GM's form posts: as it was opened, with the changes."""
    asked = QueryDict(f"wish={number}")
    form = open_ruling(table.context("gm"), asked)
    assert form
    fields = {f"check.{field.name}": value for field, value in form.fields}
    fields |= {"mode": form.mode, "grade": form.grade, "cost": form.cost}
    for ending in form.endings:
        for effect in ending.effects:
            if effect.used:
                names = ("key", "to", "n", "turns", "dice", "text")
                fields |= {f"{ending.key}.{effect.kind}.{name}": getattr(effect, name) for name in names}
                fields[f"{ending.key}.{effect.kind}.who"] = next(iter(effect.who), "")
                fields[f"{ending.key}.{effect.kind}.on"] = "yes"
    return {**fields, **changes}


@pytest.mark.slow
@pytest.mark.parametrize("slug", sorted(STEPS))
def test_ten_sentences_take_four_taps_at_most_and_one_undo(gm: User, slug: str) -> None:
    sentences = load_sentences()[slug]
    assert len(sentences) == 10
    fight = begun(gm, slug, steps=STEPS[slug])
    state = state_of(fight.pk)
    hero = state[state.active]
    come(fight, ShareLink.PLAY, "Pia", hero.id)
    table = Table(fight, Seat.objects.get(encounter=fight, name="Pia"))
    foe = next(one for one in present(state) if one.side != hero.side).name
    friend = next(one for one in present(state) if one.side == hero.side and one.id != hero.id).name
    before = state_of(fight.pk).combatants
    for sentence in sentences:
        words = sentence.words.format(foe=foe, friend=friend)
        taps = play(table, hero.id, words, sentence)
        assert max(taps.values()) <= MOST, (words, taps)
        assert state_of(fight.pk).combatants != before, words
        row = load(fight.pk).log.last()
        assert row is not None
        assert words in bytes(row.record).decode()
        undo(fight.pk, by="gm")
        assert state_of(fight.pk).combatants == before, words
    verify(load(fight.pk))


def play(table: Table, who: str, words: str, sentence: Sentence) -> dict[str, int]:
    """From the words to the result; returns the taps of the player and of the GM."""
    taps = {"player": 2, "gm": 0}  # Something else, Ask
    table.tap("player", "ask_wish", combatant=who, words=words)
    gm = table.context("gm")
    (wish,) = find_wishes(gm.encounter, gm.full_state, gm.viewer, gm.grant)
    meaning = find_meaning(gm, wish)
    assert meaning.verb == sentence.verb, words
    number: Any = str(wish.number)
    if meaning.choices and not sentence.changes:
        taps["gm"] += 1
        table.tap("gm", "offer_wish", wish=number, choice="0")
    elif sentence.changes or not meaning.is_ready:
        fields = fill_form(table, wish.number, sentence.changes)
        taps["gm"] += 2 + len(sentence.changes)  # Answer, Offer, and one for each change
        table.tap("gm", "offer_wish", wish=number, keep="yes", **fields)
    else:
        taps["gm"] += 1
        table.tap("gm", "offer_wish", wish=number)
    player = table.context("player")
    (offer,) = find_wishes(player.encounter, player.full_state, player.viewer, player.grant)
    assert offer.status == "offered"
    table.tap("player", "take_offer", wish=str(offer.number))
    taps["player"] += 1
    return taps
