"""Opening pages in windows, and what was measured there."""

from __future__ import annotations

import io
import math
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import BrowserContext, CDPSession, Page

from tests.browser import find_overflow, skip_hints
from tests.tools.layout.known import KNOWN
from tests.tools.layout.pages import Look, Place, World
from tests.tools.layout.system import find_strays

MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8")
CHOOSE = "(chosen) => Object.assign(localStorage, chosen)"
SMALL = Look(320, 700, "light")
# Where words are longest beside their lines; paper is A4 within its margins
NARROWEST: tuple[tuple[Look, Literal["screen", "print"]], ...] = (
    (SMALL, "screen"),
    (Look(390, 844, "light"), "screen"),
    (Look(718, 1000, "light"), "print"),
)
LARGE, USUAL = 32, 16  # pixels of a letter: twice as large as most people have them, and those
PHONE = Look(360, 740, "light")  # of someone who has large letters
SHOWN_WHOLE = ("", "map")  # as pages are opened; a form that opens in one is as wide
# What a page begins by itself is drawn: nothing is asked for, no forecast runs, and frames have passed
SETTLED = """() => new Promise((settled) => {
  const frames = (left) => left ? requestAnimationFrame(() => frames(left - 1)) : settled();
  const isBusy = () => document.querySelector(".htmx-request, #job[hx-trigger]");
  const look = () => isBusy() ? setTimeout(look, 20) : document.fonts.ready.then(() => frames(3));
  look();
})"""
# Forced colors paint no backgrounds: what is chosen must differ in another way from its neighbors
CHOSEN = """() => {
  const chosen = "[aria-current]:not(.crumbs *), [aria-pressed=true], [aria-selected=true], :checked + label";
  const looks = (e) => ["", "::before", "::after"].map((part) => {
    const style = getComputedStyle(e, part || null);
    const names = ["color", "borderColor", "borderWidth", "outlineStyle", "textDecoration", "fontWeight"];
    return names.map((name) => style[name]).join();
  }).join();
  const isSeen = (e) => e.checkVisibility() && e.getClientRects().length;
  const rest = (e) => [...document.getElementsByTagName(e.tagName)].find((other) =>
    other !== e && !other.matches(chosen) && other.className === e.className && isSeen(other) &&
    other.parentElement.parentElement.contains(e));
  return [...document.querySelectorAll(chosen)].filter(isSeen)
    .filter((e) => rest(e) && looks(e) === looks(rest(e)))
    .map((e) => [e.textContent.trim().slice(0, 40), `${e.tagName.toLowerCase()}.${e.className}`]);
}"""


@dataclass(frozen=True)
class Finding:
    """What is wrong, in which windows of a page."""

    page: str
    kind: str
    words: str
    place: str
    look: str

    def __str__(self) -> str:
        return f"{self.page}, {self.look}: {self.kind}: {self.words} in {self.place}"

    @property
    def reason(self) -> str:
        """Why it may stay, or nothing."""
        return next(
            (why for kind, part, why in KNOWN if kind == self.kind and part in f"{self.place} {self.words}"),
            "",
        )


def enter(context: BrowserContext, base: str, world: World, who: str) -> None:
    """Give a browser that shows no page of ours the session of a person."""
    context.clear_cookies()
    skip_hints(context)
    if session := world.browsers[who].cookies.get("sessionid"):
        context.add_cookies([{"name": "sessionid", "value": session.value, "url": base}])


def open_place(page: Page, base: str, world: World, place: Place, font: str) -> None:
    """Open a page as the person has arranged it.

    The page before is left first: once its person changes it may lead elsewhere, which would abort this.
    """
    page.goto(f"{base}/healthz")
    enter(page.context, base, world, place.who)
    page.evaluate(CHOOSE, {"arrange": "map" if place.how == "map" else "numbers", "font": font or "table"})
    page.goto(base + place.address)
    if place.how not in ("", "map"):
        page.locator(place.how).first.click()
        page.locator("form.action-form").wait_for()
        page.mouse.move(0, 0)  # whatever it rests on shows its card
    page.evaluate("document.getElementById('banner')?.remove()")  # these servers have no live stream


