"""manage.py new_game: what it makes is a game that plays, and what it refuses."""

from __future__ import annotations

import sys
from importlib import import_module
from io import StringIO
from pathlib import Path
from shutil import copytree

import pytest
from django.core.management import CommandError, call_command

import combat.rules
from combat.management.commands.new_game import TEMPLATE, Command
from combat.rules.core.declaration.system import System
from tests.combat.rules.games import play_demo

ROOT = Path(__file__).parents[3]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with nothing but the template."""
    copytree(ROOT / TEMPLATE, tmp_path / TEMPLATE)
    monkeypatch.setattr(Command, "root", tmp_path)
    return tmp_path


def make(name: str, **options: str) -> str:
    out = StringIO()
    call_command("new_game", name, stdout=out, **options)
    return out.getvalue()


def load(checkout: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> System:
    folder = str(checkout / "combat" / "rules")
    monkeypatch.setattr(combat.rules, "__path__", [*combat.rules.__path__, folder])
    system: System = import_module(f"combat.rules.{name}").SYSTEM
    for module in [each for each in sys.modules if each.startswith(f"combat.rules.{name}")]:
        monkeypatch.delitem(sys.modules, module)
    return system


def test_copy_plays_its_demo_under_its_own_name(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = make("two_pistols", title="Pistols at Dawn")
    assert '"two_pistols": "combat.rules.two_pistols",' in told
    assert "pytest --game two_pistols" in told
    system = load(checkout, "two_pistols", monkeypatch)
    assert (system.slug, system.name) == ("two_pistols", "Pistols at Dawn")
    assert system.versions.newest == 1
    demo = system.demo.make_first()
    moments = list(play_demo(system, (*demo.setup, *demo.script)))
    assert [moment.unused for moment in moments] == [0] * len(moments)
    assert {rule.partition("-")[0] for rule in system.rulebook.rules} == {"TWOPISTOLS"}


def test_nothing_of_the_template_is_left_in_a_copy(checkout: Path) -> None:
    make("pistols")
    files = [path for path in checkout.rglob("*") if "pistols" in path.parts and path.is_file()]
    assert {path.parent.relative_to(checkout).as_posix() for path in files} == {
        "combat/rules/pistols",
        "tests/combat/rules/pistols",
    }
    text = "".join(path.read_text("utf-8") for path in files)
    assert "tiny" not in text.lower()
    assert "a copy" not in text
    assert '@pytest.mark.rule("PISTOLS-STR-01"' in text


@pytest.mark.parametrize("name", ["", "x", "Pistols", "9mm", "two-pistols", "class", "a" * 31, "../up"])
def test_name_of_another_kind_is_refused(checkout: Path, name: str) -> None:
    with pytest.raises(CommandError, match="no name for a game"):
        make(name)
    assert not (checkout / "combat").exists()


def test_title_that_would_break_the_code_is_refused(checkout: Path) -> None:
    with pytest.raises(CommandError, match="no title"):
        make("pistols", title='Pistols"')


def test_game_that_exists_is_left_alone(checkout: Path) -> None:
    make("pistols")
    with pytest.raises(CommandError, match="combat/rules/pistols already"):
        make("pistols")


def test_checkout_without_tests_has_no_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Command, "root", tmp_path)
    with pytest.raises(CommandError, match="is missing"):
        make("pistols")
