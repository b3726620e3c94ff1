"""Sealed dice: any program gets the same faces, all equally likely, and no one can change them later."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.basics.dice.dice import check_faces
from combat.rules.core.basics.dice.sealed import SealedDice, draw_faces, make_message, make_seal

# For programs that check their own implementation: secret, and per roll number, words, dice, faces
VECTORS = json.loads((Path(__file__).parent / "sealed_vectors.json").read_text())
SECRET = VECTORS["secret"]


def test_seal_and_message_are_what_the_page_says() -> None:
    assert make_seal("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert make_message("0123456789abcdef99", 7, "luck,two", 1) == "0123456789abcdef:7:1:luck,two"


@pytest.mark.parametrize("roll", VECTORS["rolls"], ids=lambda roll: roll["dice"])
def test_faces_follow_from_secret_number_and_words(roll: dict[str, Any]) -> None:
    number, words, dice, faces = roll["number"], roll["words"], roll["dice"], tuple(roll["faces"])
    check_faces(dice, faces)
    assert draw_faces(SECRET, number, words, dice) == faces
    assert draw_faces(SECRET, number + 1, words, dice) != faces
    assert draw_faces(SECRET, number, words + "!", dice) != faces


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl to compare with")
def test_openssl_gives_the_same_bytes() -> None:
    message = make_message(make_seal(SECRET), 1, "")
    command = ["openssl", "dgst", "-sha256", "-hmac", SECRET]
    done = subprocess.run(command, input=message, capture_output=True, text=True, check=True)
    first = bytes.fromhex(done.stdout.split()[-1])
    faces = [byte % 10 + 1 for byte in first if byte < 250][:2]
    assert tuple(faces) == draw_faces(SECRET, 1, "", "2d10")


def test_every_face_is_equally_likely() -> None:
    """Chi squared of 60,000 faces, with 5 degrees of freedom: exceeds 20.5 once in a thousand times."""
    seen = Counter(face for number in range(600) for face in draw_faces(SECRET, number, "", "100d6"))
    assert sum((count - 10_000) ** 2 / 10_000 for count in seen.values()) < 20.5


def test_numbers_only_grow() -> None:
    dice = SealedDice(SECRET, 41, "luck")
    first, second = dice.throw("2d10"), dice.throw("2d10")
    assert (first.number, second.number, dice.rolled) == (42, 43, 43)
    assert first.faces == draw_faces(SECRET, 42, "luck", "2d10")
