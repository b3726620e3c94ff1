"""Text is folded once on the way in: odd forms of letters and digits are the plain ones."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.folding import clean_signs, fold_letters, fold_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("s\u0131x p\u0130rates", "six pIrates"),
        ("\u017fix \u212anights", "six Knights"),
        ("\uff14 \u0663 \U0001d7d2", "4 3 4"),
        ("p\u200bir\u00adat\u200des", "pirates"),
        ("o\ufb03cer", "officer"),
        ("½ ² Zoë Straße Ø", "½ ² Zoë Straße Ø"),
        ("👩\u200d🚀 م\u200cی", "👩\u200d🚀 م\u200cی"),
    ],
)
def test_letters_and_digits_are_plain(text: str, folded: str) -> None:
    assert fold_text(text) == folded
    assert len(fold_letters(text)) == len(text), "places in the text stay"
    assert fold_letters(clean_signs(text)) == folded
