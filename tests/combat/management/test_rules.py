"""manage.py rules: cited rules, missing ones, and the evidence."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from combat.management.commands.rules import Command
from combat.rules.core.book.citations import RECORD_FILE, CitationRecord, write_record

RULES = [
    ("TNY-HIT-01", "roll", "automated"),
    ("TNY-HIT-02", "damage", "assisted"),
    ("TNY-RUN-01", "movement", "automated"),
    ("TNY-RUN-02", "guidance", "reference"),
]


def write_rule(rule_id: str, kind: str, automation: str) -> str:
    return (
        f'[[rule]]\nid = "{rule_id}"\nsection = "Tiny"\ntext = "Text of {rule_id}."\n'
        f'kind = "{kind}"\nautomation = "{automation}"\nline = 1\n'
    )


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one small game: HIT-01 in code and test, HIT-02 in code, RUN-01 in a test."""
    folder = tmp_path / "combat" / "rules" / "tiny"
    folder.mkdir(parents=True)
    book = '[book]\ntitle = "Tiny Game"\nprefix = "TNY"\n' + "".join(write_rule(*rule) for rule in RULES)
    (folder / "rulebook.toml").write_text(book)
    (folder / "attack.py").write_text('"""[TNY-HIT-01] [TNY-HIT-02]"""\n')
    (tmp_path / "tests").mkdir()
    marks = 'import pytest\npytestmark = pytest.mark.rule("TNY-HIT-01", "TNY-RUN-01")\n'
    (tmp_path / "tests" / "test_tiny.py").write_text(marks)
    monkeypatch.setattr(Command, "root", tmp_path)
    return tmp_path


def run(*arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command("rules", *arguments, stdout=out, **options)
    return out.getvalue()


def numbers_of(text: str, kind: str) -> list[str]:
    return next(line.split()[1:] for line in text.splitlines() if line.startswith(f"{kind} "))


@pytest.mark.usefixtures("root")
def test_without_a_record_marks_count_and_open_rules_list_gaps() -> None:
    text = run("tiny")
    assert text.startswith("Tiny Game (tiny)\n")
    assert "No test run is recorded yet" in text
    assert numbers_of(text, "roll") == ["1", "1", "1", "-", "-", "-"]
    assert numbers_of(text, "damage") == ["-", "-", "-", "1", "1", "0"]
    assert numbers_of(text, "all") == ["2", "1", "2", "1", "1", "0"]
    assert "by both: 2\n" in text
    assert "  TNY-HIT-02    in code, no test  Text of TNY-HIT-02." in text
    assert "  TNY-RUN-01    no code, tested   Text of TNY-RUN-01." in text
    assert "TNY-HIT-01" not in text
    assert "TNY-RUN-02" not in text


def test_with_a_record_only_passing_tests_count(root: Path) -> None:
    write_record(root / RECORD_FILE, CitationRecord({"tests/test_tiny.py::test_x": ("TNY-HIT-02",)}))
    text = run("tiny")
    assert f"as recorded in {RECORD_FILE} by the run of " in text
    assert numbers_of(text, "roll") == ["1", "1", "0", "-", "-", "-"]
    assert numbers_of(text, "damage") == ["-", "-", "-", "1", "1", "1"]


@pytest.mark.usefixtures("root")
def test_json() -> None:
    found = json.loads(run("--json"))
    assert found["tests_from"] == "marks"
    [system] = found["systems"]
    assert (system["slug"], system["name"]) == ("tiny", "Tiny Game")
    roll = {"kind": "roll", "automation": "automated", "rules": 1, "in_code": 1, "in_tests": 1}
    assert roll in system["coverage"]["counts"]
    assert [rule["id"] for rule in system["coverage"]["open"]] == ["TNY-HIT-02", "TNY-RUN-01"]


@pytest.mark.usefixtures("root")
def test_areas() -> None:
    text = run("tiny", "--area", "run")
    assert text.startswith("Tiny Game (tiny), areas RUN\n")
    assert numbers_of(text, "all") == ["1", "0", "1", "0", "0", "0"]
    assert "TNY-HIT-02" not in text
    assert numbers_of(run("tiny", "--area", "run", "hit"), "all") == ["2", "1", "2", "1", "1", "0"]


@pytest.mark.usefixtures("root")
def test_an_unknown_game_or_area_is_refused() -> None:
    with pytest.raises(CommandError, match=r"no rulebook of 'large'. There is: tiny\."):
        run("large")
    with pytest.raises(CommandError, match=r"no area FLY. It has: HIT, RUN\."):
        run("tiny", "--area", "fly")
