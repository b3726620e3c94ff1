"""What notes become in the line that adds people: each wording that a test knows, of one game."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from combat.play.demo import make_demo_fight
from tests.combat.pages.table.patching import parse
from tests.combat.play.notes.test_lines import BLOCKS, LINES, WORDINGS
from tests.golden.playing import Pages
from tests.golden.reading import read_lines


def read_pasted(gm: User, slug: str) -> Pages:
    """What is shown of each line and each stat block of a game before anyone joins."""
    owner, here = Client(), f"/encounters/{make_demo_fight(gm, slug).pk}/prep/people/"
    owner.force_login(gm)
    texts = {
        "pasted-lines": [row["line"] for row in (*LINES, *WORDINGS) if row["game"] == slug],
        "pasted-blocks": [row["text"] for row in BLOCKS if row["game"] == slug],
    }
    return {
        name: [line for text in all_of_one for line in paste(owner, here, text)]
        for name, all_of_one in texts.items()
        if all_of_one
    }


def paste(owner: Client, here: str, text: str) -> list[str]:
    """A text, and what the page says that it becomes."""
    answer = owner.post(here, {"notes": text}, headers={"HX-Request": "true"})
    shown = parse(answer.content.decode()).find("becomes")
    return [*(f"> {line}" for line in text.splitlines()), *read_lines(shown)]
