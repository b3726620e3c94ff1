"""The bundles: which sources make each file that pages ask for, in this order.

A page asks for `site`, and for one bundle of its own where it needs several sources that few other pages
need; other sources are asked for by themselves. Scripts are deferred, so `site.js` runs before the others.
This module imports nothing: the build of the wheel reads it as well.
"""

FOLDER = "bundles"
STYLES = {
    "site": (
        "page/cosmos",
        "page/table",
        "page/layout",
        "page/results",
        "page/overlays",
        "book",
        "map",
        "table/decks",
        "front",
    ),
    "table": (
        "table/phone",
        "page/road",
        "page/board",
        "prep",
        "live",
        "sharing/join",
        "table/map-first",
        "table/end",
        "table/window",
        "charts",
    ),
    "prep": ("prep", "desk", "sharing/share"),
    "own": ("characters", "live", "characters/sheet"),
    "watch": ("watch", "table/moments"),
    "branch": ("table/phone", "page/board", "whatif"),
}
SCRIPTS = {
    "site": (
        "page/keys", "page/fields", "page/controls", "page/live", "page/press", "page/swaps",
        "page/results", "page/calls",
        "page/cards", "page/rules", "page/find", "page/times", "page/pictures", "device/worker",
    ),
    "table": (
        "table/timer", "table/order", "table/handouts", "device/awake", "table/regions", "table/swipe",
        "table/ask", "table/ways", "table/places", "table/source", "table/hints", "table/drawer",
        "table/aim",
        "map/map", "map/ping", "map/pen", "map/ruler", "map/move", "map/lines", "map/area",
        "map/tap", "map/window", "map/phone", "map/decks",
    ),
    "share": ("table/ways", "table/places", "table/source"),
    "watch": ("table/moments", "table/nav"),
    "branch": ("map/ruler", "map/move", "map/tap", "map/decks"),
    "draw": ("map/draw", "map/decks"),
    "prep": ("table/order", "map/ruler", "map/put", "map/desk", "map/decks"),
}  # fmt: skip
# The library that comes before the scripts of a bundle
STREAMS = "django_htmx/ext/hx-sse-2.min.js"
BEFORE = {"site": "django_htmx/htmx-2.min.js", "table": STREAMS, "share": STREAMS}


def list_bundles() -> dict[str, tuple[str, ...]]:
    """By the name of a bundle: the names of its sources, in order, as static files."""
    styles = {
        f"{FOLDER}/{name}.css": tuple(f"css/{one}.css" for one in made) for name, made in STYLES.items()
    }
    scripts = {
        f"{FOLDER}/{name}.js": (*filter(None, [BEFORE.get(name)]), *(f"js/{one}.js" for one in made))
        for name, made in SCRIPTS.items()
    }
    return styles | scripts


BUNDLES = list_bundles()
