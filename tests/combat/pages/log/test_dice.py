"""The page about the dice: each person sees what they may read, and any browser can check it alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.audience.viewer import Viewer
from combat.display.log_view import view_log
from combat.models import Encounter
from combat.pages.log import dice_view
from combat.play.writing.encounter_service import Submission, answer, cancel, create_encounter, submit, undo
from combat.play.writing.renewal import renew_all_dice
from combat.play.writing.verification import read_step
from combat.rules.core.basics.dice.dice import make_seal
from combat.sharing.viewer_context import ViewerContext
from tests.browser import SIZES
from tests.combat.cast import Cast, come
from tests.combat.markup import Page
from tests.combat.visit import MARCUS, PIRATE, PISTOL, SLUG, ZARA, combatant, load, roll_fives

CHECK = Submission("hazard_check", {"target": ZARA, "approach": "detect"})
UNSEEN = Submission("hazard_check", {"target": PIRATE, "approach": "detect"})
VECTORS = json.loads((Path(__file__).parents[2] / "rules/core/basics/dice/sealed_vectors.json").read_text())


def address(encounter: Encounter) -> str:
    return f"/encounters/{encounter.pk}/dice/"


def numbers(client: Client, encounter: Encounter) -> list[str]:
    """The numbers of the rolls that a person sees."""
    return find_numbers(Page(client.get(address(encounter)).content.decode()))


def find_numbers(page: Page) -> list[str]:
    """The numbers of the rolls on a page, each behind its series."""
    found = [e for e in page.elements if e["data-number"]]
    return [".".join(filter(None, (e["data-series"], e["data-number"]))) for e in found]


@pytest.fixture
def rolled(started: Encounter) -> Encounter:
    """Three rolls: Zara's, the hidden pirate's, and one of Zara's that was undone."""
    submit(started.pk, CHECK)
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    submit(started.pk, UNSEEN)
    submit(started.pk, CHECK)
    undo(started.pk)
    return load(started.pk)


def test_everyone_sees_the_seal_but_the_secret_only_at_the_end(cast: Cast, rolled: Encounter) -> None:
    for role in ("gm", "co_gm", "player", "other", "watcher"):
        for kind in ("", "?as=file"):
            told = cast[role].get(address(rolled) + kind).content.decode()
            assert rolled.seals[-1]["seal"] in told
            assert rolled.dice_secret not in told
    submit(rolled.pk, Submission("end_fight"))
    for role in ("gm", "player", "watcher"):
        assert rolled.dice_secret in cast[role].get(address(rolled)).content.decode()


def test_rolls_are_those_that_one_may_read(cast: Cast, rolled: Encounter) -> None:
    assert numbers(cast.gm, rolled) == ["1", "2", f"{PIRATE}.1"]
    for role in ("player", "other", "watcher"):
        assert numbers(cast[role], rolled) == ["1", "2"]
        for kind in ("", "?as=file"):
            assert b"Pirate" not in cast[role].get(address(rolled) + kind).content


def test_undone_roll_stays_for_everyone_who_saw_it(cast: Cast, rolled: Encounter) -> None:
    """The GM rolls again: players still see the earlier roll, on the page, in the log and in its export."""
    undone = [*rolled.log.filter(struck=True)]
    faces = ", ".join(map(str, read_step(undone[0]).answers[0].faces))
    for role in ("gm", "player", "watcher"):
        page = cast[role].get(address(rolled)).content.decode()
        row = 'data-number="2" data-series="" data-words="" data-dice="2d10"'
        assert f'{row} data-faces="{faces}"' in " ".join(page.split())
        assert page.count("(undone)") == 1
        assert "undone" in cast[role].get(f"/encounters/{rolled.pk}/log/").content.decode()
        assert " (undone)" in cast[role].get(f"/encounters/{rolled.pk}/export/?as=text").content.decode()
    story = cast.player.get(f"/encounters/{rolled.pk}/export/").json()
    assert [line["faces"] for line in story["lines"] if line.get("undone")] == [
        [*read_step(undone[0]).answers[0].faces]
    ]
    assert any(step.struck for step in view_log(ViewerContext(rolled, Viewer()), rolled.log.all()))


def test_undone_roll_of_a_hidden_combatant_stays_secret(cast: Cast, rolled: Encounter) -> None:
    submit(rolled.pk, UNSEEN)
    undo(rolled.pk)
    assert numbers(cast.gm, rolled) == ["1", "2", f"{PIRATE}.1", f"{PIRATE}.2"]
    for role in ("player", "watcher"):
        assert numbers(cast[role], rolled) == ["1", "2"]
        for path in ("log/", "export/", "export/?as=text"):
            told = cast[role].get(f"/encounters/{rolled.pk}/{path}").content
            assert b"Pirate" not in told.split(b"hidden")[-1]


