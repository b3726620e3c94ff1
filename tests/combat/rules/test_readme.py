"""The example that opens the README of the rules: it runs, and prints the output shown there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[3] / "combat" / "rules" / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_example_prints_what_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    (language, code), (_, printed), *_more = BLOCK.findall(README.read_text("utf-8"))
    assert language == "python"
    exec(compile(code, str(README), "exec"), {})
    assert capsys.readouterr().out == printed
