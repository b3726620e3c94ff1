"""A table that was made by any release opens in this one: nothing is lost, and its fights verify."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest

from combat.rules.core.basics.release import RELEASE
from tests.combat.releases.__main__ import FOLDER, MAX_BYTES
from tests.combat.server import Guest, sign_in
from tests.site.hosting.table import copy_static_files, open_table

ARCHIVES = sorted(FOLDER.glob("*.tar.xz"))
TABLE = re.compile(r'href="/encounters/(\d+)/(?:prep/)?"')


def test_this_release_keeps_a_small_data_directory() -> None:
    """`python -m tests.combat.releases` makes it."""
    assert f"{RELEASE}.tar.xz" in {file.name for file in ARCHIVES}
    assert all(file.stat().st_size <= MAX_BYTES for file in ARCHIVES)


def read(gm: Guest, address: str) -> str:
    """A page that opens."""
    assert gm.get(address) == 200, f"{address}: {gm.page[:500]}"
    return gm.page


@pytest.mark.slow
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda file: file.name)
def test_data_of_a_release_opens_in_this_one(archive: Path, tmp_path: Path) -> None:
    """If the tables changed before the first release: `python -m tests.combat.releases`."""
    with tarfile.open(archive) as packed:
        # The first releases of Python 3.11, as in Debian 12, know no filter.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(tmp_path)
    copy_static_files(tmp_path)
    with open_table(tmp_path, "--no-demo") as table:
        gm = sign_in(table.port, table.link)
        numbers = sorted(set(map(int, TABLE.findall(read(gm, "/encounters/")))))
        assert len(numbers) >= 4
        assert "Zoë" in read(gm, "/characters/")
        assert "The long way" in read(gm, "/campaigns/")
        assert all(word in read(gm, "/campaigns/1/") for word in ("Zoë", "A letter"))
        for number in numbers:
            read(gm, f"/encounters/{number}/")
            page = read(gm, f"/encounters/{number}/log/?verify")
            assert "Verified" in page or "Not verified here" in page
        assert "Verified" in read(gm, "/encounters/1/log/?verify") or not archive.name.startswith(RELEASE)
