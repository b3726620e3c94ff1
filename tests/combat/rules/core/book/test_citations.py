"""Citations of rules: in code, in marks, and in the record that the pytest plugin keeps."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.book.citations import (
    RECORD_FILE,
    CitationRecord,
    FinishedRun,
    KindCount,
    SourceLine,
    count_coverage,
    find_citations,
    find_marks,
    find_unknown_citations,
    read_record,
    update_record,
    write_record,
)
from combat.rules.core.book.rulebook import Rulebook, find_code_folder, find_rulebook_folders, load_rulebook

ROOT = Path(__file__).parents[5]
PLUGIN = "tests.plugins.rule_citations"


def write_rule(number: int, kind: str = "roll", automation: str = "automated") -> str:
    return (
        f'[[rule]]\nid = "TNY-HIT-0{number}"\nsection = "Fighting"\ntext = "Rule {number}."\n'
        f'kind = "{kind}"\nautomation = "{automation}"\nline = {number}\n'
    )


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A made-up system of three rules in a made-up repository."""
    folder = tmp_path / "combat" / "rules" / "tiny"
    folder.mkdir(parents=True)
    rules = write_rule(1) + write_rule(2, "damage", "assisted") + write_rule(3, automation="reference")
    (folder / "rulebook.toml").write_text('[book]\ntitle = "Tiny"\nprefix = "TNY"\n' + rules)
    return folder


@pytest.fixture
def book(tiny: Path) -> Rulebook:
    return load_rulebook(tiny)


# ---------------------------------------------------------------- code


def test_docstrings_strings_comments_and_tables_are_citations(tiny: Path, book: Rulebook) -> None:
    code = '"""Hit.\n\n[TNY-HIT-01]\n"""\nrule = "TNY-HIT-02"  # TNY-HIT-01\n'
    (tiny / "attack.py").write_text(code)
    (tiny / "data").mkdir()
    (tiny / "data" / "clubs.toml").write_text("# TNY-HIT-03\n")
    assert find_citations(tiny, book) == {
        "TNY-HIT-01": (SourceLine("attack.py", 3), SourceLine("attack.py", 5)),
        "TNY-HIT-02": (SourceLine("attack.py", 5),),
        "TNY-HIT-03": (SourceLine("data/clubs.toml", 1),),
    }


def test_the_rulebook_does_not_cite_itself(tiny: Path, book: Rulebook) -> None:
    assert find_citations(tiny, book) == {}


def test_an_id_that_the_rulebook_lacks_is_a_slip(tiny: Path, book: Rulebook) -> None:
    (tiny / "attack.py").write_text('rule = "TNY-HIT-9"\nother = "UTF-8"\nfine = "TNY-HIT-01"\n')
    assert find_unknown_citations(tiny, book) == {"TNY-HIT-9": (SourceLine("attack.py", 1),)}


@pytest.mark.parametrize("folder", find_rulebook_folders(ROOT / "combat" / "rules"))
def test_our_code_cites_no_rule_that_does_not_exist(folder: Path) -> None:
    assert find_unknown_citations(find_code_folder(folder), load_rulebook(folder)) == {}


# ---------------------------------------------------------------- marks


def test_marks_are_found_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "import pytest\nfrom pytest import mark\n"
        'pytestmark = pytest.mark.rule("TNY-HIT-01")\n'
        '@mark.rule("TNY-HIT-02",\n "TNY-HIT-03")\ndef test_a(): ...\n'
        'CASES = [pytest.param(1, marks=pytest.mark.rule("TNY-HIT-01"))]\n'
        'book.rule("TNY-HIT-04")\npytest.mark.slow("TNY-HIT-05")\n'
    )
    assert find_marks(tmp_path) == {
        "TNY-HIT-01": (SourceLine("test_a.py", 3), SourceLine("test_a.py", 7)),
        "TNY-HIT-02": (SourceLine("test_a.py", 4),),
        "TNY-HIT-03": (SourceLine("test_a.py", 5),),
    }


# ---------------------------------------------------------------- the record

Tests = dict[str, tuple[str, ...]]
A, B, C = "t.py::test_a", "t.py::test_b", "u.py::test_c"
OLD = CitationRecord({A: ("R-1",), B: ("R-2",), C: ("R-3",)})


def update(found: Tests, passed: dict[str, bool], **more: Any) -> Tests:
    run = FinishedRun(found, passed, whole=bool(more.get("whole", True)))
    files = more.get("files", ("t.py", "u.py"))
    return update_record(OLD, run, lambda file: file in files).tests


def test_a_run_of_a_part_keeps_what_it_did_not_run() -> None:
    assert update({A: ("R-1",), B: ("R-2",)}, {A: True}) == OLD.tests


def test_a_new_pass_is_added_and_its_marks_are_the_newest() -> None:
    new = "t.py::test_new"
    found: Tests = {A: ("R-4",), B: ("R-2",), new: ("R-5",)}
    assert update(found, {A: True, new: True}) == OLD.tests | {A: ("R-4",), new: ("R-5",)}


