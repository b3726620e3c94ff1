"""Text that comes in, folded once: letters that a search without capitals takes for others become those."""

from __future__ import annotations

import re
from unicodedata import category, decimal, normalize

from .checking import JOINERS, without_unseen

LIGATURES = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}  # “ﬁ” as PDFs have it
# A joiner shapes other scripts and emoji; beside ASCII it only comes between a word and its search
LONE = re.compile(rf"(?:(?<=[\x00-\x7f])|^)[{JOINERS}]+|[{JOINERS}]+(?=[\x00-\x7f]|$)")
DOTTED = {"\u0131": "i", "\u0130": "I"}  # the Turkish letters: without capitals they are equal to i


class _Letters(dict[int, str]):
    """The plain sign for each sign, found when it is first asked for."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        plain = DOTTED.get(sign) or (str(decimal(sign)) if category(sign) == "Nd" else sign)
        if category(sign).startswith("L"):
            form = normalize("NFKC", plain)
            plain = form if len(form) == 1 else plain
        self[code] = plain
        return plain


_LETTERS = _Letters()


def clean_signs(text: str) -> str:
    """The text without signs that nobody sees, and with the letters of a ligature."""
    if text.isascii():
        return text
    return LONE.sub("", without_unseen(text).translate(LIGATURES))


def fold_letters(text: str) -> str:
    """The text with plain letters and digits for wide and other forms of them: every place stays."""
    return text if text.isascii() else text.translate(_LETTERS)


def fold_text(text: str) -> str:
    """The text as readers compare it: both of the above."""
    return fold_letters(clean_signs(text))
