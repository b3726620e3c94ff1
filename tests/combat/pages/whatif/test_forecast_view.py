"""The page of a forecast: chances with their margins, curves that settle, lengths of fights."""

from __future__ import annotations

import re
import time

import pytest

from combat.pages.prep.odds_view import make_odds
from combat.pages.whatif.forecast_view import HEIGHT, NOBODY, WIDTH, ForecastView, view_forecast
from combat.play.whatif.forecast_jobs import Job
from combat.rules.core.odds.forecast import Ending, find_margin

TONES = {"crew": "is-ally", "pirates": "is-foe"}


def view(*endings: Ending, cancelled: bool = False, first: str = "crew") -> ForecastView:
    return view_forecast(make_job(*endings, cancelled=cancelled, first=first), TONES)


def make_job(*endings: Ending, cancelled: bool = False, first: str = "crew") -> Job:
    return Job(
        "j",
        "1",
        "cosmos",
        done=len(endings),
        cancelled=cancelled,
        touched=time.time(),
        names={"f1": "Zara", "f2": "Pirate", "f3": "Bo"},
        side_of={"f1": "crew", "f2": "pirates", "f3": "crew"},
        sides=("crew", "pirates") if first == "crew" else ("pirates", "crew"),
        endings=list(endings),
    )


def end(*standing: str, rounds: int = 3, dropped: tuple[str, ...] = (), escaped: str = "") -> Ending:
    return Ending(standing, rounds, dropped, escaped)