def test_cancelled_roll_stays_for_everyone(cast: Cast, started: Encounter) -> None:
    """An attack waits for an answer after its roll, and is cancelled."""
    Encounter.objects.filter(pk=started.pk).update(dice_secret="1" * 64)  # whose first roll is not two ones
    sure_hit = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL, "adjust": 30}
    submit(started.pk, Submission("attack", sure_hit, typed=True))
    answer(started.pk, 0, roll=True)
    cancel(started.pk)
    assert numbers(cast.player, started) == ["1"]
    assert "Canceled: Attack" in cast.player.get(f"/encounters/{started.pk}/log/").content.decode()


def test_undone_word_stays_for_everyone(cast: Cast, started: Encounter) -> None:
    """A GM cannot hide whose word went into the dice by undoing it."""
    cast.player.post(address(started), {"combatant": ZARA, "word": "luck"})
    undo(started.pk)
    for role in ("player", "watcher"):
        log = cast[role].get(f"/encounters/{started.pk}/export/").json()["lines"]
        assert [line for line in log if "luck" in line["text"] and line["undone"]]


def test_moves_that_were_undone_are_not_told(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("note", {"text": "A slip of the pen."}))
    undo(started.pk)
    assert b"A slip of the pen" not in cast.player.get(f"/encounters/{started.pk}/log/").content


def test_seal_that_was_lost_is_told_from_one_that_waits(cast: Cast, rolled: Encounter) -> None:
    renew_all_dice()
    page = cast.player.get(address(rolled)).content.decode()
    assert page.count("Its secret is not here: new dice began before it was told.") == 1
    assert page.count("Its secret is told when the fight ends.") == 1


