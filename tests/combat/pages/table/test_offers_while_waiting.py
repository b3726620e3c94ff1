"""While a question is open, nothing on offer is refused because of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pytest
from django.db import transaction

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, cancel, submit
from combat.play.writing.locking import say_busy
from tests.combat.cast import Cast
from tests.combat.markup import Element, Page
from tests.combat.visit import PIRATE, ZARA, load, read, refusal

ROWS = (
    "quick",
    "damage",
    "heal",
    "mend",
    "condition",
    "figures",
    "rename",
    "alias",
    "place",
    "resize",
    "reorder",
)
WINDOWS = ("", "?wish=0", *(f"?combatant={PIRATE}&row={kind}" for kind in (*ROWS, "budget")))


def find_offers(page: Page) -> Iterator[tuple[Element, dict[str, list[str]], Element]]:
    """The forms of a page with what they hold as they stand, and each button that can be pressed."""
    for form in page.all("form", method="post"):
        buttons = page.all("button", inside=form)
        if name := form.attrs.get("id"):
            buttons += [one for one in page.all("button", form=name) if one not in buttons]
        for button in buttons:
            is_shut = any(one.tag == "fieldset" and "disabled" in one.attrs for one in button.parents)
            if "disabled" not in button.attrs and button.attrs.get("type") != "button" and not is_shut:
                yield form, read_fields(page, form), button


def read_fields(page: Page, form: Element) -> dict[str, list[str]]:
    found = defaultdict(list)
    for field in page.all("input", inside=form):
        if field.attrs.get("type") not in ("radio", "checkbox") or "checked" in field.attrs:
            if "name" in field.attrs:
                found[field["name"]].append(field.attrs.get("value", ""))
    for select in page.all("select", inside=form):
        options = page.all("option", inside=select)
        chosen = [one for one in options if "selected" in one.attrs] or options[:1]
        found[select["name"]] += [one.attrs.get("value", "") for one in chosen]
    return found


@pytest.fixture
def asked(cast: Cast, started: Encounter) -> int:
    """The fight while an attack waits for its dice."""
    submit(started.pk, Submission("set_option", {"key": "typed_dice", "value": True}))
    submit(started.pk, Submission("start_clock", {"name": "Dawn", "size": 6}))
    words = {"do": "ask_wish", "combatant": ZARA, "words": "I swing over the Pirate"}
    assert cast.player.post(f"/encounters/{started.pk}/", words).status_code == 303
    attack = {"actor": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1"}
    submit(started.pk, Submission("attack", attack, typed=True))
    assert load(started.pk).open_command
    return started.pk


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS)
def test_no_button_of_the_gm_is_refused_for_the_open_question(cast: Cast, asked: int, window: str) -> None:
    page = read(cast.gm.get(f"/encounters/{asked}/{window}"))
    for form, fields, button in find_offers(page):
        if "name" in button.attrs:
            fields[button["name"]] = [button.attrs.get("value", "")]
        with transaction.atomic():
            answer = cast.gm.post(form["action"].split("#")[0], fields, headers={"HX-Request": "true"})
            transaction.set_rollback(True)
        is_refused = answer.status_code == 409
        assert not (is_refused and refusal(answer) == say_busy(is_gm=True)), (button.text, fields)


def test_windows_say_why_and_open_again_after_the_question(cast: Cast, asked: int) -> None:
    address = f"/encounters/{asked}/?combatant={PIRATE}&row=quick"
    boxes = read(cast.gm.get(address)).all("fieldset", class_="waits")
    assert len(boxes) > 2
    assert all("disabled" in box.attrs and box["title"] == say_busy(is_gm=True) for box in boxes)
    cancel(asked)
    boxes = read(cast.gm.get(address)).all("fieldset", class_="waits")
    assert len(boxes) > 2
    assert not [box for box in boxes if "disabled" in box.attrs]
