"""The table through the demo fights of a game, as its GM, a player and a spectator read it."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from difflib import unified_diff
from itertools import cycle, zip_longest
from pathlib import Path

from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.rules import find_system
from combat.rules.core.declaration.demo import DemoStep
from tests.combat.cast import come, invite
from tests.combat.pages.table.patching import OpenPage
from tests.combat.visit import demo_fight, play_step
from tests.golden.reading import read_lines

PERSON = re.compile(r'name="combatant" value="(f\d+)"')
FOLDER = Path(__file__).resolve().parent / "stored"
MARK = "=== "  # before the name of a page
EVERY = 5  # steps of a script between two looks
FOLDS = " ".join(f"figure-f{number}" for number in range(1, 31))  # all bodies lie open
OTHERS = {
    "gm": ("prep/", "log/", "share/", "whatif/", "handouts/", "report/", "dice/", "home/"),
    "player": ("log/", "handouts/", "report/", "home/"),
    "spectator": ("log/", "report/"),
}
Pages = dict[str, list[str]]  # the lines of each page, by a name that says who saw it when


def play_golden(gm: User, slug: str) -> Pages:
    """The pages of all demo fights of a game."""
    return {
        f"{slug}/{number} {name}": lines
        for number in range(len(find_system(slug).demo.make_all()))
        for name, lines in look_on(gm, slug, number)
    }


def look_on(gm: User, slug: str, number: int) -> Iterator[tuple[str, list[str]]]:
    """The pages of a demo fight: the table after every few steps, and those beside it at the end.

    Each time another one of the people looks at the page that stays open; at the end all do.
    """
    fight, script = demo_fight(gm, slug, number), find_system(slug).demo.make_all()[number].script
    people, path = gather(gm, fight), f"/encounters/{fight.pk}/"
    kept = {who: OpenPage(client, path, FOLDS) for who, client in people.items()}
    turns = cycle(kept)
    for at, step in enumerate((*script, None)):
        if at % EVERY == 0 or step is None:
            looking = next(turns)
            for who, page in kept.items():
                is_kept = who == looking or step is None
                yield f"step {at} {who}", look_again(page) if is_kept else read_page(page.client, path)
        if step is not None:
            if at % EVERY == 2 and step.command.get("actor"):
                yield f"step {at} gm's form", read_form(people["gm"], path, step)
            play_step(fight.pk, step)
    for do in ("undo", "redo"):
        assert kept["gm"].post(do=do, version=kept["gm"].table.attrs["data-version"]) == 200
        yield f"{do} gm", look_again(kept["gm"])
    for who, places in OTHERS.items():
        for place in places:
            yield f"{place} {who}", read_page(people[who], path + place)


def gather(gm: User, fight: Encounter) -> dict[str, Client]:
    """The GM, a player in the first seat that is free, and a spectator."""
    owner = Client()
    owner.force_login(gm)
    free = PERSON.findall(Client().get(invite(fight)).content.decode())
    player = come(fight, ShareLink.PLAY, "Pia", free[0])
    return {"gm": owner, "player": player, "spectator": come(fight, ShareLink.WATCH, "Wim")}


def look_again(page: OpenPage) -> list[str]:
    """A page that stays open and takes in what it lacks; check that it reads like a fresh one."""
    page.look()
    lines = read_page(page.client, page.path)
    assert "\n".join(read_lines(page.table)) in "\n".join(lines), "answers in parts make another page"
    return lines


def read_page(client: Client, address: str) -> list[str]:
    """Another page of the same fight."""
    return read_lines(OpenPage(client, address, FOLDS).root)


def read_form(gm: Client, path: str, step: DemoStep) -> list[str]:
    """The table with the form of a step open."""
    return read_page(gm, f"{path}?do={step.name}&combatant={step.command['actor']}")


# ---- Stored pages ----


def write_stored(slug: str, pages: Pages, folder: Path) -> None:
    """Store the pages of a game; in another folder as plain text."""
    text = "".join(
        f"{MARK}{name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in pages.items()
    )
    folder.mkdir(parents=True, exist_ok=True)
    if folder == FOLDER:
        (folder / f"{slug}.txt.xz").write_bytes(lzma.compress(text.encode()))
    else:
        (folder / f"{slug}.txt").write_text(text, "utf-8")


def read_stored(slug: str) -> Pages:
    """The stored pages of a game."""
    pages: Pages = {}
    for line in lzma.decompress((FOLDER / f"{slug}.txt.xz").read_bytes()).decode().splitlines():
        if line.startswith(MARK):
            lines = pages[line.removeprefix(MARK)] = []
        else:
            lines.append(line)
    return pages


def describe_change(stored: Pages, now: Pages) -> str:
    """Where pages read otherwise than the stored ones, with the first lines of each difference."""
    said: list[str] = []
    for name, other in zip_longest(stored, now):
        if name != other:
            return "\n".join([*said, f"page {other} in place of {name}"])
        if " ".join(stored[name]).split() != " ".join(now[name]).split():
            said += [f"page {name}", *list(unified_diff(stored[name], now[name], n=1, lineterm=""))[2:22]]
    return "\n".join(said[:200])
