"""Signs in the number fields of every page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit, combatant, questions, refusal, state_of

SIGNED = [("+3", 3), ("−3", -3), ("-3", -3), (" 3 ", 3), ("\uff13", 3)]


@pytest.mark.slow
def test_table_modifier_is_read_with_any_sign(visit: Visit) -> None:
    for word, points in SIGNED:
        attack = {"combatant": ZARA, "target": PIRATE, "weapon": PISTOL, "adjust": word, "because": "smoke"}
        found = visit.client.get(f"{visit.here}odds/", {"do": "attack", **attack}).content.decode()
        assert f">{word_of(points)}</b>" in found, (word, points)
        visit.do("attack", **attack, dice="table", **{"face-1": "+5", "face-2": "５"})
        visit.do("cancel" if questions(visit.pk) else "undo")


def word_of(points: int) -> str:
    """A number as a sum shows it."""
    return f"{points:+d}".replace("-", "−")


def test_word_for_a_modifier_is_refused_with_what_works(visit: Visit) -> None:
    for word in ["3,5", "three"]:
        said = visit.refused("attack", 422, combatant=ZARA, target=PIRATE, weapon=PISTOL, adjust=word)
        assert f"“Situational modifier” must be a whole number, not “{word}”: type digits, such as 3" in said
        assert "3, +3 or −3." in said


def test_forms_of_a_row_read_signs(visit: Visit) -> None:
    before = combatant(visit.pk, ZARA).tracks["hp"]
    visit.do("adjust", target=ZARA, track="hp", points=" 3 ", sign="-")
    assert combatant(visit.pk, ZARA).tracks["hp"] == before - 3
    visit.do("give_condition", target=ZARA, kind="prone", level="+1", turns=" 2 ")
    visit.do("place", target=PIRATE, x="−2.5", y="+1")
    assert (combatant(visit.pk, PIRATE).at.x, combatant(visit.pk, PIRATE).at.y) == (-2.5, 1)
    assert "Points must be a whole number, not “3,5”" in visit.refused(
        "adjust", 422, target=ZARA, track="hp", points="3,5", sign="-"
    )


def test_preparation_reads_signs(visit: Visit) -> None:
    zone = {"do": "zone", "name": "Hold", "x": "−10", "y": "+2.5", "width": "5", "depth": "5"}
    assert visit.client.post(f"{visit.here}prep/", zone).status_code == 303
    made = state_of(visit.pk).scene.zones[-1]
    assert (made.x, made.y) == (-10, 2.5)
    assert visit.client.post(f"{visit.here}prep/", {**zone, "name": "Bay", "x": "3,5"}).status_code == 303
    assert state_of(visit.pk).scene.zones[-1].x == 3.5
    wrong = visit.client.post(f"{visit.here}prep/", {**zone, "x": "3,5,1"})
    assert "Left (m): Must be a number, not “3,5,1”: type digits, such as 3.5 or −3.5." in refusal(wrong)


def test_no_field_of_any_page_swallows_a_sign() -> None:
    """Browsers send nothing at all from a number field that they cannot read."""
    folder = Path(__file__).parents[4] / "templates"
    assert [path.name for path in folder.rglob("*.html") if 'type="number"' in path.read_text()] == []
