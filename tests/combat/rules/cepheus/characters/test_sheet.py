"""Wrong sheets are refused by the field; profiles are read and written."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.cepheus.book.tables import DIGITS, SCORES
from combat.rules.cepheus.characters.goods import find_problems
from combat.rules.cepheus.characters.one_line_npc import is_profile, read_profile, write_profile
from combat.rules.cepheus.characters.sheet import check_sheet, make_combatant
from combat.rules.core.basics.errors import Refused

SEVENS = dict.fromkeys(SCORES, 7)
RIFLE = {"id": "i1", "kind": "weapon", "entry": "rifle", "loaded": 10, "place": "held"}


def sheet(**more: Any) -> dict[str, Any]:
    return {"name": "Ada", "attributes": SEVENS, **more}


def problems(**more: Any) -> dict[str, str]:
    whole = msgspec.to_builtins(msgspec.convert(sheet(**more), type(check_sheet(sheet()))))
    return {problem.place: problem.message for problem in find_problems(whole)}


# ---------------------------------------------------------------- profiles


def test_profile_is_six_digits_beyond_nine_in_letters() -> None:
    assert read_profile("777A87") == {"str": 7, "dex": 7, "end": 7, "int": 10, "edu": 8, "soc": 7}
    assert read_profile("fGz000")["str"] == 15
    assert read_profile("777A87C")["psi"] == 12
    assert read_profile("777A87-C") == read_profile("777A87C")
    assert write_profile(read_profile("777A87C")) == "777A87C"


@given(st.text(alphabet=DIGITS, min_size=6, max_size=7))
def test_every_profile_comes_back_as_it_was_written(word: str) -> None:
    assert is_profile(word)
    shown = word[:6] if word[6:] == "0" else word  # no Psionic Strength at all
    assert write_profile(read_profile(word)) == shown


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("77777", "6 digits"),
        ("77777777", "6 digits"),
        ("", "6 digits"),
        ("777I77", "“I” is no digit"),
        ("77O777", "“O”"),
    ],
)
def test_what_is_no_profile_is_refused_in_words(word: str, reason: str) -> None:
    assert not is_profile(word)
    with pytest.raises(Refused, match=reason):
        read_profile(word)


# ---------------------------------------------------------------- sheets


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("attributes.end", {"attributes": {key: 7 for key in SCORES if key != "end"}}),
        ("attributes.luck", {"attributes": {**SEVENS, "luck": 3}}),
        ("skills.telepathy", {"skills": {"telepathy": 1}}),
        ("weapons[0]", {"weapons": ["blowpipe"]}),
        ("armor[0]", {"armor": ["chain"]}),
        ("gear[1]", {"gear": ["medical_kit", "anvil"]}),
        ("tracks.mind", {"tracks": {"mind": 1}}),
        ("conditions[0].kind", {"conditions": [{"kind": "prone"}]}),
        ("mounts[0]", {"mounts": [{"weapon": "rifle"}]}),
        ("attributes.structure", {"kind": "vehicle", "attributes": {"hull": 1, "armor": 1}}),
        ("items[1].id", {"items": [RIFLE, {**RIFLE, "place": "carried"}]}),
        ("items[0].entry", {"items": [{**RIFLE, "entry": "blowpipe"}]}),
        ("items[0].loaded", {"items": [{**RIFLE, "loaded": 11}]}),
        ("items", {"items": [RIFLE, {**RIFLE, "id": "i2"}]}),
    ],
)
def test_problems_are_told_by_their_field(field: str, more: dict[str, Any]) -> None:
    assert field in problems(**more)
    with pytest.raises(msgspec.ValidationError):
        make_combatant("f1", "Ada", "allies", sheet(**more), {})


def test_armor_is_worn_in_one_layer_and_what_goes_over_it() -> None:
    suits = [
        {"id": f"i{n}", "kind": "armor", "entry": name, "place": "worn"}
        for n, name in enumerate(("cloth", "reflec"))
    ]
    assert problems(items=suits) == {}
    more = [*suits, {"id": "i9", "kind": "armor", "entry": "jack", "place": "worn"}]
    assert "only one suit" in problems(items=more)["items"]


def test_tracks_of_a_sheet_are_what_is_left() -> None:
    combatant = make_combatant("f1", "Ada", "allies", sheet(tracks={"end": 2}), {})
    assert (combatant.tracks["end"], combatant.tracks["str"], combatant.tracks["hull"]) == (2, 7, 0)


def test_the_unconscious_join_lying_down() -> None:
    combatant = make_combatant("f1", "Ada", "allies", sheet(conditions=[{"kind": "unconscious"}]), {})
    assert [held.kind for held in combatant.conditions] == ["unconscious", "prone"]