def measure(page: Page, place: Place, look: Look) -> Iterator[Finding]:
    """What is wrong with an open page in a window."""
    page.set_viewport_size(look.size)
    page.emulate_media(
        color_scheme="light" if look.theme == "light" else "dark",
        forced_colors="active" if look.is_forced else "none",
        reduced_motion="reduce",
    )
    page.evaluate(SETTLED)
    for kind, words, where in page.evaluate(
        MEASURE, [look.least, 20 if look.is_wall and "watch" in place.who else 12, False]
    ):
        yield Finding(place.name, kind, words, where, str(look))
    for kind, words, where in () if look.is_forced or look.is_wall else find_strays(page, look.width):
        yield Finding(place.name, kind, words, where, str(look))
    if look.is_forced:  # whose contrast is the system's
        for words, where in page.evaluate(CHOSEN):
            yield Finding(place.name, "chosen", words, where, str(look))
        return
    for kind, words, where in prove_contrast(page):
        yield Finding(place.name, kind, words, where, str(look))


def find_cut_words(page: Page, place: Place) -> Iterator[Finding]:
    """The words of an open page that the narrowest phones, or paper, cut in two; what is wider than those."""
    for look, media in NARROWEST:
        page.set_viewport_size(look.size)
        page.emulate_media(media=media, color_scheme="light", forced_colors="none")
        page.evaluate(SETTLED)
        if look is SMALL and place.how in SHOWN_WHOLE:
            yield from find_wide(page, place, "usual letters", SMALL)
        for kind, words, where in page.evaluate(MEASURE, [0, 0, True]):
            yield Finding(place.name, kind, words, where, "paper" if media == "print" else str(look))
    page.emulate_media(media="screen")


def find_wide(page: Page, place: Place, letters: str, look: Look) -> Iterator[Finding]:
    """What makes an open page wider than its window."""
    for part in find_overflow(page):
        yield Finding(place.name, "wide", part, letters, str(look))


def find_wide_letters(page: Page, place: Place) -> Iterator[Finding]:
    """What makes an open page wider than a phone where letters are twice as large."""
    settings = page.context.new_cdp_session(page)
    settings.send("Page.setFontSizes", {"fontSizes": {"standard": LARGE}})
    page.set_viewport_size(PHONE.size)
    page.emulate_media(color_scheme="light", forced_colors="none")
    page.evaluate(SETTLED)
    yield from find_wide(page, place, "large letters", PHONE)
    settings.send("Page.setFontSizes", {"fontSizes": {"standard": USUAL}})
    settings.detach()


# The first of some texts in sight, with all others that are in sight then: where they are, without their ink
SHOW = """(indexes) => {
  const shown = [];
  indexes.forEach((index, number) => {
    const { e, node, words, place, needed, ink, onPicture } = window.suspects[index];
    if (!number) e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
    const [right, bottom] = [Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
    const wanted = e instanceof SVGElement ? e.ownerSVGElement : e;
    const isFree = (x, y) => {
      const at = document.elementFromPoint(x, y);
      return !at || wanted.contains(at) || at.contains(wanted);
    };
    const middle = (left + right) / 2;
    const seen = right - left > 2 && bottom - top > 2 && isFree(middle, (top + bottom) / 2);
    const whole = right === box.right && bottom === box.bottom && left === box.left && top === box.top
      && isFree(middle, top + 1) && isFree(middle, bottom - 1);  // not half under a head that stays
    const around = [left, top, right, bottom];
    if (!number || seen && whole) shown.push({ index, words, place, needed, ink, onPicture, seen, around });
  });
  for (const { index } of shown) {
    const { e } = window.suspects[index];
    e.style.setProperty("-webkit-text-fill-color", "transparent", "important");
    if (e instanceof SVGElement) e.style.setProperty("fill", "transparent", "important");
    e.style.setProperty("text-shadow", "none");
  }
  return shown;
}"""
PUT_BACK = """(indexes) => {
  for (const { e } of indexes.map((index) => window.suspects[index])) {
    for (const name of ["-webkit-text-fill-color", "fill", "text-shadow"]) e.style.removeProperty(name);
  }
}"""
FEW = 0.1  # the part of the pixels under a text that may be worse: edges and lines
CALM = 2.0  # the contrast between the light and the dark under words on a picture that has a shade


