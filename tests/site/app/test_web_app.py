"""What makes the site an app on a phone: manifest, icons, colors, and the worker as text."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image
from pytest_django import Settings

from cosmos_site import web_app

STYLE = (Path(__file__).parents[3] / "static/css/page/cosmos.css").read_text("utf-8")
COLORS = re.compile(r"--bg: (#\w+);\s+--panel: (#\w+)")
SAFE = 0.4  # of the side: the radius of what no mask of a phone cuts off


def read_icon(address: str) -> Image.Image:
    found = finders.find(address.removeprefix("/static/"))
    assert isinstance(found, str), address
    return Image.open(BytesIO(Path(found).read_bytes()))


@pytest.fixture
def manifest(client: Client) -> dict[str, object]:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    assert not answer.cookies
    found: dict[str, object] = answer.json()
    return found


def test_manifest_starts_an_app_of_its_own_at_the_seat(manifest: dict[str, object]) -> None:
    wanted = {"name": "Cosmos Table", "start_url": "/seat/", "scope": "/", "id": "/", "display": "standalone"}
    assert manifest.items() >= wanted.items()


def test_icons_of_the_manifest_have_their_sizes(manifest: dict[str, object]) -> None:
    icons = manifest["icons"]
    assert isinstance(icons, list)
    assert {(icon["purpose"], icon["sizes"]) for icon in icons} == {
        (purpose, size) for purpose in ("any", "maskable") for size in ("192x192", "512x512")
    }
    for icon in icons:
        image = read_icon(icon["src"])
        assert (image.format, f"{image.width}x{image.height}") == ("PNG", icon["sizes"])


@pytest.mark.parametrize("name", ["maskable-192", "maskable-512", "apple-180"])
def test_icon_without_edges_is_opaque_and_keeps_its_sign_inside(name: str) -> None:
    image = read_icon(f"/static/icons/{name}.png").convert("RGBA")
    plate, middle = image.getpixel((0, 0)), image.width / 2
    drawn = [
        (x, y)
        for x in range(image.width)
        for y in range(image.height)
        if image.getpixel((x, y)) != plate
    ]  # fmt: skip
    assert image.getchannel("A").getextrema() == (255, 255)
    assert drawn
    if name.startswith("maskable"):
        farthest = max((x - middle) ** 2 + (y - middle) ** 2 for x, y in drawn) ** 0.5
        assert farthest <= SAFE * image.width


def test_colors_are_those_of_the_style(client: Client, db: None) -> None:
    dark, light = COLORS.findall(STYLE)[:2]
    assert dark == (web_app.BACKGROUND, web_app.BAR)
    page = client.get("/accounts/login/").content.decode()
    bars = re.findall(r'theme-color" content="(#\w+)" media="\(prefers-color-scheme: (\w+)\)', page)
    assert bars == [(dark[1], "dark"), (light[1], "light")]


def test_every_page_names_manifest_and_icon(client: Client, db: None) -> None:
    page = client.get("/accounts/login/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    (icon,) = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
    assert read_icon(icon).size == (180, 180)


def test_worker_is_never_cached_and_may_see_the_whole_site(client: Client) -> None:
    answer = client.get("/worker.js")
    assert "no-cache" in answer["Cache-Control"]
    assert answer["Content-Type"].startswith("text/javascript")
    assert not answer.cookies
    files = re.findall(r'"(/[^"]*)"', answer.content.decode())
    assert files[0] == "/offline/"
    assert all(file.startswith("/static/") for file in files[1:])


def test_page_without_a_connection_is_the_same_for_everyone(gm_client: Client) -> None:
    pages = {client.get("/offline/").content for client in (gm_client, Client())}
    assert len(pages) == 1
    (page,) = pages
    assert b"csrf" not in page.lower()
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.decode())
    kept = find_kept(gm_client)
    assert set(named) <= kept, "the worker keeps all that the page needs"


def find_kept(client: Client) -> set[str]:
    return set(re.findall(r'"(/[^"]*)"', client.get("/worker.js").content.decode()))


def test_worker_changes_with_the_page_it_keeps(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    before = client.get("/worker.js").content
    assert client.get("/worker.js").content == before
    monkeypatch.setattr(web_app, "make_offline_page", lambda: "another page")
    assert client.get("/worker.js").content != before


def test_pages_say_whether_there_is_a_worker(client: Client, db: None, settings: Settings) -> None:
    assert b'data-worker="on"' in client.get("/accounts/login/").content
    settings.COSMOS_WORKER = False
    assert b'data-worker="off"' in client.get("/accounts/login/").content
    script = client.get("/worker.js").content.decode()
    assert "unregister" in script
    assert "fetch" not in script
