"""The map of the scripts: it names each of them, where it is loaded, and its events."""

from __future__ import annotations

import re
from pathlib import Path

from cosmos_site.bundles.finder import BUNDLES

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
ROW = re.compile(r"^\| `([\w./-]+\.js)` \| (.+?) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)
QUOTED = re.compile(r"`([^`]+)`")
LOADED = re.compile(r"""static ['"]js/([\w./-]+)['"]""")
EVENT = re.compile(r'"((?:htmx|sse|map|stream|table|seals):[A-Za-z]+)"')
MOST = 130  # columns of a head


def name_of(script: Path) -> str:
    return script.relative_to(ROOT / "static" / "js").as_posix()


def read_map() -> dict[str, tuple[set[str], set[str]]]:
    """By script: what loads it, and its events."""
    rows = ROW.findall((ROOT / ".github" / "SCRIPTS.md").read_text("utf-8"))
    return {name: (set(QUOTED.findall(by)), set(QUOTED.findall(events))) for name, by, _for, events in rows}


def find_loading() -> dict[str, set[str]]:
    """By script: the bundles that hold it, and the templates that load it themselves."""
    found: dict[str, set[str]] = {}
    for bundle, sources in BUNDLES.items():
        for name in sources:
            if name.startswith("js/"):
                found.setdefault(name.removeprefix("js/"), set()).add(bundle)
    for page in (ROOT / "templates").rglob("*.html"):
        for name in LOADED.findall(page.read_text("utf-8")):
            found.setdefault(name, set()).add(page.relative_to(ROOT / "templates").as_posix())
    return found


def test_map_names_every_script_and_no_other() -> None:
    assert len(SCRIPTS) > 20
    assert sorted(read_map()) == sorted(map(name_of, SCRIPTS))


def test_map_names_the_bundles_and_templates_that_load_a_script() -> None:
    assert {name: by for name, (by, _events) in read_map().items()} == find_loading()


def test_map_names_the_events_of_each_script() -> None:
    used = {name_of(script): set(EVENT.findall(script.read_text("utf-8"))) for script in SCRIPTS}
    assert {name: events for name, (_by, events) in read_map().items()} == used


def test_each_script_begins_with_one_line_about_it() -> None:
    for script in SCRIPTS:
        first, second, *_rest = script.read_text("utf-8").splitlines()
        name = name_of(script)
        assert re.fullmatch(r"// [A-Z].+[.:]", first), f"{name}: line 1 says in a sentence what it does"
        assert second in {"//", "(() => {"}, f"{name}: a second paragraph, or the code"
        assert len(first) <= MOST, name