def prove_contrast(page: Page) -> Iterator[tuple[str, str, str]]:
    """The suspected texts whose contrast with their ground is too weak, or that lie on a bare picture."""
    waiting = list(range(page.evaluate("window.suspects.length")))
    camera = page.context.new_cdp_session(page)
    while waiting:
        texts = page.evaluate(SHOW, waiting)
        if seen := [text for text in texts if text["seen"]]:
            picture = take_picture(camera)
        for text in seen:
            left, top, right, bottom = text["around"]
            ground = picture.crop((math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)))
            if (worst := find_contrast(ground, text["ink"])) < text["needed"]:
                yield "contrast", f"{text['words']}: {worst:.2f}", text["place"]
            if text["onPicture"] and (spread := find_spread(ground)) > CALM:
                yield "bare picture", f"{text['words']}: {spread:.2f}", text["place"]
        shown = [text["index"] for text in texts]
        page.evaluate(PUT_BACK, shown)
        waiting = [index for index in waiting if index not in shown]
    camera.detach()


def take_picture(camera: CDPSession) -> Image.Image:
    """What a page's window shows, packed quickly, which takes a third of the time of Playwright's way."""
    packed = camera.send("Page.captureScreenshot", {"optimizeForSpeed": True})["data"]
    return Image.open(io.BytesIO(b64decode(packed))).convert("RGB")


def find_contrast(picture: Image.Image, ink: list[float]) -> float:
    """The contrast of an ink (red, green, blue, alpha) with all pixels but the worst few."""
    red, green, blue, alpha = ink
    colors: Any = picture.getcolors(picture.width * picture.height)
    found = []
    for count, ground in colors:
        painted = [
            one * alpha + under * (1 - alpha) for one, under in zip((red, green, blue), ground, strict=True)
        ]
        low, high = sorted((find_light(painted), find_light(ground)))
        found.append(((high + 0.05) / (low + 0.05), count))
    left = FEW * picture.width * picture.height
    for contrast, count in sorted(found):
        left -= count
        if left < 0:
            return contrast
    return found[-1][0]


def find_spread(picture: Image.Image) -> float:
    """The contrast between the lightest and the darkest pixels, without the few at either end."""
    colors: Any = picture.getcolors(picture.width * picture.height)
    lights = sorted((find_light(color), count) for count, color in colors)
    few = FEW * picture.width * picture.height
    low, high = (_pass_over(row, few) for row in (lights, lights[::-1]))
    return (high + 0.05) / (low + 0.05)


def _pass_over(lights: Iterable[tuple[float, int]], few: float) -> float:
    """The light of the first pixels after a few."""
    for light, count in lights:
        few -= count
        if few < 0:
            return light
    return 0


def find_light(color: Iterable[float]) -> float:
    """The relative luminance of a color, 0 to 1."""
    parts = [value / 255 for value in color]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def look_at(page: Page, base: str, world: World, rows: Iterable[tuple[Place, list[Look]]]) -> list[Finding]:
    """Everything that is wrong with pages in their windows."""
    found: list[Finding] = []
    for place, looks in rows:
        for font in sorted({look.font for look in looks}):
            first, *others = [look for look in looks if look.font == font]
            page.set_viewport_size(first.size)
            open_place(page, base, world, place, font)
            for look in (first, *others):
                found += measure(page, place, look)
        found += find_cut_words(page, place)
        if place.how in SHOWN_WHOLE:
            found += find_wide_letters(page, place)
    return found


def look_at_wide(page: Page, base: str, world: World) -> list[Finding]:
    """What is wider than a phone on pages that have no windows of their own."""
    found: list[Finding] = []
    for place in world.list_wide():
        open_place(page, base, world, place, "")
        found += find_wide_letters(page, place)
        page.set_viewport_size(SMALL.size)
        page.evaluate(SETTLED)
        found += find_wide(page, place, "usual letters", SMALL)
    return found
