"""What the page that adds people says of notes pasted there: each wording that a test knows, of one game."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from combat.play.demo import make_demo_fight
from tests.combat.pages.table.patching import parse
from tests.combat.play.notes.test_lines import BLOCKS, LINES, WORDINGS
from tests.golden.playing import Pages
from tests.golden.reading import read_lines


def read_pasted(gm: User, slug: str) -> Pages:
    """The page after all lines of a game at once and after all its stat blocks."""
    lines = [row["line"] for row in (*LINES, *WORDINGS) if row["game"] == slug]
    blocks = [row["text"] for row in BLOCKS if row["game"] == slug]
    owner, here = Client(), f"/encounters/{make_demo_fight(gm, slug).pk}/prep/people/"
    owner.force_login(gm)
    texts = {"pasted-lines": "\n".join(lines), "pasted-blocks": "\n\n".join(blocks)}
    return {name: paste(owner, here, text) for name, text in texts.items() if text}


def paste(owner: Client, here: str, text: str) -> list[str]:
    """What the page says of a text."""
    answer = owner.post(here, {"notes": text}, headers={"HX-Request": "true"})
    (main,) = [one for one in parse(answer.content.decode()).walk() if one.tag == "main"]
    return read_lines(main)
