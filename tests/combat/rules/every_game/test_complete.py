"""What a game lacks, in one sentence each: the first suite to read when a new game fails."""

from __future__ import annotations

import msgspec
import pytest
from django.conf import settings

from combat.rules.core.book.rulebook import find_code_folder, find_folders
from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.declaration.parts import FINE
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.sides import has_turns
from combat.rules.core.state.state import present
from tests.combat.rules.every_game.pairs.pairs import TABLES, find_file
from tests.combat.rules.games import GAMES, demo_moments, every_game, lack, set_up
from tests.combat.rules.stored import FIGHTS, HERE

FILES = {
    "kinds.toml": "which kind each action and condition is of, for its icon",
    "words.toml": "the words of its facts",
    "rulebook.toml": "its rules, each with an id",
}


@every_game
def test_files_are_there(system: System) -> None:
    """A variant has those of the game it is based on."""
    for name, use in FILES.items():
        assert any((part / name).exists() for part in find_folders(system.folder)), lack(
            system, f"declares no {name}: {use}"
        )


@every_game
def test_tests_of_its_own_are_there(system: System) -> None:
    """A variant shares the tables of the game it is based on."""
    name = find_code_folder(system.folder).name
    own = HERE / name
    assert [*own.rglob("test_*.py")], lack(system, f"has no test of its own: write {own.name}/test_rules.py")
    assert (own / "pairs.py").exists(), lack(system, f"has no {own.name}/pairs.py: a scene for its tables")
    tables = [table for table in TABLES if not find_file(name, table).exists()]
    write = f"python -m tests.combat.rules.every_game.write_pairs {name}"
    assert not tables, lack(system, f"has not stored the tables {', '.join(tables)}: {write}")
    fights = [path for path in FIGHTS if path.stem.rpartition("-")[0] == system.slug]
    record = f"python -m tests.combat.rules.every_game.make_fights {system.slug}"
    assert fights, lack(system, f"has stored no fights: {record}")


@every_game
def test_demo_fight_is_there_and_takes_its_own_actions(system: System) -> None:
    demos = system.demo.make_all()
    assert demos, lack(system, "has no demo fight (System.demo)")
    known = system.actions.by_name.keys() | GM_ACTIONS.keys()
    steps = {step.name for demo in demos for step in (*demo.setup, *demo.script)}
    unknown = ", ".join(sorted(steps - known))
    assert not unknown, lack(system, f"takes {unknown} in its demo, but has no such action")


@every_game
def test_notice_says_whose_rules_are_played(system: System) -> None:
    heads = (settings.ROOT / "NOTICE").read_text("utf-8")
    told = (system.folder / "NOTICE").exists() or system.name in heads
    assert told, lack(system, f"says nowhere whose rules it plays: write {system.folder.name}/NOTICE")


@every_game
def test_fight_can_begin_and_go_on(system: System) -> None:
    missing = {system.actions.start, system.actions.advance} - system.actions.by_name.keys()
    assert not missing, lack(system, f"has no action {', '.join(sorted(missing))} in actions.toml")


@every_game
def test_actions_of_a_turn_are_described(system: System) -> None:
    seats = [action for action in system.actions.by_name.values() if action.who != "gm"]
    silent = [action.name for action in seats if not action.text.endswith(".")]
    assert not silent, lack(system, f"has no sentence (text) in actions.toml for {', '.join(silent)}")
    bare = [action.name for action in seats if not action.brief]
    assert not bare, lack(system, f"has no few words (brief) in actions.toml for {', '.join(bare)}")


@every_game
def test_nobody_who_is_out_can_fight(system: System) -> None:
    for state in [moment.after for moment in demo_moments(system.slug)]:
        for combatant in state.combatants.values():
            if system.characters.health(combatant).is_out:
                assert not has_turns(system, state, combatant), lack(
                    system,
                    f"lets {combatant.name} fight while out: characters.can_fight answers for those too",
                )


@every_game
def test_opponents_are_unhurt(system: System) -> None:
    blocks = system.book.find_blocks()
    assert blocks, lack(system, "offers no opponents (Book.find_blocks): the Prepare page adds them")
    for block in blocks.values():
        combatant = system.characters.make_combatant("f1", block.name, "enemies", block.sheet, {})
        health = system.characters.health(combatant)
        level, share = health.level, health.share
        assert level == FINE, lack(system, f"makes {block.id} with health level {level}: unhurt is {FINE}")
        assert share == 1, lack(
            system, f"makes {block.id} with health share {share}: it is what is left, 1 for the unhurt"
        )


@every_game
def test_sheets_of_combatants_are_plain_data(system: System) -> None:
    for moment in demo_moments(system.slug):
        for combatant in present(moment.after):
            plain = msgspec.json.decode(msgspec.json.encode(combatant.sheet))
            assert combatant.sheet == plain, lack(
                system,
                f"keeps a sheet that is no plain data for {combatant.name}: "
                "let make_combatant keep as_plain(sheet), which has lists and no tuples or structs",
            )


@every_game
def test_house_rules_have_their_choices_in_words(system: System) -> None:
    """A key such as `five_ten_alternate` is no choice that a GM can read."""
    keys = [(each.key, value) for each in system.book.options for value in each.choices if "_" in str(value)]
    named = {each.key for each in system.book.options if len(each.labels) == len(each.choices)}
    bare = [f"{key} = {value}" for key, value in keys if key not in named]
    assert not bare, lack(system, f"has no words under [choices] for {', '.join(bare)}")


@every_game
def test_default_of_a_house_rule_stands_in_its_file_alone(system: System) -> None:
    files = find_code_folder(system.folder).rglob("*.py")
    odd = sorted(path.name for path in files if '.options.get("' in path.read_text("utf-8"))
    assert not odd, lack(system, f"reads house rules without their default (find_option): {', '.join(odd)}")


@pytest.mark.parametrize("slug", GAMES)
def test_field_that_says_what_blank_means_may_be_blank(slug: str) -> None:
    stage = set_up(GAMES[slug])
    actors = {"", *(one.id for one in present(stage.state))}
    fields = [
        (action.name, field)
        for action in (*stage.system.actions.by_name.values(), *GM_ACTIONS.values())
        for actor in sorted(actors)
        if not find_refusal(action, stage.state, actor)
        for field in action.find_fields(stage.state, actor)
    ]
    asked = {(name, field.name) for name, field in fields if "blank" in field.help and field.required}
    assert not asked, lack(stage.system, f"asks for what may be blank: {asked}")