def find_heights(path: str) -> list[float]:
    """The height of each point of a path, as a share."""
    return [1 - float(y) / HEIGHT for _, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def test_each_side_has_its_chance_with_a_margin_around_it() -> None:
    shown = view(*[end("crew")] * 75, *[end("pirates")] * 25)
    crew, pirates = shown.wins
    assert (crew.label, crew.tone, crew.percent, crew.margin) == ("crew", "is-ally", 75, "66–82%")
    assert (pirates.label, pirates.tone, pirates.percent) == ("pirates", "is-foe", 25)
    assert crew.low < crew.percent < crew.high


def test_fights_without_a_winner_are_shown_where_there_are_any() -> None:
    assert [bar.label for bar in view(end("crew"), end("crew")).wins] == ["crew", "pirates"]
    shown = view(end("crew"), end("crew", "pirates"), end())
    assert [(bar.label, bar.percent) for bar in shown.wins] == [("crew", 33), ("pirates", 0), (NOBODY, 67)]
    assert [row.label for row in shown.rows[-1].chances] == ["crew", "pirates", NOBODY]


def test_fights_that_mostly_do_not_end_have_no_chance() -> None:
    stuck = end("crew", "pirates", rounds=60)
    odds = make_odds(make_job(*[stuck] * 6, *[end("crew")] * 4), TONES)
    assert (odds.problem, odds.parts) == ("Undecided: these fights do not end.", ())
    odds = make_odds(make_job(*[stuck] * 4, *[end("crew")] * 6), TONES)
    assert (odds.problem, odds.words) == ("", "crew 60%, pirates 0%, nobody 40%")


def test_headline_names_all_whose_chance_is_the_same() -> None:
    halves, nobody = make_job(*[end("crew")] * 5, *[end("pirates")] * 5), make_job(end(), end())
    assert make_odds(halves, {}).says == "crew or pirates win, each as likely"
    assert make_odds(halves, TONES).says == "crew win", "it is about the allies"
    assert make_odds(make_job(*[end("crew")] * 4, *[end("pirates")] * 5), {}).says == "pirates win"
    assert make_odds(make_job(end("crew"), end()), {}).says == "crew win"
    assert make_odds(nobody, TONES).says == "crew win"


def test_side_that_escapes_is_beside_the_wins_not_among_them() -> None:
    shown = view(*[end("crew")] * 20, *[end("pirates")] * 10, *[end("pirates", escaped="crew")] * 70)
    told = [("crew", 20), ("pirates", 10), ("crew get away", 70)]
    assert [(bar.label, bar.percent) for bar in shown.wins] == told
    assert [(row.label, row.percent) for row in shown.rows[-1].chances] == told
    assert shown.odds.words == "crew 20%, pirates 10%, crew get away 70%"
    assert (shown.odds.first.label, shown.odds.first.escapes) == ("crew", False)
    assert [(part.label, part.x) for part in shown.odds.away] == [("crew get away", 30.0)]
    assert find_heights(shown.curve.line)[-1] == pytest.approx(0.2)


def test_who_is_most_in_danger_comes_first_on_each_side() -> None:
    shown = view(
        end("crew", dropped=("f2",)), end("pirates", dropped=("f1", "f3")), end("pirates", dropped=("f3",))
    )
    assert [(bar.label, bar.percent) for bar in shown.falls] == [("Bo", 67), ("Zara", 33), ("Pirate", 33)]


def test_curve_goes_from_first_to_last_fight_with_narrowing_band() -> None:
    fights = [end("crew") if number % 4 else end("pirates") for number in range(1, 1001)]
    crew = view(*fights).curve
    line = find_heights(crew.line)
    assert crew.line.startswith("M0.6 0L")
    assert f"L{WIDTH} " in crew.line
    assert (crew.x, crew.half, crew.last) == (100.0, 500, 1000)
    assert line[0] == 1.0
    assert line[-1] == pytest.approx(0.75)
    band = find_heights(crew.band)
    upper, lower = band[: len(line)], band[len(line) :][::-1]
    widths = [high - low for high, low in zip(upper, lower, strict=True)]
    assert widths[-1] < widths[len(widths) // 2] < widths[0]
    assert all(low <= at <= high for low, at, high in zip(lower, line, upper, strict=True))


def test_the_table_has_the_same_numbers_up_to_the_last_fight() -> None:
    shown = view(*[end("crew"), end("pirates")] * 30, cancelled=True)
    assert [row.fights for row in shown.rows] == [10, 25, 50, 60]
    assert [chance.percent for chance in shown.rows[1].chances] == [52, 48]
    assert shown.rows[-1].chances == shown.wins


def test_one_fight_is_enough_for_a_whole_forecast() -> None:
    shown = view(end("crew", rounds=4))
    assert [row.fights for row in shown.rows] == [1]
    assert shown.wins[0].margin == "21–100%"
    assert (shown.rounds.mean, [bar.label for bar in shown.rounds.bars]) == ("4.0", ["4"])


def test_rounds_are_bars_the_usual_one_highest() -> None:
    shown = view(end(rounds=2), end(rounds=3), end(rounds=3), end(rounds=5)).rounds
    assert [(bar.label, bar.percent, bar.is_top) for bar in shown.bars] == [
        ("2", 25, False),
        ("3", 50, True),
        ("4", 0, False),
        ("5", 25, False),
    ]
    assert shown.bars[1].height > shown.bars[0].height > shown.bars[2].height == 0
    assert shown.words == "Round 2 to 5, average 3.2, most often 3"
    assert shown.usual == "round 3–5"
    assert view(end(rounds=7)).rounds.usual == "round 7"


def test_rounds_of_long_fights_share_bars() -> None:
    shown = view(end(rounds=2), end(rounds=6), end(rounds=61)).rounds
    assert (shown.step, len(shown.bars)) == (5, 12)
    assert [bar.percent for bar in shown.bars if bar.percent] == [67, 33]
    assert shown.bars[-1].label == "57"


def test_large_chance_is_that_of_the_allies_in_words() -> None:
    first = view(*[end("crew")] * 20, *[end("pirates")] * 80).odds.first
    assert (first.label, first.percent, first.sense, first.between) == ("crew", 20, "unlikely", "13 to 29%")
    assert view(end("crew")).odds.first.sense == "almost certain"
    assert view(*[end("crew"), end("pirates")] * 20).odds.first.sense == "as likely as not"


def test_large_chance_begins_the_bar_and_its_margin_lies_on_it() -> None:
    shown = view(*[end("pirates")] * 50, *[end("crew")] * 50, first="pirates").odds
    crew = shown.first
    assert (crew.label, crew.x, crew.between) == ("crew", 0.0, "40 to 60%")
    assert [crew.low, crew.high] == pytest.approx([40.4, 59.6], abs=0.1)
    assert shown.words == "crew 50%, pirates 50%"
    assert view(*[end("crew")] * 50).odds.first.middle == 88, "its words stay on the picture"


@pytest.mark.parametrize(("times", "fights"), [(0, 1), (0, 50), (1, 1), (25, 50), (999, 1000)])
def test_margin_holds_the_chance_and_lies_between_none_and_all(times: int, fights: int) -> None:
    low, high = find_margin(times / fights, fights)
    assert 0 <= low <= times / fights <= high <= 1


def test_forecast_names_the_end_of_the_boss() -> None:
    """Whom the GM or the notes name so, else the only one of the others whose name says that they lead."""
    job = make_job(*[end("crew", dropped=("f2",))] * 3, end("pirates", dropped=("f1",)))
    assert make_odds(job, TONES).end == ""
    assert make_odds(job, TONES, "f2").end == "Pirate goes down in 75%"
    job.names |= {"f2": "Captain Vox", "f3": "Chief Bo"}
    assert make_odds(job, TONES).end == "Captain Vox goes down in 75%", "an ally who leads is no boss"
    job.names["f4"], job.side_of["f4"] = "Boss", "pirates"
    assert make_odds(job, TONES).end == "", "nobody of several"
