"""A sheet may grow: a field with a default changes nothing of what was stored before, in any game."""

from __future__ import annotations

import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combat.rules.core.basics.checking import find_shape_problems
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import Document, _run_again, read_document, replay
from combat.rules.core.state.events import CombatantJoined
from combat.rules.core.state.history import COMMAND, StateTimeline
from tests.combat.releases.__main__ import FOLDER
from tests.combat.rules.games import GAMES, find_game
from tests.combat.rules.stored import FIGHTS

NEW: dict[str, Any] = {
    "mood": "calm",
    "grudges": (),
    "grit": 3,
    "lucky": False,
}  # with defaults


def grow(sheet: type) -> type:
    """The sheet with fields added to it as the guide for contributors says."""
    fields = [(name, type(value), msgspec.field(default=value)) for name, value in NEW.items()]
    return msgspec.defstruct(
        sheet.__name__, fields, bases=(sheet,), frozen=True, kw_only=True, forbid_unknown_fields=True
    )


@pytest.fixture
def grown(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every game with such a sheet, wherever its modules name it."""
    old = {system.characters.sheet: grow(system.characters.sheet) for system in GAMES.values()}
    for module in [one for name, one in sys.modules.items() if ".rules." in name]:
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value in old:
                monkeypatch.setattr(module, name, old[value])
    holders = list({id(system.characters): system.characters for system in GAMES.values()}.values())
    for one in holders:
        msgspec.structs.force_setattr(one, "sheet", old[one.sheet])
    yield
    back = {new: before for before, new in old.items()}
    for one in holders:
        msgspec.structs.force_setattr(one, "sheet", back[one.sheet])


def says_of_steps(system: System, document: Document) -> list[str]:
    """What the rules of now say of each command, also of those by rules that are not played here any more."""
    course, said = StateTimeline(document.start), []
    for step in document.steps:
        said.append(_run_again(system, course.state, step) if step.kind == COMMAND else "")
        course.follow(step)
    return said


OF_RELEASES = ("cosmos", "starshock", "guardians", "cepheus", "cepheus_quick")
RELEASED = sorted((archive, slug) for archive in FOLDER.glob("*.tar.xz") for slug in OF_RELEASES)


@pytest.fixture(scope="module")
def documents() -> dict[tuple[Path, str], Document]:
    """The exported fights of the releases."""
    found = {}
    for archive in {archive for archive, _ in RELEASED}:
        with tarfile.open(archive) as packed:
            for slug in OF_RELEASES:
                file = packed.extractfile(f"files/encounter-{slug}.json")
                if file:
                    found[archive, slug] = read_document(file.read(), find_game)
    return found


@pytest.fixture
def before(
    documents: dict[tuple[Path, str], Document], request: pytest.FixtureRequest
) -> tuple[Document, list[str]]:
    """A fight of a release, and what is said of its steps with the sheets as they are."""
    document = documents[request.param]
    return document, says_of_steps(GAMES[document.system], document)


@pytest.mark.parametrize(
    "before", RELEASED, ids=[f"{file.name}-{slug}" for file, slug in RELEASED], indirect=True
)
def test_fight_of_a_release_is_judged_the_same(before: tuple[Document, list[str]], request: Any) -> None:
    document, said = before
    request.getfixturevalue("grown")
    assert "" in said
    assert says_of_steps(GAMES[document.system], document) == said
    assert replay(document, find_game).ok


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
@pytest.mark.usefixtures("grown")
def test_fight_by_rules_of_now_verifies(path: Path) -> None:
    document = read_document(path.read_bytes(), find_game)
    sheet = next(
        fact.event.combatant.sheet
        for step in document.steps
        for fact in step.facts
        if isinstance(fact.event, CombatantJoined)
    )
    grown_sheet = GAMES[document.system].characters.sheet
    assert not find_shape_problems({**sheet, "mood": "grim"}, grown_sheet), "the sheet has grown"
    verdict = replay(document, find_game)
    assert verdict.ok, verdict.summary


@pytest.mark.usefixtures("grown")
@pytest.mark.parametrize("value", ["grim", 7])
def test_new_field_that_says_something_is_compared(value: object) -> None:
    path = next(path for path in FIGHTS if path.stem == "starshock-long")
    plain = msgspec.json.decode(path.read_bytes())
    for holder in find_sheets(plain):
        holder["mood"] = value
    document = msgspec.convert(plain, Document)
    verdict = replay(document, find_game)
    assert not verdict.ok


def find_sheets(plain: Any) -> Iterator[dict[str, Any]]:
    """The sheets of the combatants of a document, but not those that its commands name."""
    if isinstance(plain, dict):
        if isinstance(plain.get("sheet"), dict) and "side" in plain and "id" in plain:
            yield plain["sheet"]
        for key, value in plain.items():
            if key != "command":
                yield from find_sheets(value)
    elif isinstance(plain, list):
        for value in plain:
            yield from find_sheets(value)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("xp", None, "another xp: 6 by the rules, nothing in the file"),
        ("xp", 7, "another xp: 6 by the rules, 7 in the file"),
        ("notes", ["Old"], 'another notes: nothing by the rules, ["Old"] in the file'),
    ],
)
def test_message_says_what_stands_in_the_file(field: str, value: object, message: str) -> None:
    path = next(path for path in FIGHTS if path.stem == "starshock-long")
    plain = msgspec.json.decode(path.read_bytes())
    for sheet in find_sheets(plain):
        sheet[field] = value
    verdict = replay(msgspec.convert(plain, Document), find_game)
    assert message in verdict.summary