def test_gm_reads_of_every_roll_what_it_was_for(
    gm: User, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if no line of the log mentions it, such as rolls to break a tie."""
    encounter = create_encounter(gm, SLUG, "Twins")
    for side in ("one", "other"):
        submit(encounter.pk, Submission("join", {"block": "pirate_example", "side": side}))
    roll_fives(monkeypatch)
    submit(encounter.pk, Submission("start"))
    page = Page(gm_client.get(address(encounter)).content.decode())
    texts = [page.one("b", inside=card).text for card in page.all("article", class_="dice-card")]
    assert len(texts) > 2, "there was a tie"
    assert all(texts)
    others = Page(come(encounter, "watch", "Wim").get(address(encounter)).content.decode())
    rows = [e for e in others.elements if e["data-number"]]
    assert [row["data-number"] for row in rows] == [str(n + 1) for n in range(len(texts))]
    untold = [row for row in rows if "Not in your log" in row.text]
    assert untold
    assert not any(row["data-faces"] or row["data-dice"] for row in untold)


def test_seal_after_the_end_is_for_the_next_rolls(cast: Cast, rolled: Encounter) -> None:
    said = "Its secret is told when the fight ends."
    assert said in cast.player.get(address(rolled)).content.decode()
    submit(rolled.pk, Submission("end_fight"))
    told = cast.player.get(address(rolled)).content.decode()
    assert said not in told
    assert "For rolls from now on: its secret is told when the next fight ends." in told


def test_word_is_given_by_who_plays(cast: Cast, rolled: Encounter) -> None:
    def give(role: str, who: str, word: str) -> int:
        return cast[role].post(address(rolled), {"combatant": who, "word": word}).status_code

    assert give("player", ZARA, "luck") == 303
    assert combatant(rolled.pk, ZARA).marks["dice_word"] == "luck"
    assert give("player", MARCUS, "mine") in (403, 409)
    assert give("watcher", ZARA, "mine") == 403
    assert give("player", ZARA, "a,b") == 422
    for role in ("gm", "co_gm"):
        for who in (ZARA, MARCUS, PIRATE):
            assert give(role, who, "mine") == 409
    assert combatant(rolled.pk, ZARA).marks["dice_word"] == "luck"
    assert b"<b>luck</b>" in cast.watcher.get(address(rolled)).content


@pytest.mark.parametrize(("more", "pages"), [(0, 1), (-1, 2)])
def test_older_rolls_have_their_own_page_and_the_page_says_so(
    cast: Cast, rolled: Encounter, monkeypatch: pytest.MonkeyPatch, more: int, pages: int
) -> None:
    """The page says whether it shows all dice of the fight; both pages together have each of them once."""
    whole = Page(cast.gm.get(address(rolled)).content.decode())
    monkeypatch.setattr(dice_view, "STEPS_PER_PAGE", rolled.log.count() + more)
    page = Page(cast.gm.get(address(rolled)).content.decode())
    older = [link for link in page.all("a") if "page=2" in link["href"]]
    assert len(older) == pages - 1
    assert {one["data-complete"] for one in page.elements if one["data-complete"]} == {
        ["all", "page"][pages - 1]
    }
    if older:
        second = Page(cast.gm.get(address(rolled), {"page": "2"}).content.decode())
        assert not [link for link in second.all("a") if "page=3" in link["href"]]
        assert sorted(find_numbers(page) + find_numbers(second)) == sorted(find_numbers(whole))


def test_file_is_never_a_page_of_this_site(cast: Cast, rolled: Encounter) -> None:
    """It holds a script, which no page here may: browsers save it, and never run it as ours."""
    answer = cast.player.get(address(rolled) + "?as=file")
    assert answer["Content-Disposition"].startswith("attachment; ")
    assert "default-src 'self'" in answer["Content-Security-Policy"]


def test_page_of_an_encounter_without_rolls_says_so(cast: Cast, started: Encounter) -> None:
    told = cast.player.get(address(started)).content.decode()
    assert "No rolls yet." in told


# ---- In a browser ----


@pytest.fixture
def ended(rolled: Encounter) -> Encounter:
    submit(rolled.pk, Submission("give_word", {"actor": ZARA, "word": "Öl & “luck”"}))
    submit(rolled.pk, CHECK)
    submit(rolled.pk, Submission("end_fight"))
    return load(rolled.pk)


CHANGES = {
    "other faces": ('data-faces="', 'data-faces="1, ', "Roll 1: not what the secret gives."),
    "another secret": ('data-secret="', 'data-secret="0', "The secret of seal"),
    "a lost roll": ('data-number="2"', 'data-number="5"', "Roll 5: a roll is missing before this one."),
}


def test_browser_checks_every_roll_and_a_saved_file_offline(
    live_server: LiveServer, visitor: Browser, gm_client: Client, tmp_path: Path, ended: Encounter
) -> None:
    visitor.goto(live_server.url + address(ended))
    summary, verdicts = visitor.locator("[data-sum]"), visitor.locator("[data-verdict]")
    expect(summary).to_have_text("4 checked, all as sealed.")
    assert [text.strip() for text in verdicts.all_inner_texts()] == ["As sealed"] * 4
    told = gm_client.get(address(ended) + "?as=file").content.decode()
    visitor.context.set_offline(True)
    visitor.set_viewport_size(SIZES["narrow"])
    file = tmp_path / "dice.html"
    for kind, (old, new, said) in {"honest": ("", "", "4 checked, all as sealed."), **CHANGES}.items():
        file.write_text(told.replace(old, new, 1))
        visitor.goto(file.as_uri())
        expect(summary, kind).to_contain_text(said)
    assert visitor.evaluate("document.documentElement.scrollWidth") == 360, "it fits a phone"


def test_saved_file_has_the_lines_for_the_shell(cast: Cast, ended: Encounter) -> None:
    told = cast.gm.get(address(ended) + "?as=file").content.decode()
    assert "| openssl dgst -sha256 -hmac " in told
    assert "| openssl dgst -sha256\n" in told


ROW = """<tr data-number="{number}" data-words="{words}" data-dice="{dice}" data-faces="{shown}"
    data-seal="{seal}"><td data-verdict></td></tr>"""


def test_browser_agrees_on_the_vectors(page: Browser, tmp_path: Path) -> None:
    seal, secret = make_seal(VECTORS["secret"]), VECTORS["secret"]
    shown = [{**roll, "seal": seal, "shown": ", ".join(map(str, roll["faces"]))} for roll in VECTORS["rolls"]]
    rows = "".join(ROW.format(**roll) for roll in shown)
    script = (Path(__file__).parents[4] / "static/js/log/seals.js").read_text()
    file = tmp_path / "vectors.html"
    file.write_text(
        f'<!doctype html><meta charset="utf-8"><p data-sum></p><i data-seal="{seal}" data-secret="{secret}">'
        f"</i><table>{rows}</table><script>{script}</script>"
    )
    page.goto(file.as_uri())
    expect(page.locator("[data-sum]")).to_have_text("5 checked, all as sealed.")


def test_a_tap_on_hanging_dice_says_what_they_were_for(
    live_server: LiveServer, visitor: Browser, ended: Encounter
) -> None:
    """Words stand beside the wall only where they are asked for, or where a roll does not fit."""
    page = visitor
    page.goto(f"{live_server.url}{address(ended)}")
    groups = page.locator(".dice-round .dice-group")
    expect(groups).to_have_count(page.locator(".dice-card").count())
    expect(page.locator(".dice-card:visible")).to_have_count(0)
    groups.first.click()
    expect(page.locator(".dice-card:visible")).to_have_count(1)
    expect(page.locator(".dice-card:visible [data-verdict]")).to_have_text("As sealed")
    page.evaluate("document.querySelector('.dice-card').dataset.faces = '0, 0'")
    page.evaluate("document.dispatchEvent(new Event('seals:check'))")
    expect(page.locator(".dice-group[data-wrong]")).to_have_count(1)
    expect(page.locator(".dice-card[data-wrong]")).to_be_visible()


def test_a_roll_that_is_not_told_hangs_beside_the_one_before_it() -> None:
    """Before the first that is told, it hangs where those before the fight do."""

    def make(number: int, in_round: int, *faces: int) -> dice_view.SealedRoll:
        return dice_view.SealedRoll("", "1d10", faces, number, "", "", "", undone=False, round=in_round)

    first, told, untold, later = make(1, 0), make(2, 3, 7), make(3, 0), make(4, 4, 2)
    assert dice_view.hang([first, told, untold, later]) == [(0, [first]), (3, [told, untold]), (4, [later])]
