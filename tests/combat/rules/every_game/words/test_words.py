"""Words: those in facts, the agreement of catalog and code, and the style of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.words import MessageCatalogue, find_places
from combat.rules.core.book.rulebook import find_code_folder
from combat.rules.core.declaration import system as declarations
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import make_document, read_document, replay, write_document
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import State
from tests.combat.rules.every_game.wild.wild import Log, long_fights, play, play_all, play_rounds, wild_fights
from tests.combat.rules.every_game.words.keys import (
    APP,
    CORE,
    Use,
    core_words,
    declared_words,
    find_missing,
    find_sections,
    find_uses,
    own_words,
)
from tests.combat.rules.every_game.words.prose import StrictCatalogue, find_prose, find_slips
from tests.combat.rules.games import GAMES, STAND_INS, Moment, demo_moments, every_game, find_game, lack
from tests.combat.rules.stored import every_fight
from tests.thinning import thin

# Other parts of the app that draw words
DRAWERS = (CORE, APP / "display", APP / "audience", APP / "pages", APP / "play")


def name_all(*states: State) -> dict[str, str]:
    """The names of everyone in these states."""
    return {who: combatant.name for state in states for who, combatant in state.combatants.items()}


# ---------------------------------------------------------------- facts hold no prose


@every_game
def test_facts_of_the_demo_hold_no_prose(system: System) -> None:
    found = [p for m in demo_moments(system.slug) for p in find_prose(system, m.before, m.step, m.after)]
    why = lack(system, "keeps texts in its facts that are no keys of words.toml:")
    assert not found, "\n".join((why, *sorted(set(found))))


# ---------------------------------------------------------------- style of lines


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> dict[str, StrictCatalogue]:
    """The catalogs of all games, noting drawn texts and placeholders that stay empty."""
    found = {slug: StrictCatalogue(system.words.words) for slug, system in GAMES.items()}
    monkeypatch.setattr(declarations, "_load_words", lambda system: found[system.slug])
    return found


@every_game
def test_lines_of_the_demo_read_well(system: System, strict: dict[str, StrictCatalogue]) -> None:
    found = [
        slip
        for moment in demo_moments(system.slug)
        for slip in find_slips(system, moment.step, name_all(moment.before, moment.after))
    ]
    assert not found, "\n".join(sorted(set(found)))
    assert not strict[system.slug].unfilled, sorted(set(strict[system.slug].unfilled))


# ---------------------------------------------------------------- both, in fights played for it


def find_faults(system: System, log: Log, step: Step) -> list[str]:
    """Prose in the facts of the newest step, and the errors of its lines."""
    before, after = log.states[-2], log.state
    prose = find_prose(system, before, step, after) if step.kind == COMMAND else []
    return [*prose, *find_slips(system, step, name_all(before, after))]


@pytest.mark.parametrize("slug", thin(GAMES, *STAND_INS))
@wild_fights
def test_wild_fights_hold_no_prose_and_read_well(slug: str, seed: int, length: int) -> None:
    system = GAMES[slug]
    found = [fault for log, step in play(system, seed, length) for fault in find_faults(system, log, step)]
    assert not found, "\n".join(sorted(set(found)))


@pytest.mark.parametrize("slug", thin(GAMES, *STAND_INS))
@long_fights
@given(seed=st.integers(0, 2**32))
def test_long_fights_hold_no_prose_and_read_well(slug: str, seed: int) -> None:
    system = GAMES[slug]
    found = [fault for log, step in play_rounds(system, seed, 3) for fault in find_faults(system, log, step)]
    assert not found, "\n".join(sorted(set(found)))


# ---------------------------------------------------------------- the catalog and the code


def find_all_uses(system: System) -> tuple[Use, ...]:
    """The keys that a game's code, the core's and the pages' use."""
    return tuple(use for folder in (find_code_folder(system.folder), *DRAWERS) for use in find_uses(folder))


@every_game
def test_every_key_in_code_has_words(system: System) -> None:
    """A text that is meant as a key begins with a section of the catalog."""
    words = system.words.words
    sections = find_sections(words)
    missing = [
        f"{use.place}: {use.pattern}"
        for folder in (find_code_folder(system.folder), CORE)
        for use in find_uses(folder)
        if use.pattern not in words
        and use.pattern.partition(".")[0].rstrip("\\") in sections
        and not any(use.fits(key) for key in words)
    ]
    assert not missing, lack(system, "has no words for these keys (words.toml):\n" + "\n".join(missing))


@every_game
def test_every_key_of_a_catalogue_is_used(system: System) -> None:
    labels = {term.label for row in system.characters.conditions.values() for term in row.terms.values()}
    wanted = own_words(system).keys() - core_words().keys() - declared_words(system).keys() - labels
    unused = find_missing(wanted, find_all_uses(system))
    assert not unused, lack(system, f"uses nowhere what its words.toml says under {', '.join(unused)}")


@pytest.mark.slow
def test_every_key_of_the_core_is_used() -> None:
    uses = [use for folder in (APP, *(s.folder for s in GAMES.values())) for use in find_uses(folder)]
    assert find_missing(core_words(), uses) == []


@every_game
def test_code_fills_the_places_of_its_words(system: System) -> None:
    words = system.words.words
    unfilled = [
        f"{use.place}: {use.pattern} wants {', '.join(sorted(find_places(words[use.pattern]) - use.filled))}"
        for use in find_all_uses(system)
        if use.filled is not None
        and use.pattern in words
        and not find_places(words[use.pattern]) <= use.filled
    ]
    assert not unfilled, "\n".join(unfilled)


# ---------------------------------------------------------------- rewording a sentence changes no fact


Reword = Callable[[], None]


@pytest.fixture
def reword(monkeypatch: pytest.MonkeyPatch) -> Reword:
    """A function that changes every text of every catalog."""

    def change() -> None:
        found = {
            slug: MessageCatalogue(
                {key: f"quite otherwise: {text}" for key, text in system.words.words.items()}
            )
            for slug, system in GAMES.items()
        }
        monkeypatch.setattr(declarations, "_load_words", lambda system: found[system.slug])

    return change


def write_demo(system: System) -> bytes:
    """The demo fight of a game, as written today."""
    moments: tuple[Moment, ...] = demo_moments(system.slug)
    steps = tuple(moment.step for moment in moments)
    return write_document(make_document("Demo", moments[0].before, steps, moments[-1].after))


def write_wild(system: System) -> bytes:
    """A wild fight of a game, as written today."""
    log = play_quietly(system)
    return write_document(make_document("Wild", log.start, tuple(log.steps), log.state))


def play_quietly(system: System) -> Log:
    """One wild fight, always the same."""
    from tests.combat.rules.every_game.wild import wild

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wild, "event", lambda *_, **__: None)
        return play_all(system, 11, 40)


@every_fight
def test_stored_fights_verify_in_other_words(path: Path, reword: Reword) -> None:
    reword()
    verdict = replay(read_document(path.read_bytes()), find_game)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("write", [write_demo, write_wild])
def test_fights_of_today_verify_in_other_words(
    slug: str, write: Callable[[System], bytes], reword: Reword
) -> None:
    raw = write(GAMES[slug])
    reword()
    verdict = replay(read_document(raw), find_game)
    assert verdict.ok, verdict.message


def test_reworded_catalogues_are_those_that_are_drawn_from(reword: Reword) -> None:
    reword()
    for system in GAMES.values():
        for kind in system.characters.conditions:
            assert re.match("quite otherwise: ", system.draw(f"condition.{kind}"))
