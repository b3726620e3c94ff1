"""The license of each dependency is known, and allows its use; the list of a release tells it."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from license_expression import get_spdx_licensing

ROOT = Path(__file__).resolve().parents[2]
# Players and hosts get these. Their licenses want a notice, or that they can be replaced (LGPL, MPL).
FREE = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "LGPL-3.0-only", "MIT", "MIT-0", "MIT-CMU",
    "MPL-2.0", "OFL-1.1", "PSF-2.0",
}  # fmt: skip
# Only for checks: nothing of them is passed on.
FOR_CHECKS = FREE | {"Artistic-1.0", "CNRI-Python", "GPL-1.0-or-later", "GPL-3.0-or-later"}


@pytest.fixture(scope="module")
def bill() -> ModuleType:
    """`.ci/bill.py`."""
    spec = spec_from_file_location("bill", ROOT / ".ci" / "bill.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find_names(words: str) -> set[str]:
    """The licenses of an SPDX expression."""
    return {str(key) for key in get_spdx_licensing().license_keys(words)} if words else {"none that is known"}


@pytest.mark.slow
def test_every_license_is_known_and_allows_its_use(bill: ModuleType) -> None:
    hosted = re.findall(r"^[\w.-]+(?===)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    found = {name: find_names(bill.read_license(one)) for name, one in bill.find_pinned().items()}
    assert len(found) > 100
    wrong = {
        name: names - (FREE if name in hosted else FOR_CHECKS)
        for name, names in found.items()
        if not names <= (FREE if name in hosted else FOR_CHECKS)
    }
    assert wrong == {}
    needed = bill.find_needed(bill.read_project()["dependencies"])
    assert needed.keys() <= set(hosted)


def test_license_that_is_told_by_hand_is_of_a_package_that_is_used(bill: ModuleType) -> None:
    unused = bill.BY_HAND.keys() - bill.find_pinned().keys()
    assert unused <= ({"async-timeout"} if sys.version_info >= (3, 11, 3) else set())


def test_list_of_a_release_has_its_parts_and_their_licenses(bill: ModuleType, tmp_path: Path) -> None:
    wheel, target = tmp_path / "cosmos_table-9-py3-none-any.whl", tmp_path / "list.json"
    wheel.write_bytes(b"a wheel")
    bill.write_bill(wheel, target)
    told = json.loads(target.read_text("utf-8"))
    assert told["bomFormat"] == "CycloneDX"
    own = told["metadata"]["component"]
    assert own["hashes"][0]["content"] == hashlib.sha256(b"a wheel").hexdigest()
    parts = {part["name"]: part for part in told["components"]}
    assert {"django", "uvicorn", "pillow", "htmx.org", "oxanium"} <= parts.keys()
    assert not {"pytest", "psycopg"} & parts.keys()
    assert all(part["licenses"] and part["version"] in part["purl"] for part in parts.values())
    assert "://" not in re.sub(r'"\$schema": "[^"]+"', "", target.read_text("utf-8"))
