"""Written documents name the release of the program."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from combat.rules.core.basics.release import PATTERN, PROGRAM, RELEASE, name_replay


def test_release_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[5] / "pyproject.toml").read_text())["project"]
    assert (project["name"], project["version"]) == (PROGRAM, RELEASE)
    assert re.fullmatch(PATTERN, RELEASE)


def test_command_for_a_release_is_one_a_shell_takes() -> None:
    command = "uvx --from ./cosmos_table-{}-py3-none-any.whl cosmos-table replay FILE"
    assert name_replay("1.2.3rc1") == command.format("1.2.3rc1")
    assert name_replay("1.2\n") == name_replay("$(id)") == name_replay(None) == command.format("VERSION")
