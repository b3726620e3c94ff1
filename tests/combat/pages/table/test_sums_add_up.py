"""What is drawn of a roll adds up: on its card, under Why and in the log, for the GM and on a phone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.template.loader import render_to_string

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.display.log_view import names_of, tell_step
from combat.pages.table.result_view import make_result
from combat.pages.table.rows import view_combatants
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data
from combat.rules.core.declaration.system import System
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State
from tests.combat.markup import Element, Page
from tests.combat.rules.every_game.wild.wild import Log
from tests.combat.rules.games import every_slug
from tests.thinning import by_thoroughness

FEW, MANY = 3, by_thoroughness(4, 200)  # fights of each game
MOST_STEPS = 25  # of a fight
Chance = random.Random


def play(system: System, seed: int) -> Iterator[tuple[Step, State]]:
    """A fight by tactics with random dice and answers: a demo, or some stat blocks against others."""
    chance, log = Chance(seed), Log(system)
    demos = system.demo.make_all()
    if seed % 3 == 0:
        log.play(demos[seed // 3 % len(demos)].setup, chance)
    else:
        blocks = list(system.book.find_blocks())
        for side in ("allies", "enemies"):
            for block in chance.choices(blocks, k=3):
                log.do("join", {"block": block, "side": side, "pc": side == "allies"}, chance)
    if log.state.phase == "prep":
        with suppress(Refused):  # machines without a crew do not fight
            log.do(system.actions.start, {}, chance)
    for _ in range(MOST_STEPS if log.state.phase == "fight" else 0):
        found = system.tactics.suggest(log.state, log.state.active) if log.state.active else None
        name, data = (found[0], command_data(found[1])) if found else (system.actions.advance, {})
        with suppress(Refused):
            log.do(name, data, chance)
            continue
        log.do(system.actions.advance, {}, chance)
    yield from zip(log.steps, log.states[1:], strict=True)


def read_number(text: str) -> int:
    return int(re.sub(r"[\s+]", "", text).replace("\N{MINUS SIGN}", "-"))


def find_numbers(page: Page, inside: Element, tag: str, name: str) -> list[int]:
    return [read_number(one.text) for one in page.all(tag, class_=name, inside=inside) if one.text.strip()]


def check_card(page: Page) -> list[str]:
    """The faces, what is added to them and their total, of the main roll and of the others."""
    faults = []
    for roll in page.all("div", class_="result-roll"):
        total = find_numbers(page, roll, "p", "result-sum")
        faults += [" ".join(roll.text.split())] if total and not adds_up(page, roll, total[0]) else []
    for others in page.all("ul", class_="result-others"):
        for roll in page.all("li", inside=others):
            if page.all("li", inside=roll) or roll.parent is not others:
                continue
            words = page.all("span", class_="result-words", inside=roll)[0].text
            told = page.all("b", inside=roll)[-1].text.split() or re.findall(r"\((\d+)[^()]*\)$", words)
            number = next((int(word) for word in told if word.isdigit()), None)
            if number is not None and not adds_up(page, roll, number):
                faults.append(" ".join(roll.text.split()))
    return faults


def adds_up(page: Page, roll: Element, total: int) -> bool:
    ops = [one.text.strip() for one in page.all("span", class_="result-op", inside=roll)]
    faces = [read_number(one.text) for one in page.all("text", inside=roll)]
    return not faces or sum(faces) + sum(read_number(op) for op in ops if op != "=") == total


def check_sums(page: Page) -> list[str]:
    """The rows of each sum: the dice, which may be among the terms, the terms, and the total."""
    faults = []
    for sums in page.all("ul", class_="mods"):
        rows = page.all("li", inside=sums)
        numbers = [[read_number(b.text) for b in page.all("b", inside=row) if b.text.strip()] for row in rows]
        shown = [(row["class"] == "total", one[0]) for row, one in zip(rows, numbers, strict=True) if one]
        terms, total = [n for is_total, n in shown if not is_total], [n for is_total, n in shown if is_total]
        if terms and total and sum(terms) != total[0]:
            faults.append(" ".join(sums.text.split()))
        faces = find_numbers(page, sums, "span", "die")
        plus = sum(find_numbers(page, sums, "span", "num"))
        if faces and shown and sum(faces) + plus != shown[0][1]:
            faults.append(" ".join(sums.text.split()))
    return faults


def draw(system: System, viewer: Viewer, step: Step, state: State) -> Iterator[Page]:
    """The card of a step and its lines of the log, as one of the table reads them."""
    known = redact(state, viewer)
    card = make_result(system, viewer, known, step, "1", view_combatants(system, known, viewer))
    if card:
        given = {"result": card, "slug": system.slug}
        yield Page(render_to_string("combat/table/result/result.html", given))
    for line in tell_step(step, system.slug, viewer, tuple(names_of(known).items())).lines:
        if line.roll or line.terms:
            given = {"line": line, "step": step, "slug": system.slug, "system": system}
            yield Page(render_to_string("combat/forms/odds/sums.html", given))


def find_faults(slug: str, seeds: range) -> tuple[int, set[str]]:
    """How many cards and lines were drawn, and the sums that do not add up."""
    system, drawn, faults = find_system(slug), 0, set[str]()
    for seed in seeds:
        for step, state in play(system, seed):
            seat = next((one.id for one in state.combatants.values() if one.pc), "")
            for viewer in (Viewer("gm"), Viewer("seat", frozenset({seat}))):
                for page in draw(system, viewer, step, state):
                    drawn += 1
                    faults.update(check_card(page) + check_sums(page))
    return drawn, faults


@pytest.mark.slow
@every_slug()
def test_every_sum_that_is_drawn_adds_up(slug: str) -> None:
    drawn, faults = find_faults(slug, range(FEW))
    assert drawn > 20
    assert not faults


@pytest.mark.slow
@every_slug()
def test_sums_of_many_fights_add_up(slug: str) -> None:
    _, faults = find_faults(slug, range(FEW, FEW + MANY))
    assert not faults
