"""The pinned versions: the same everywhere, hashed, without the address of any registry."""

import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"^([a-z0-9][a-z0-9.-]*)==(\S+?)(?: ; (.+?))?(?: \\)?$", re.MULTILINE)
LOCK_FILES = re.compile(
    r"(requirements[^/]*\.txt|pyproject\.toml|\.lock|lock\.json|\.npmrc|\.cfg|\.ini|uv\.toml)$"
)


def find_pins(text: str) -> dict[str, str]:
    return {name: pinned for name, pinned, _marker in PIN.findall(text)}


def read_constraints() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return find_pins("\n".join(project["tool"]["uv"]["constraint-dependencies"]))


def find_tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]


def test_pins_of_the_project_are_those_of_the_requirements() -> None:
    everything = find_pins((ROOT / "requirements-dev.txt").read_text())
    assert len(everything) > 50
    assert read_constraints() == everything


def test_pins_of_the_server_are_among_those_of_development() -> None:
    everything = find_pins((ROOT / "requirements-dev.txt").read_text())
    server = find_pins((ROOT / "requirements.txt").read_text())
    assert {"django", "uvicorn", "psycopg", "redis"} <= set(server)
    assert server.items() <= everything.items()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_has_hashes(name: str) -> None:
    text = (ROOT / name).read_text()
    blocks = re.split(r"\n(?! )", text.strip())
    assert len(blocks) == len(find_pins(text))
    assert all("--hash=sha256:" in block for block in blocks)


def test_what_is_installed_is_what_is_pinned() -> None:
    for name, pinned in read_constraints().items():
        try:
            installed = version(name)
        except PackageNotFoundError:  # for another kind of machine
            continue
        assert installed == pinned, name


def test_no_lock_file_holds_an_address() -> None:
    files = [path for path in find_tracked_files() if LOCK_FILES.search(path.name)]
    assert ROOT / "requirements.txt" in files
    found = [
        f"{path.name}: {line}"
        for path in files
        for line in path.read_text().splitlines()
        if re.search(r"(https?|file|git)(\+\w+)?://|index-url|find-links|trusted-host", line)
    ]
    assert not found


def test_the_lock_with_addresses_is_not_tracked() -> None:
    assert "uv.lock" in (ROOT / ".gitignore").read_text().splitlines()
    assert ROOT / "uv.lock" not in find_tracked_files()
