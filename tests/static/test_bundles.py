"""The bundles: made from all their sources in order, fresh after an edit, and few on each page."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Route, expect
from pytest_django.live_server_helper import LiveServer

from cosmos_site.bundles import finder
from cosmos_site.bundles.finder import BUNDLES, LICENSES

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"""static ['"]((?:bundles|css|js)/[\w./-]+)['"]""")
ADDRESS = re.compile(r"""url\(["']?(?!data:|#)([^"')]+)""")
MOST = 2  # of its own that a page asks for, of either kind


def read_named() -> dict[str, list[str]]:
    """By template: the scripts and styles that it asks for."""
    pages = (ROOT / "templates").rglob("*.html")
    found = {
        path.relative_to(ROOT / "templates").as_posix(): NAMED.findall(path.read_text("utf-8"))
        for path in pages
    }
    return {page: names for page, names in found.items() if names}


@pytest.mark.parametrize("name", BUNDLES)
def test_bundle_holds_its_sources_in_order(name: str) -> None:
    text = Path(str(finders.find(name))).read_text("utf-8")
    assert re.findall(r"^/\* (\S+\.(?:css|js)) \*/$", text, re.MULTILINE) == list(BUNDLES[name])
    assert all(finder.read_source(one) in text for one in BUNDLES[name] if one.endswith(".js"))


@pytest.mark.parametrize("name", [name for name in BUNDLES if name.endswith(".css")])
def test_addresses_of_a_style_lead_to_files(name: str) -> None:
    addresses = ADDRESS.findall(finder.make_bundle(name))
    for address in addresses:
        assert address.startswith("../")
        assert finders.find(address.removeprefix("../")), address
    assert addresses or name != "bundles/site.css"


def test_style_in_a_bundle_finds_its_pictures() -> None:
    style = ".a { color: red }\n.b { fill: url(#c); mask: url('../img/d.svg') }\n"
    made = finder.prepare_style("css/page/one.css", style)
    assert made == ".a { color: red }\n.b { fill: url(#c); mask: url('../css/img/d.svg') }\n"


def test_script_in_a_bundle_is_as_it_is_written() -> None:
    """A text of several lines keeps them; a last line that is a comment ends before what follows."""
    script = "(() => {\n  go(`one\n  two`);\n})()\n// the end"
    made = finder.prepare_script("js/one.js", script)
    assert made == f"try {{\n{script}\n}} catch (error) {{ reportError(error) }}\n"


@pytest.mark.slow
@pytest.mark.django_db
def test_script_that_fails_is_reported_and_stops_no_other(live_server: LiveServer, browser: Browser) -> None:
    def break_keys(route: Route) -> None:
        answer = route.fetch()
        mark = "/* js/page/keys.js */\ntry {"
        assert mark in answer.text()
        route.fulfill(
            response=answer, body=answer.text().replace(mark, f"{mark}\nthrow new Error('no keys');")
        )

    failed: list[str] = []
    page = browser.new_page()  # in those of the fixture, an error fails the test
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.route("**/bundles/site.js", break_keys)
    page.goto(f"{live_server.url}/rules/")
    expect(page.locator("html")).to_have_class(re.compile(r"\bjs\b"))  # swaps.js has started, behind keys.js
    page.close()
    assert failed == ["no keys"]


def test_edit_shows_at_the_next_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(finder, "find_folder", lambda: tmp_path)
    texts = dict.fromkeys(BUNDLES["bundles/branch.css"], ".old { color: red }\n")
    monkeypatch.setattr(finder, "read_source", texts.__getitem__)
    made = Path(str(finders.find("bundles/branch.css")))
    assert ".new" not in made.read_text()
    texts["css/whatif.css"] = ".new { color: red }\n"
    assert finders.find("bundles/branch.css") == str(made)
    assert made.read_text().endswith(".new { color: red }\n")


def test_missing_source_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="js/nothing"):
        finder.read_source("js/nothing.js")


def test_collecting_finds_every_bundle() -> None:
    listed = {name for name, _ in finder.BundleFinder().list(None)}
    assert listed == {*BUNDLES, LICENSES}
    assert finders.find("bundles/nothing.js") is None


def test_pages_ask_for_few_files_and_for_every_bundle() -> None:
    named = read_named()
    for page, names in named.items():
        for kind in (".css", ".js"):
            asked = [name for name in names if name.endswith(kind) and name not in named["base.html"]]
            assert len(asked) <= MOST, (page, asked)
    assert set(BUNDLES) <= {name for names in named.values() for name in names}


def test_every_style_is_loaded_by_a_page() -> None:
    """Beside a bundle that lacks it, a style does nothing and nothing fails."""
    asked = {one for names in read_named().values() for name in names for one in BUNDLES.get(name, (name,))}
    styles = {
        f"css/{path.relative_to(ROOT / 'static/css').as_posix()}" for path in ROOT.glob("static/css/**/*.css")
    }
    assert styles <= asked


@pytest.mark.slow
def test_no_page_loads_a_source_twice() -> None:
    for page, names in read_named().items():
        all_names = {*names, *read_named()["base.html"]} if page != "offline.html" else set(names)
        for one, other in combinations(sorted(all_names), 2):
            assert not set(BUNDLES.get(one, (one,))) & set(BUNDLES.get(other, (other,))), (page, one, other)


def test_full_disk_leaves_no_half_of_a_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(finder, "find_folder", lambda: tmp_path)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        finder.write_bundle("bundles/site.css")
    assert list((tmp_path / "bundles").iterdir()) == []
