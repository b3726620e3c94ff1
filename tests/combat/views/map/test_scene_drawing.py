"""The scene is drawn around its people: filled in, it equals one drawn whole, and its frame is drawn once."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display import scene_drawing
from combat.display.drawings import MAX_KEPT, Drawing, Drawings
from combat.display.map import scene
from combat.display.scene_drawing import SCENE, draw_scene
from combat.display.shapes.scene_shapes import Token
from combat.display.table import parts
from combat.models import ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import come
from tests.combat.rules.games import every_demo
from tests.combat.views.table.patching import OpenPage
from tests.combat.visit import state_of

Given = dict[str, Any]


class Noted(Drawings):
    """Drawings that note which templates were drawn."""

    def __init__(self) -> None:
        super().__init__(MAX_KEPT)
        self.made: list[str] = []

    def make(self, template: str, given: Given) -> Drawing:
        self.made.append(template)
        return super().make(template, given)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    drawings = Noted()
    monkeypatch.setattr(scene_drawing, "DRAWINGS", drawings)
    return drawings


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Given]:
    """What the scenes of all pages are drawn from."""
    known: list[Given] = []

    def note(given: Given) -> Drawing:
        known.append(given)
        return draw_scene(given)

    monkeypatch.setattr(parts, "draw_scene", note)
    return known


@every_demo
def test_scene_that_is_filled_in_equals_one_drawn_whole(
    gm: User, gm_client: Client, noted: Noted, asked: list[Given], slug: str, number: int
) -> None:
    fight = make_demo_fight(gm, slug, number)
    path = f"/encounters/{fight.pk}/"
    page = OpenPage(gm_client, path)
    others = [OpenPage(come(fight, kind, kind), path) for kind in (ShareLink.PLAY, ShareLink.WATCH)]
    for fields in ({"do": "start", "dice": "app"}, *[{"do": "next_turn"}] * 3, {"do": "fog", "fog": "true"}):
        page.post(**fields)
        for other in others:
            other.look()
    submit(fight.pk, Submission("set_map", {"map": {}}, by="gm"))
    for one in (page, *others):
        one.look()
    assert any(given["table"]["scene"].is_board for given in asked)
    assert len(asked) > 9
    for given in asked:
        whole = Drawings(MAX_KEPT).make(SCENE, given).html
        assert draw_scene(given).html.split() == whole.split()


@every_demo
def test_passed_turn_draws_no_frame_again(
    gm: User, gm_client: Client, noted: Noted, asked: list[Given], slug: str, number: int
) -> None:
    page = OpenPage(gm_client, f"/encounters/{make_demo_fight(gm, slug, number).pk}/")
    page.post(do="start", dice="app")
    for _ in range(2):
        page.post(do="next_turn")
    noted.made.clear()
    for _ in range(4):
        page.post(do="next_turn")
    scene = asked[-1]["table"]["scene"]
    assert SCENE not in noted.made or (scene.is_board and not scene.road)


@every_demo
def test_passed_turn_lays_out_no_scene_again_unless_someone_moves(
    gm: User, gm_client: Client, monkeypatch: pytest.MonkeyPatch, slug: str, number: int
) -> None:
    fight = make_demo_fight(gm, slug, number)
    page = OpenPage(gm_client, f"/encounters/{fight.pk}/")
    page.post(do="start", dice="app")
    laid, lay_out = list[int](), scene.lay_out

    def note(tokens: tuple[Token, ...], scale: float) -> tuple[Token, ...]:
        laid.append(len(tokens))
        return lay_out(tokens, scale)

    monkeypatch.setattr(scene, "lay_out", note)
    for _ in range(len(state_of(fight.pk).order) - 1):
        before, known = find_tokens(fight.pk), len(laid)
        page.post(do="next_turn")
        assert find_tokens(fight.pk) != before or len(laid) == known


def find_tokens(pk: int) -> list[tuple[object, ...]]:
    """What the places of tokens depend on."""
    return [(one.id, one.at, one.conditions, one.marks) for one in state_of(pk).combatants.values()]
