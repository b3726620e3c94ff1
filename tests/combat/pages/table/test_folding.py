"""A long list of combatants: namesakes fold into one row."""

from __future__ import annotations

from dataclasses import replace as with_fields

import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec.structs import replace
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.audience.viewer import Viewer
from combat.display.shapes.table_shapes import CombatantView, SquadView
from combat.models import Encounter
from combat.pages.table.folding import LEAST, LONG, MOST, FoldView, fold_rows
from combat.pages.table.rows import view_known
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext
from tests.browser import find_overflow, sign_in, skip_hints
from tests.combat.visit import SLUG, load, read, state_of


def gather(gm: User, pirates: int, others: int = 4) -> Encounter:
    """Named allies, two lone ones of the other side, and pirates."""
    made = create_encounter(gm, SLUG, "Boarding")
    for number, name in enumerate(("Vega", "Oduya", "Kestrel", "Moor")[:others]):
        side = "allies" if number < 2 else "enemies"
        submit(made.pk, Submission("join", {"block": "pirate_example", "name": name, "side": side}))
    submit(
        made.pk,
        Submission("join", {"block": "pirate", "name": "Pirate", "side": "enemies", "count": pirates}),
    )
    submit(made.pk, Submission("join", {"block": "security_guard", "side": "allies", "count": LEAST - 1}))
    return made


def list_rows(client: Client, fight: Encounter) -> list[str]:
    """The names in the list, those behind a fold in brackets."""
    page = read(client.get(f"/encounters/{fight.pk}/"))
    rows = [one for one in page.all("li") if one["id"].startswith("row-")]
    mains = [page.one(inside=one, class_="row-main") for one in rows]
    names = [next(one.text for one in page.all("span", inside=main) if one["title"]) for main in mains]
    return [f"({name})" if "in-fold" in one["class"] else name for name, one in zip(names, rows, strict=True)]


@pytest.fixture
def boarding(gm: User) -> Encounter:
    return gather(gm, LONG)


def test_short_list_does_not_fold(gm: User, gm_client: Client) -> None:
    fight = gather(gm, LONG - 6)
    names = list_rows(gm_client, fight)
    assert len(names) == LONG
    assert not [name for name in names if "×" in name or name.startswith("(")]
    submit(fight.pk, Submission("join", {"block": "pirate", "name": "Pirate", "side": "enemies"}))
    assert len([name for name in list_rows(gm_client, fight) if name.startswith("(")]) == LONG - 5


def test_namesakes_fold_and_persons_come_first_before_a_fight(gm_client: Client, boarding: Encounter) -> None:
    names = list_rows(gm_client, boarding)
    at = names.index(f"Pirate × {LONG}")
    assert names[:2] == ["Vega", "Oduya"]
    assert names[at + 1 :] == [f"(Pirate {number})" for number in range(1, LONG + 1)]
    assert "Security guard 1" in names[:at], "two are too few to fold"


def test_who_acts_or_was_just_hurt_stands_open(gm_client: Client, boarding: Encounter) -> None:
    submit(boarding.pk, Submission("start", {}))
    while not state_of(boarding.pk).combatants[state_of(boarding.pk).active or ""].name.startswith("Pirate"):
        submit(boarding.pk, Submission("next_turn", {}))
    state = state_of(boarding.pk)
    acting = state.combatants[state.active or ""].name
    names = list_rows(gm_client, boarding)
    assert acting in names
    assert f"Pirate × {LONG - 1}" in names
    pirates = [one for one in present(state) if one.name.startswith("Pirate") and one.name != acting]
    head = names.index(f"Pirate × {LONG - 1}")
    assert names[head + 1].startswith("(Pirate"), "the fold stands where its first member has the turn"
    assert not [name for name in names[:head] if name.startswith("(")]
    row = {"row": "quick", "combatant": pirates[0].id}
    opened = read(gm_client.get(f"/encounters/{boarding.pk}/", row)).one("li", id=f"row-{pirates[0].id}")
    assert "in-fold" not in opened["class"], "whose window is open stands open"


