"""The wheel: built from the checkout and from the sdist, installed alone, and played from."""

from __future__ import annotations

import gzip
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest

from tests.combat.server import Guest, sign_in
from tests.site.hosting.table import PATIENCE, ROOT, Table, make_environment, watch_table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("uv") is None, reason="uv builds and installs the wheel"),
]
SHORT = 500  # bytes of a file that its compressed form, with padding of random length, may exceed
PAGES = (
    "/", "/encounters/", "/encounters/1/", "/encounters/1/log/", "/encounters/1/share/",
    "/encounters/1/dice/?as=file", "/encounters/1/prep/", "/encounters/1/scene/", "/encounters/1/forecast/",
    "/characters/", "/characters/new/", "/gear/", "/campaigns/",
    "/help/hosting/", "/rules/", "/rules/about/", "/rules/cosmos/making-attacks/", "/accounts/me/",
    "/offline/",
)  # fmt: skip
STATIC = re.compile(r"""(?:"|'|&quot;)(/static/[^"'#?&\s]+)""")
IN_A_STYLE = re.compile(r"""url\(["']?([^"')#]+)""")


def run(*words: str | Path, where: Path) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(
        words,
        cwd=where,
        env=make_environment(PYTHONPATH=""),
        capture_output=True,
        text=True,
        timeout=PATIENCE * 3,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def build(target: Path, *options: str) -> Path:
    """The folder with what `uv build` made of the checkout, without the network."""
    offline = ("--offline", "--no-build-isolation", "--python", sys.executable)
    run("uv", "build", "--quiet", *offline, *options, "--out-dir", target, where=ROOT)
    return target


def find_wheel(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, and the wheel made from it."""
    return build(tmp_path_factory.mktemp("built"))


@dataclass
class Installed:
    """An environment that holds the wheel and what it needs, and nothing else."""

    folder: Path

    def run(self, *words: str | Path) -> str:
        """Run its command, far from any checkout."""
        return run(self.folder / "bin" / "cosmos-table", *words, where=self.folder.parent)

    def fail(self, *words: str | Path) -> str:
        """The sentence of its command, which must fail."""
        done = subprocess.run(
            [self.folder / "bin" / "cosmos-table", *words],
            cwd=self.folder.parent,
            env=make_environment(PYTHONPATH=""),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 1, done.stdout + done.stderr
        (line,) = done.stderr.strip().splitlines()
        return line

    def find_files(self) -> set[str]:
        """Its files, without what Python compiles."""
        paths = self.folder.rglob("*")
        return {str(path) for path in paths if path.is_file() and "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home = tmp_path_factory.mktemp("installed") / "Zoë Müller"
    home.mkdir()
    folder = home / "environment"
    run("uv", "venv", "--quiet", "--python", sys.executable, folder, where=home)
    pins = ("--constraint", ROOT / "requirements.txt", "--python", folder / "bin" / "python")
    run("uv", "pip", "install", "--quiet", *pins, find_wheel(built), where=home)
    return Installed(folder)


@pytest.fixture(scope="module")
def table(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    data = tmp_path_factory.mktemp("data") / "Zoë Müller"
    data.mkdir()
    command = [str(installed.folder / "bin" / "cosmos-table"), "--data", str(data), "--port", "0"]
    with watch_table(command, data, make_environment(PYTHONPATH="")) as running:
        yield running


def read_files(wheel: Path) -> dict[str, int]:
    """The files of a wheel with their checksums; its own list of them says the same."""
    with ZipFile(wheel) as archive:
        return {one.filename: one.CRC for one in archive.infolist() if not one.filename.endswith("/RECORD")}


def test_wheel_from_the_sdist_is_that_from_the_checkout(built: Path, tmp_path: Path) -> None:
    from_sdist = read_files(find_wheel(built))
    from_checkout = read_files(find_wheel(build(tmp_path, "--wheel")))
    assert from_sdist.keys() == from_checkout.keys()
    assert from_sdist == from_checkout


def test_wheel_is_complete(built: Path) -> None:
    names = set(read_files(find_wheel(built)))
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = listed.stdout.splitlines()
    ours = [name for name in tracked if name.startswith(("characters/", "combat/", "cosmos_site/"))]
    left_out = {
        name
        for name in ours
        if name.endswith(
            (".md", "/play_a_seat.py", "/commands/new_game.py", "/commands/rules.py", "/book/citations.py")
        )
    }
    left_out.remove("cosmos_site/HOSTING.md")
    left_out |= {name for name in ours if name.startswith("cosmos_site/hosting/")}
    beside = {f"cosmos_site/built/{name}" for name in tracked if name.startswith(("static/", "templates/"))}
    assert set(ours) - left_out | beside <= names
    assert not [name for name in names if re.search(r"(^|/)(tests|__pycache__)/|\.sqlite3|secret-key", name)]


def test_installed_table_shows_its_pages_and_all_their_files(table: Table, installed: Installed) -> None:
    before = installed.find_files()
    gm = sign_in(table.port, table.link)
    named: set[str] = set()
    for page in PAGES:
        assert gm.get(page) == 200, page
        named |= set(STATIC.findall(gm.page))
    assert "OPEN GAME LICENSE" in read_page(gm, "/rules/about/")
    assert "Ada attacks Bo" in read_page(gm, "/rules/cosmos/making-attacks/")
    assert "cosmos-table reset_access" in read_page(gm, "/accounts/password/reset/")
    assert len(named) > 20
    check_files(gm, named)
    check_compressed(table.port, named)
    assert installed.find_files() == before  # a program may lie in a folder that it cannot write to


def read_page(guest: Guest, path: str) -> str:
    assert guest.get(path) == 200, path
    return guest.page


def check_files(guest: Guest, named: set[str]) -> None:
    """Open these files, and those that their styles name."""
    seen: set[str] = set()
    while left := named - seen:
        for address in sorted(left):
            assert re.search(r"\.[0-9a-f]{12}\.\w+$", address), address
            assert guest.get(address) == 200, address
            found = IN_A_STYLE.findall(guest.page) if address.endswith(".css") else ()
            named |= {urljoin(address, one) for one in found if not one.startswith("data:")}
        seen |= left
    assert any(one.endswith(".woff2") for one in seen)


def check_compressed(port: int, named: set[str]) -> None:
    """Ask for each text as a browser does."""
    for address in sorted(one for one in named if one.endswith((".css", ".js"))):
        asked = Request(f"http://127.0.0.1:{port}{address}", headers={"Accept-Encoding": "gzip, br"})
        with urlopen(asked, timeout=PATIENCE) as answer:
            assert answer.headers["Content-Encoding"] == "gzip", address
            assert answer.headers["Vary"] == "Accept-Encoding", address
            packed = answer.read()
        plain = gzip.decompress(packed)
        assert len(packed) < len(plain) or len(plain) < SHORT, address


def test_installed_table_is_backed_up_and_restored(
    table: Table, installed: Installed, tmp_path: Path
) -> None:
    data = re.search(r"^Data: (.+)$", table.said, re.MULTILINE)
    assert data
    backup, other = tmp_path / "backup.gz", tmp_path / "other"
    installed.run("backup", backup, "--data", data[1])
    installed.run("restore", backup, "--data", other)
    counts = [count_encounters(Path(folder)) for folder in (data[1], other)]
    assert counts[0] == counts[1] > 0


def test_installed_table_that_cannot_open_says_why(
    table: Table, installed: Installed, tmp_path: Path
) -> None:
    taken = installed.fail("--data", tmp_path, "--port", str(table.port))
    assert (
        taken
        == f"CommandError: Port {table.port} is already in use here. Choose another: --port {table.port + 1}"
    )
    data = re.search(r"^Data: (.+)$", table.said, re.MULTILINE)
    assert data
    assert "A table runs with the data in" in installed.fail("--data", data[1], "--port", "0")
    (tmp_path / "file").touch()
    assert "cannot be the data directory: Not a directory." in installed.fail(
        "--data", tmp_path / "file" / "x"
    )


def count_encounters(data: Path) -> int:
    with closing(sqlite3.connect(data / "table.sqlite3")) as base:
        found: int = base.execute("SELECT count(*) FROM combat_encounter").fetchone()[0]
    return found


def test_installed_command_says_its_version(installed: Installed, built: Path) -> None:
    version = find_wheel(built).name.split("-")[1]
    assert installed.run("--version") == f"cosmos-table {version}\n"
