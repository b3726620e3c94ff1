"""The table through the demo fights of a game, as its GM, a player and a spectator read it.

Not every page is stored, so that a change of one can be read: these stand for the others.
- Each few steps one person's table, in turn, and at the end everybody's.
- An action's form without the table around it.
- At the end, where everything with a name is drawn for the GM and a player.
- No table after an undo or a redo: they are those of the steps before, and only compared with fresh ones.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from difflib import unified_diff
from itertools import cycle
from pathlib import Path

from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.rules import find_system
from combat.rules.core.declaration.book import DemoStep
from tests.combat.cast import come, invite
from tests.combat.pages.table.patching import OpenPage
from tests.combat.visit import demo_fight, play_step
from tests.golden.drawing import read_drawings
from tests.golden.reading import read_lines

PERSON = re.compile(r'name="combatant" value="(f\d+)"')
FOLDER = Path(__file__).resolve().parent / "stored"
EVERY = 5  # steps of a script between two looks
FOLDS = " ".join(f"figure-f{number}" for number in range(1, 31))  # all bodies lie open
OTHERS = {
    "gm": ("prep/", "log/", "share/", "whatif/", "handouts/", "report/", "dice/", "home/"),
    "player": ("log/", "handouts/", "report/", "home/"),
    "spectator": ("log/", "report/"),
}
DRAWN_FOR = ("gm", "player")  # beside the words, where everything is drawn at the end
Pages = dict[str, list[str]]  # the lines of each page, by its file's name, which says who saw it when


def play_golden(gm: User, slug: str) -> Pages:
    """The pages of all demo fights of a game."""
    return {
        f"{number}/{name}": lines
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
    for at, step in enumerate(script):
        if at % EVERY == 0:
            who = next(turns)
            yield f"step-{at:02}-{who}", look_again(kept[who])
        if at % EVERY == 2 and step.command.get("actor"):
            yield f"step-{at:02}-form", read_form(people["gm"], path, step)
        play_step(fight.pk, step)
    for who, page in kept.items():
        yield f"step-{len(script):02}-{who}", look_again(page)
        if who in DRAWN_FOR:
            yield f"drawn-{who}", read_drawings(page.root)
    for do in ("undo", "redo"):
        assert kept["gm"].post(do=do, version=kept["gm"].table.attrs["data-version"]) == 200
        look_again(kept["gm"])
    for who, places in OTHERS.items():
        for place in places:
            yield f"{place.strip('/')}-{who}", read_page(people[who], path + place)


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
    """The form of a step, open on the table."""
    page = OpenPage(gm, f"{path}?do={step.name}&combatant={step.command['actor']}", FOLDS)
    (form,) = [one for one in page.table.walk() if "action-form" in one.attrs.get("class", "").split()]
    return read_lines(form)


# ---- Stored pages ----


def write_stored(pages: Pages, folder: Path) -> None:
    """Store the pages of a game, each in a file, in place of those in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, lines in pages.items():
        path = folder / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def read_stored(folder: Path) -> Pages:
    """The stored pages of a game."""
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text("utf-8").splitlines()
        for path in folder.rglob("*.txt")
    }


def describe_change(stored: Pages, now: Pages) -> str:
    """Where pages read otherwise than the stored ones, with the first lines of each difference."""
    said = [f"page {name} is not stored" for name in now if name not in stored]
    said += [f"page {name} is stored and not there" for name in sorted(stored) if name not in now]
    for name, lines in now.items():
        if name in stored and " ".join(stored[name]).split() != " ".join(lines).split():
            said += [f"page {name}", *list(unified_diff(stored[name], lines, n=1, lineterm=""))[2:22]]
    return "\n".join(said[:200])
