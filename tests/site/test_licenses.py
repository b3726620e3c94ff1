"""The license of each dependency is known, and allows its use; the list of a release tells it."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import AppDirectoriesFinder
from license_expression import get_spdx_licensing

from cosmos_site.bundles.finder import BUNDLES, LICENSES, OTHERS

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


def test_license_listed_by_hand_is_of_a_package_in_use(bill: ModuleType) -> None:
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


# ---- What pages load of others ----

LICENSE_NAMES = {"MIT": "MIT License", "0BSD": "Zero-Clause BSD License (0BSD)"}


def find_others() -> set[str]:
    """The static files that are not ours: those of packages, alone or in a bundle."""
    own = {
        file.relative_to(ROOT / "static").as_posix()
        for file in (ROOT / "static").rglob("*")
        if file.is_file()
    }
    bundled = {source for sources in BUNDLES.values() for source in sources} - own
    return bundled | {name for name, _ in AppDirectoriesFinder().list([])}


def test_every_script_of_others_is_named_with_its_license() -> None:
    """A package that brings one more file, or a bundle that takes one in, has to name it."""
    found = {name: next((place for place in OTHERS if name.startswith(place)), "") for name in find_others()}
    assert {name for name, place in found.items() if not place} == set()
    assert {*found.values()} == OTHERS.keys()
    notice = (ROOT / "NOTICE").read_text("utf-8").partition("\nScripts\n")[2].partition("\n\n")[0]
    named = {line.strip().partition(", ")[0]: line for line in notice.splitlines()}
    named["htmx"] = named.pop("htmx and its extensions")
    for name, license_ in set(OTHERS.values()):
        assert f"under the {LICENSE_NAMES[license_]}." in named[name], name
    assert len(named) == len(set(OTHERS.values())) + 2  # what stands before and after them


def test_texts_of_their_licenses_lie_beside_them() -> None:
    """Each copyright notice, and the permission that the MIT License asks to pass on."""
    text = Path(str(finders.find(LICENSES))).read_text("utf-8")
    notice = (ROOT / "NOTICE").read_text("utf-8").partition("\nScripts\n")[2].partition("\n\n")[0]
    holders = re.findall(r"Copyright \(c\) .+?(?=,? under)", notice)
    assert len(holders) == 3
    for holder in holders:
        start = text.index(holder.removesuffix(","))
        after = " ".join(text[start:].split())[:1500]
        assert "Permission is hereby granted, free of charge" in after
        assert "THE SOFTWARE IS PROVIDED" in after
    _, _, of_htmx = text.partition("(0BSD).")
    assert of_htmx.strip().startswith(
        "Permission to use, copy, modify, and/or distribute this software for any purpose"
    )


def test_wheel_holds_no_guide_for_developers() -> None:
    """Folders that the wheel takes whole have none."""
    assert not [path for folder in ("static", "templates") for path in (ROOT / folder).rglob("*.md")]


def test_wheel_holds_no_script_of_others() -> None:
    """The installed packages bring them; what the wheel itself holds of others are the typefaces."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    inside = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert set(inside) == {"cosmos_site/HOSTING.md", "static", "templates"}
    assert not [name for name in find_others() if (ROOT / "static" / name).exists()]
