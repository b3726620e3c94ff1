"""What is in a release: its dependencies as they are installed here, with their licenses, as CycloneDX."""

import hashlib
import json
import re
import runpy
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
# Where a package tells its license in free text only, as its files say it.
BY_HAND = {
    "async-timeout": "Apache-2.0",
    "axe-playwright-python": "MIT",
    "defusedxml": "PSF-2.0",
    "django-csp": "BSD-3-Clause",
    "django-template-partials": "MIT",
    "django-zeal": "MIT",
    "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
    "grimp": "BSD-2-Clause",
    "import-linter": "BSD-2-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "pathspec": "MPL-2.0",
    "pytest-django": "BSD-3-Clause",
    "pytest-playwright": "Apache-2.0",
    "qrcode": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
    "sortedcontainers": "Apache-2.0",
    "sqlparse": "BSD-3-Clause",
    "text-unidecode": "Artistic-1.0 OR GPL-1.0-or-later",
    "trove-classifiers": "Apache-2.0",
    "uvloop": "MIT OR Apache-2.0",
}
PLAIN = re.compile(r"[\w.+-]+( (AND|OR) [\w.+-]+)*")
# What lies in the wheel itself: the typefaces, and what pages load of django-htmx.
FACES: dict[str, str] = runpy.run_path(str(ROOT / ".ci" / "fonts"))["FACES"]
HTMX = "django_htmx/static/django_htmx/htmx-2.min.js"
HTMX_VERSION = re.compile(r'version:"([\d.]+)"')


def read_license(found: Distribution) -> str:
    """The license of an installed package as an SPDX expression; empty if nothing tells one."""
    told = found.metadata.get("License-Expression") or BY_HAND.get(canonicalize_name(found.name))
    told = told or found.metadata.get("License") or ""
    return told if PLAIN.fullmatch(told) else ""


def find_needed(wanted: Iterable[str]) -> dict[str, Distribution]:
    """The installed packages that these requirements need here, with all that those need, by name."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    left = [(Requirement(one), "") for one in wanted]
    while left:
        asked, extra = left.pop()
        if asked.marker and not asked.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(asked.name)
        found[name] = distribution(name)
        for own in ("", *asked.extras):
            if (name, own) not in seen:
                seen.add((name, own))
                left += [(Requirement(more), own) for more in found[name].requires or ()]
    return found


def find_pinned() -> dict[str, Distribution]:
    """All pinned packages that are installed here: other kinds of machine need a few more."""
    found: dict[str, Distribution] = {}
    for line in (ROOT / "requirements-dev.txt").read_text("utf-8").splitlines():
        name = re.match(r"[\w.-]+(?===)", line)
        try:
            if name:
                found[name[0]] = distribution(name[0])
        except PackageNotFoundError:
            continue
    return found


def read_project() -> dict[str, object]:
    """What pyproject.toml says of the project."""
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def find_inside() -> list[tuple[PackageURL, str]]:
    """The packages of npm that lie in the wheel, with their licenses."""
    found = HTMX_VERSION.search(Path(str(distribution("django-htmx").locate_file(HTMX))).read_text("utf-8"))
    if not found:
        raise ValueError(f"{HTMX} does not tell its version.")
    faces = [
        (PackageURL("npm", "@fontsource-variable", name, version), "OFL-1.1")
        for name, version in FACES.items()
    ]
    return [*faces, (PackageURL("npm", name="htmx.org", version=found[1]), "0BSD")]


def write_bill(wheel: Path, target: Path) -> None:
    """Write what a wheel holds and needs to a file, as CycloneDX."""
    project, licenses = read_project(), LicenseFactory()

    def describe(package: PackageURL, license_words: str) -> Component:
        """A package of a registry."""
        return Component(
            type=ComponentType.LIBRARY,
            name=package.name,
            version=package.version,
            licenses=[licenses.make_from_string(license_words)],
            purl=package,
            bom_ref=package.name,
        )

    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    bom = Bom()
    own = Component(
        type=ComponentType.APPLICATION,
        name=str(project["name"]),
        version=str(project["version"]),
        licenses=[licenses.make_from_string(str(project["license"]))],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        bom_ref=wheel.name,
    )
    inside = [describe(package, words) for package, words in find_inside()]
    needed = find_needed(map(str, project["dependencies"]))  # type: ignore[call-overload]  # a list of words
    outside = [
        describe(PackageURL("pypi", name=name, version=one.version), read_license(one))
        for name, one in sorted(needed.items())
    ]
    bom.metadata.component = own
    bom.components.update([*inside, *outside])
    bom.register_dependency(own, [*inside, *outside])
    text = JsonV1Dot6(bom).output_as_string()
    target.write_text(json.dumps(json.loads(text), indent=1) + "\n", "utf-8")