def test_a_failure_is_taken_out() -> None:
    assert update({A: ("R-1",), B: ("R-2",)}, {A: True, B: False}) == {A: ("R-1",), C: ("R-3",)}


def test_a_removed_test_is_taken_out() -> None:
    assert update({A: ("R-1",)}, {A: True}) == {A: ("R-1",), C: ("R-3",)}


def test_a_removed_file_is_taken_out() -> None:
    found: dict[str, tuple[str, ...]] = {A: ("R-1",), B: ("R-2",)}
    assert update(found, {A: True}, files=("t.py",)) == {A: ("R-1",), B: ("R-2",)}


def test_a_picked_test_says_nothing_of_its_neighbours() -> None:
    assert update({A: ("R-1",)}, {A: True}, whole=False) == OLD.tests


def test_removed_mark_counts_no_more_even_for_a_test_not_run() -> None:
    assert update({A: ("R-1",), B: ()}, {A: True}) == {A: ("R-1",), C: ("R-3",)}


def test_a_test_without_marks_is_not_recorded() -> None:
    assert update({A: (), B: ("R-2",)}, {A: True}) == {B: ("R-2",), C: ("R-3",)}


def test_a_record_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / RECORD_FILE
    assert read_record(path) is None
    write_record(path, OLD)
    assert read_record(path) == OLD
    assert OLD.rules == {"R-1", "R-2", "R-3"}
    path.write_text("{not json")
    assert read_record(path) is None


# ---------------------------------------------------------------- coverage


def test_coverage_counts_by_kind_and_lists_what_is_open(book: Rulebook) -> None:
    coverage = count_coverage(book.rules.values(), code={"TNY-HIT-01", "TNY-HIT-03"}, tests={"TNY-HIT-01"})
    assert coverage.counts == (
        KindCount("damage", "assisted", 1, 0, 0),
        KindCount("roll", "automated", 1, 1, 1),
    )
    assert [(rule.id, rule.in_code, rule.in_tests) for rule in coverage.open] == [
        ("TNY-HIT-02", False, False)
    ]


# ---------------------------------------------------------------- the plugin

TESTS = """
import pytest

@pytest.mark.rule("TNY-HIT-01")
def test_good(): ...

@pytest.mark.rule("TNY-HIT-02")
def test_bad(): assert GOOD

@pytest.mark.rule("TNY-HIT-03")
@pytest.mark.skip
def test_skipped(): ...

@pytest.mark.rule("TNY-HIT-03")
@pytest.mark.xfail
def test_expected_to_fail(): assert False

@pytest.fixture
def broken():
    yield
    assert False

@pytest.mark.rule("TNY-HIT-03")
def test_breaks_afterwards(broken): ...
"""


def run_pytest(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with our plugin, and no other but xdist, in a separate repository."""
    (repository / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "xdist.plugin", *arguments]
    own = {"PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        command, cwd=repository, env=os.environ | own, capture_output=True, text=True, check=False
    )


def write_tests(repository: Path, good: bool) -> None:
    (repository / "test_tiny.py").write_text(TESTS.replace("GOOD", str(good)))


def recorded(repository: Path) -> dict[str, tuple[str, ...]]:
    record = read_record(repository / RECORD_FILE)
    assert record is not None
    return {test.removeprefix("test_tiny.py::"): rules for test, rules in record.tests.items()}


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_only_passing_tests_are_recorded(tmp_path: Path) -> None:
    write_tests(tmp_path, good=True)
    finished = run_pytest(tmp_path)
    assert recorded(tmp_path) == {"test_bad": ("TNY-HIT-02",), "test_good": ("TNY-HIT-01",)}, finished
    write_tests(tmp_path, good=False)
    run_pytest(tmp_path, "-k", "test_good")
    assert set(recorded(tmp_path)) == {"test_bad", "test_good"}
    run_pytest(tmp_path)
    assert set(recorded(tmp_path)) == {"test_good"}


@pytest.mark.usefixtures("tiny")
def test_wrong_marks_fail_the_collection(tmp_path: Path) -> None:
    """An id that is in no rulebook, and a mark without ids."""
    text = 'import pytest\n@pytest.mark.rule("TNY-HIT-01", "TNY-HIT-77")\ndef test_x(): ...\n'
    (tmp_path / "test_tiny.py").write_text(text)
    (tmp_path / "test_bare.py").write_text("import pytest\n@pytest.mark.rule()\ndef test_y(): ...\n")
    finished = run_pytest(tmp_path)
    assert finished.returncode != 0
    assert "ERROR collecting test_tiny.py" in finished.stdout
    assert "test_tiny.py::test_x: no rulebook has the rule TNY-HIT-77" in finished.stdout
    assert 'test_bare.py::test_y: write @pytest.mark.rule("ID", "ID", ...)' in finished.stdout
    assert not (tmp_path / RECORD_FILE).exists()
