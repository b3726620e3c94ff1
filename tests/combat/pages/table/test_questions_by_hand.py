"""An open question and its first button are in the window, for every kind of question of every game.

`questions.json` has one of each kind, as the tests of the rules asked it: the longest of its kind.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace
from playwright.sync_api import Page, ViewportSize
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

import combat.rules
from combat.audience.changes import read_pending
from combat.display.forms import questions
from combat.models import Encounter, ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, answer, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import GM, ChoiceRequest, Request, RollRequest
from combat.rules.core.declaration.book import DemoStep
from combat.rules.core.state.state import present
from tests.browser import sign_in, skip_hints
from tests.combat.cast import come
from tests.combat.visit import load, play, state_of

KINDS: dict[str, list[dict[str, Any]]] = msgspec.json.decode(
    Path(__file__).with_name("questions.json").read_bytes()
)
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
SHOTS = os.environ.get("QUESTION_SHOTS", "")
# The turn as the table has it now, in a page that stays open
SHOW = """async () => {
  const read = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  document.getElementById("turn").replaceWith(read.getElementById("turn"));
}"""
# Where the question's words and the first thing to press or type are; empty if something lies over them
FIND = """() => {
  scrollTo(0, 0);
  const places = ".choices button, .answers > label, .die-field input, .parts button";
  const first = document.querySelector(`#prompt :is(${places}):not(:disabled)`);
  const form = first.closest(".dice-row, form");
  const docked = [...form.querySelectorAll(".roll-dock")].filter((e) => e.checkVisibility());
  const asked = form.querySelector(".decider, legend") ?? document.querySelector("#h-prompt");
  return [asked, first, ...docked].map((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, bottom - 2);
    const isSeen = at && (e.contains(at) || at.contains(e)) && top >= 0;
    return isSeen ? "" : `${e.textContent.trim().slice(0, 60)}: ${top} to ${bottom}`;
  }).filter(Boolean);
}"""


def find_asked(folder: Path) -> Iterator[str]:
    """The rules that code of a game names where it asks something."""
    for path in folder.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                named = {word.arg: word.value for word in call.keywords}
                rule = named.get("rule")
                asks = call.func.attr in ("ask", "ask_each", "split") and "default" in named
                if asks and isinstance(rule, ast.Constant):
                    yield str(rule.value)


@pytest.mark.parametrize("slug", sorted(KINDS))
def test_every_kind_of_question_is_here(slug: str) -> None:
    asked = set(find_asked(Path(combat.rules.__path__[0]) / slug))
    assert asked <= {kind["rule"] for kind in KINDS[slug]}


def wait_for_answer(gm: User, slug: str) -> Encounter:
    """A demo fight that waits right after as much as any step of its script rolls before it asks again."""
    fight = make_demo_fight(gm, slug)
    script = find_system(slug).demo.make_first().script
    longest = max(script, key=lambda step: len(step.answers) * ("actor" in step.command))
    number = script.index(longest)
    play(fight.pk, script[:number])
    begin(fight.pk, longest)
    return load(fight.pk)


def begin(pk: int, step: DemoStep) -> None:
    """A step with all of its dice and answers but the last."""
    submit(pk, Submission(step.name, step.command, typed=True, by="gm"))
    for given in step.answers[:-1]:
        kind = {"value": given} if isinstance(given, str) else {"faces": given}
        answer(pk, 0, **kind, by="gm")


def ask(fight: Encounter, request: Request, hero: str) -> None:
    """Let the open command of a fight ask this, of a hero or of the GM."""
    waiting = read_pending(fight)
    assert waiting is not None
    whom = GM if request.who == GM else hero
    now = replace(waiting, requests=(replace(request, who=whom),))
    Encounter.objects.filter(pk=fight.pk).update(open_command=msgspec.json.encode(now))


def find_hidden(page: Page, name: str, *sizes: ViewportSize) -> list[str]:
    """What of the question of now is out of sight in windows of these sizes, of a page that stays open."""
    page.evaluate(SHOW)
    found = []
    for size in sizes:
        page.set_viewport_size(size)
        found += [f"{name}, {size['width']} px: {part}" for part in page.evaluate(FIND)]
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/{name}-{size['width']}.png")
    return found


@pytest.mark.parametrize("slug", sorted(KINDS))
def test_an_open_question_is_in_the_window(
    live_server: LiveServer,
    visitor: Page,
    new_context: CreateContextCallback,
    gm: User,
    slug: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the GM's laptop and phone, and of the phone of who is asked, where much was rolled before."""
    monkeypatch.setattr(questions, "find_obstacle", lambda encounter, waiting: "")  # not all fit the command
    fight = wait_for_answer(gm, slug)
    asked: list[Request] = [msgspec.convert(kind, ChoiceRequest) for kind in KINDS[slug]]
    asked.append(RollRequest(asked[0].rule, "", 1, "2d6", "attack"))
    hero = next(one.id for one in present(state_of(fight.pk)) if one.pc)
    seated = new_context()
    sign_in(seated, live_server, come(fight, ShareLink.PLAY, "Pia", hero))
    phone, hidden = seated.new_page(), []
    for page in (visitor, phone):
        skip_hints(page.context)
        page.goto(f"{live_server.url}/encounters/{fight.pk}/")
    for number, request in enumerate(asked):
        ask(fight, request, hero)
        hidden += find_hidden(visitor, f"{slug} {number} {request.rule}", LAPTOP, PHONE)
        if request.who != GM:
            hidden += find_hidden(phone, f"{slug} {number} {request.rule} player", PHONE)
    assert hidden == []
