"""The site as an app on a phone: its manifest, and the worker with the page for when it cannot be reached."""

from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from combat.rules.core.basics.release import RELEASE

NAME = "Cosmos Table"
BACKGROUND, BAR = "#0a1015", "#111a21"  # --bg and --panel of the dark theme
# What the page without a connection is made of, apart from itself
OFFLINE_FILES = (
    "bundles/site.css",
    "js/page/theme.js",
    "js/device/offline.js",
    "icon.svg",
)


@require_safe
def show_manifest(request: HttpRequest) -> JsonResponse:
    """What a phone needs to put the site on its home screen; it starts at this browser's seat."""
    manifest: dict[str, Any] = {
        "id": reverse("home"),
        "name": NAME,
        "short_name": NAME,
        "description": "Science-fiction fights at your game table.",
        "lang": settings.LANGUAGE_CODE,
        "start_url": reverse("my_seat"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": BACKGROUND,
        "theme_color": BAR,
        "icons": [make_icon(purpose, side) for purpose in ("any", "maskable") for side in (192, 512)],
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


def make_icon(purpose: str, side: int) -> dict[str, str]:
    """The entry of an icon; `side` is in pixels, and the icon is square."""
    source = static(f"icons/{purpose}-{side}.png")
    return {"src": source, "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}


@require_safe
def show_offline(request: HttpRequest) -> HttpResponse:
    """The page that a browser keeps. It is the same for everyone, and made without the database."""
    return HttpResponse(make_offline_page())


def make_offline_page() -> str:
    """The page without a connection, as HTML."""
    return render_to_string("offline.html")


@require_safe
def show_worker(request: HttpRequest) -> HttpResponse:
    """The worker; where COSMOS_WORKER is 0, one that removes itself and what it kept.

    Browsers compare it byte by byte with theirs, so it changes with the page it keeps.
    """
    files = [reverse("offline"), *map(static, OFFLINE_FILES)]
    digest = sha256(" ".join([make_offline_page(), *files]).encode()).hexdigest()[:12]
    ours = f"offline{settings.COSMOS_PATH}-"
    name = "worker.js" if settings.COSMOS_WORKER else "no_worker.js"
    script = render_to_string(f"worker/{name}", {"files": files, "ours": ours, "digest": digest})
    answer = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache, no-store"
    return answer


def tell_worker(request: HttpRequest) -> dict[str, str]:
    """For every page: whether its scripts install the worker or remove it; the release, for its foot."""
    return {"worker": "on" if settings.COSMOS_WORKER else "off", "release": RELEASE}