def test_played_ones_and_other_sides_fold_apart(gm: User, gm_client: Client, boarding: Encounter) -> None:
    submit(
        boarding.pk,
        Submission("join", {"block": "pirate", "name": "Pirate", "side": "allies", "count": LEAST}),
    )
    page = read(gm_client.get(f"/encounters/{boarding.pk}/"))
    folds = [one["aria-label"] for one in page.all("input") if one["id"].startswith("fold-")]
    assert sorted(folds, reverse=True) == [
        f"Show {LEAST} of allies one by one: Pirate",
        f"Show {LONG} of enemies one by one: Pirate",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_fold_opens_by_a_tap_and_by_keys_and_stays_open(
    live_server: LiveServer, visitor: Page, gm: User, gm_client: Client, width: int
) -> None:
    fight = gather(gm, LONG)
    submit(fight.pk, Submission("start", {}))
    sign_in(visitor.context, live_server, gm_client)
    skip_hints(visitor.context)
    visitor.set_viewport_size({"width": width, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    if width < 1000:
        visitor.locator("label", has_text="Combatants").first.click()
    folded, fold = visitor.locator("#rows > .in-fold-1"), visitor.locator("#fold-1")
    expect(folded.first).to_be_hidden()
    assert find_overflow(visitor) == []
    visitor.locator(".row-fold").click()
    expect(folded.first).to_be_visible()
    visitor.keyboard.press("n")
    if width < 1000:
        visitor.locator("label", has_text="Combatants").first.click()
    expect(fold).to_be_checked()
    expect(folded.first).to_be_visible()
    fold.press("Space")
    expect(folded.first).to_be_hidden()


# ---------------------------------------------------------------- row by row


@pytest.fixture
def plain(boarding: Encounter) -> CombatantView:
    """A row to make others of."""
    rows = view_known(ViewerContext(load(boarding.pk), Viewer("gm"), None))
    return next(one for one in rows.values() if one.name == "Pirate 1")


def draw(rows: list[CombatantView], *kept: str, in_turn: bool = True) -> list[str]:
    """The list in words: a fold with its number and count, a member with that number in brackets."""
    listed, numbers = fold_rows(rows, {*kept}, in_turn=in_turn)
    return [
        f"{row.number}: {row.name} × {row.count}"
        if isinstance(row, FoldView)
        else f"{row.name} ({numbers[row.id]})"
        if row.id in numbers
        else str(row.name)
        for row in listed
    ]


def test_who_stands_alone_beside_a_fold(plain: CombatantView) -> None:
    """Who is played, in a squad, acts or is kept open; a fold of fewer than three is none."""
    squad = SquadView("Squad", (), 0, 0, ())
    guards = [replace(plain, id=f"g{n}", name=f"Guard {n}") for n in range(1, LONG)]
    folded = ["1: Pirate × 3", "Pirate 1 (1)", "Pirate 2 (1)", "Pirate 3 (1)"]

    def find(more: CombatantView, *kept: str) -> list[str]:
        pirates = [replace(plain, id=f"p{n}", name=f"Pirate {n}") for n in range(1, 4)]
        rows = [*pirates, more, *[replace(one, played=True) for one in guards]]
        return [row for row in draw(rows, *kept) if not row.startswith("Guard")]

    fourth = replace(plain, id="p4", name="Pirate 4")
    assert find(fourth) == ["1: Pirate × 4", *folded[1:], "Pirate 4 (1)"]
    for alone in (
        replace(fourth, played=True),
        replace(fourth, squad=squad),
        replace(fourth, active=True),
        replace(fourth, side="others"),
        replace(fourth, name="Pirate captain"),
    ):
        assert find(alone) == [*folded, alone.name]
    assert find(fourth, "p4") == find(fourth, "Pirate 4") == [*folded, "Pirate 4"]
    assert find(fourth, "p4", "p3") == ["Pirate 1", "Pirate 2", "Pirate 3", "Pirate 4"]


def test_a_fold_keeps_its_number_and_says_how_they_are(plain: CombatantView) -> None:
    def make(kind: str, word: str = "Hurt", count: int = LEAST) -> list[CombatantView]:
        health = with_fields(plain.health, word=word, shown=True)
        return [replace(plain, id=f"{kind}{n}", name=f"{kind} {n}", health=health) for n in range(count)]

    rows = [*make("B", "Down"), *make("A"), *make("C", count=LONG)]
    rows[0] = replace(rows[0], is_out=True)
    rows[1] = replace(rows[1], health=with_fields(rows[1].health, shown=False))
    rows[2] = replace(rows[2], health=with_fields(rows[2].health, word="Well"))
    heads = [row for row in fold_rows(rows, set(), in_turn=True)[0] if isinstance(row, FoldView)]
    assert [(one.number, one.name, one.count, one.words) for one in heads] == [
        (2, "B", 3, "1 down, 1 well"),
        (1, "A", 3, "3 hurt"),
        (3, "C", LONG, f"{LONG} hurt"),
    ]
    assert [row for row in draw(rows, "A 1") if row[0].isdecimal()] == ["2: B × 3", f"3: C × {LONG}"]
    many = [one for letter in "ABCDEFGHIJ" for one in make(letter)]
    assert len([row for row in draw(many) if row[0].isdecimal()]) == MOST


def test_before_a_fight_those_without_a_fold_come_first(plain: CombatantView) -> None:
    rows = [replace(plain, id=f"p{n}", name=f"Pirate {n}") for n in range(LONG)]
    rows.insert(2, replace(plain, id="v", name="Vega"))
    assert [row for row in draw(rows, in_turn=False) if "(" not in row] == ["Vega", f"1: Pirate × {LONG}"]
    assert [row for row in draw(rows) if "(" not in row] == [f"1: Pirate × {LONG}", "Vega"]
    assert draw(rows)[3] == "Vega"
    assert draw(rows[:LONG]) == [one.name for one in rows[:LONG]]


def test_a_fold_has_the_face_of_the_first_who_stands(plain: CombatantView) -> None:
    for out, shown in (((), "A0"), ((0,), "A1"), ((0, 1), "A2"), ((0, 1, 2), "A0")):
        members = [
            replace(
                plain,
                id=f"a{n}",
                name=f"Guard {n}",
                is_out=n in out,
                look=replace(plain.look, face=f"A{n}"),
            )
            for n in range(3)
        ]
        alone = [replace(plain, id=f"p{n}", name=f"Hero {n}", played=True) for n in range(LONG)]
        (fold,) = [
            row for row in fold_rows([*members, *alone], set(), in_turn=True)[0] if isinstance(row, FoldView)
        ]
        assert fold.look.face == shown
