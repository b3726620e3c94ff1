"""Names that look alike are found, whatever characters they use; others are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.names import claims_gm, find_looks, is_alike

ZERO_WIDTH = "\u200b"


@pytest.mark.parametrize(
    "name",
    [
        "Paula",
        "PAULA",
        "paula ",
        "Pau la",
        "P.a.u.l.a",
        "Paüla",
        "Pau" + ZERO_WIDTH + "la",
        "Pau\u00adla",
        "\u202epaula",
        "Pa\u0301ula",
        "Ｐａｕｌａ",
        "𝓟𝓪𝓾𝓵𝓪",
        "Раulа",  # Cyrillic Р and а
        "Ρaυlα",  # Greek Ρ, υ, α
        "PAUIA",  # a capital I
        "Pau1a",
    ],
)
def test_name_that_looks_alike_is_found(name: str) -> None:
    assert is_alike(name, ["Otto", "Paula"])


@pytest.mark.parametrize("other", ["fuzz", "FUZZ", "suzz", "Suzz"])
@pytest.mark.parametrize("name", ["ſuzz", "ẛuzz"])
def test_long_s_looks_like_s_and_like_f(name: str, other: str) -> None:
    assert is_alike(name, [other])
    assert is_alike(other, [name])


@pytest.mark.parametrize("name", ["Paul", "Paulina", "Otto", "Полина", "Μάρκος", "李", "🦊", ""])
def test_different_names_are_not_alike(name: str) -> None:
    assert not is_alike(name, ["Paula", "Полли", "王"])


@pytest.mark.parametrize("name", ["Анна", "Μάρκος", "Łukasz", "李小龙", "Ольга"])
def test_name_in_other_letters_is_itself_in_capitals_too(name: str) -> None:
    assert is_alike(name.upper(), [name])
    assert is_alike(name.lower(), [name])


@pytest.mark.parametrize(
    "name", ["GM", "gm", "G.M.", "The GM", "Ada (GM)", "ＧＭ", "GМ", "Game Master", "co-GM"]
)
def test_name_that_claims_to_be_the_gm_is_found(name: str) -> None:
    assert claims_gm(name)


@pytest.mark.parametrize("name", ["Ada", "Sigma", "Gmork", "Dmitri", "Magma", "Edgm"])
def test_name_with_these_letters_inside_claims_nothing(name: str) -> None:
    assert not claims_gm(name)


@given(st.text(max_size=60))
def test_every_name_looks_like_itself_or_like_nothing(name: str) -> None:
    assert is_alike(name, [name]) == bool(find_looks(name))
