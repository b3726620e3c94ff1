"""The row of a squad: a piece for each member, of whose row it is, and whom the GM can form one with."""

from __future__ import annotations

from dataclasses import replace as with_fields

from msgspec.structs import replace

from combat.audience.viewer import Viewer
from combat.display.shapes.table_shapes import CombatantView
from combat.models import Encounter
from combat.pages.table.rows import view_known
from combat.pages.table.squads import _view_member, add_squads, fold_squads
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast
from tests.combat.pages.table.test_squads import join_thugs, post
from tests.combat.visit import ZARA, load, state_of


def view_all(fight: Encounter, viewer: Viewer) -> dict[str, CombatantView]:
    """The rows with their squads."""
    context = ViewerContext(load(fight.pk), viewer, None)
    return add_squads(context.known_state, view_known(context), viewer.is_gm)


def test_each_piece_of_a_squad_is_the_health_of_its_member(cast: Cast, started: Encounter) -> None:
    """To players, who see no numbers, a piece is full until it is down."""
    thugs = join_thugs(started, 5)
    post(cast.gm, started, "join_squad", targets=thugs[:4])
    most = state_of(started.pk)[thugs[1]].tracks["hp"]
    submit(started.pk, Submission("adjust", {"target": thugs[1], "track": "hp", "by": -(most // 4)}))
    submit(started.pk, Submission("give_condition", {"target": thugs[2], "kind": "dead"}))
    rows = view_all(started, Viewer("gm"))
    part = rows[thugs[1]].health.percent
    assert 0 < part < 100
    squad = rows[thugs[3]].squad
    assert squad
    assert (squad.name, squad.standing, squad.width, squad.ids) == ("Thug squad A", 3, 86, tuple(thugs[:4]))
    assert [(one.name, one.is_out, one.x, one.left) for one in squad.members] == [
        ("Thug 1", False, 0, 20),
        ("Thug 2", False, 22, round(20 * part / 100, 1)),
        ("Thug 3", True, 44, 0),
        ("Thug 4", False, 66, 20),
    ]
    for who, one in zip(thugs, squad.members, strict=False):
        health = rows[who].health
        assert one.words == ("down" if one.is_out else health.word or health.spoken)
    assert rows[thugs[4]].squad is None
    seen = view_all(started, Viewer("seat", frozenset({ZARA})))[thugs[1]].squad
    assert seen
    assert [one.left for one in seen.members] == [20, 20, 0, 20]
    words = [view_all(started, Viewer("seat"))[who].health.word or "up" for who in thugs[:4]]
    assert [one.words for one in seen.members] == [*words[:2], "down", words[3]]


def test_a_piece_says_no_more_than_a_row_of_one(cast: Cast, started: Encounter) -> None:
    """Health that is not shown is full, and is said only if it has a word."""
    (thug,) = join_thugs(started, 1)
    row = view_all(started, Viewer("gm"))[thug]
    for is_shown, word, is_out, left, words in (
        (True, "Hurt", False, 6.6, "Hurt"),
        (True, "", False, 6.6, None),
        (False, "Hurt", False, 20, "Hurt"),
        (False, "", False, 20, "up"),
        (True, "Hurt", True, 0, "down"),
        (False, "", True, 0, "down"),
    ):
        health = with_fields(row.health, shown=is_shown, word=word, percent=33)
        piece = _view_member(2, replace(row, health=health, is_out=is_out))
        assert (piece.left, piece.words, piece.is_out, piece.x) == (
            left,
            words or health.spoken,
            is_out,
            44,
        )


def test_one_of_a_squad_who_is_seen_alone_has_a_row_of_their_own(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started, 3)
    post(cast.gm, started, "join_squad", targets=thugs)
    for seen in (2, 1):
        submit(started.pk, Submission("hide", {"target": thugs[seen]}))
        squad = view_all(started, Viewer("seat", frozenset({ZARA})))[thugs[0]].squad
        assert (squad.ids if squad else ()) == (tuple(thugs[:2]) if seen == 2 else ())


def test_a_squads_row_is_the_first_of_it_who_can_act(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started, 4)
    post(cast.gm, started, "join_squad", targets=thugs)
    rows = view_all(started, Viewer("gm"))

    def find(active: str = "", *out: str) -> list[str]:
        made = [replace(one, active=one.id == active, is_out=one.id in out) for one in rows.values()]
        return [one.id for one in fold_squads(reversed(made))]

    others = [who for who in reversed(rows) if who not in thugs]
    for found, first in (
        (find(), thugs[0]),
        (find("", thugs[0]), thugs[1]),
        (find("", *thugs), thugs[0]),
        (find(thugs[3]), thugs[3]),
        (find(thugs[3], thugs[3]), thugs[3]),
        (find(ZARA, thugs[0], thugs[1]), thugs[2]),
    ):
        assert found == [first, *others]


def test_the_gm_alone_reads_whom_each_can_form_one_with(cast: Cast, started: Encounter) -> None:
    thugs = join_thugs(started, 4)
    post(cast.gm, started, "join_squad", targets=thugs[:2])
    rows = view_all(started, Viewer("gm"))
    assert [rows[who].kin for who in thugs] == [(), (), tuple(thugs[2:]), tuple(thugs[2:])]
    assert {one.kin for one in view_all(started, Viewer("seat", frozenset({ZARA}))).values()} == {()}
