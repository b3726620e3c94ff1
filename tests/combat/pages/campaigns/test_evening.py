"""A campaign's evening: fights in order, those left out and why, and the forecast; for its owner alone."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec.structs import replace
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Campaign, Encounter
from combat.play.campaigns.campaigns import add_members, create_campaign
from combat.play.whatif import forecast_jobs
from combat.play.whatif.evenings import NO_FIGHTS, NO_SIDES, NOBODY, begin, find_plan
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.odds.evening import WON
from combat.rules.core.odds.forecast import CLOSE, Ending
from tests.browser import check_looks, find_overflow
from tests.combat.cast import gather
from tests.combat.evenings import FIRST, SECOND, make_evening, make_hero, prepare
from tests.combat.visit import read, state_of
from tests.typed import Answer, sure


@pytest.fixture
def campaign(gm: User) -> Campaign:
    return make_evening(gm)


@pytest.fixture(autouse=True)
def let_worker_go() -> Iterator[None]:
    """End worker processes with their test."""
    yield
    forecast_jobs.stop()


def look(client: Client, campaign: Campaign) -> str:
    return client.get(f"/campaigns/{campaign.pk}/evening/").content.decode()


def fights_of(campaign: Campaign) -> list[Encounter]:
    return [row.encounter for row in find_plan(campaign).rows]


def send(client: Client, campaign: Campaign, do: str, out: int = 0, rest: str = "") -> Answer:
    """Press a button of the plan's form, with the rest before the second fight."""
    order = [one.pk for one in fights_of(campaign)]
    fields = {f"rest-{number}": rest for number in order[1:]}
    chosen = [number for number in order if number != out]
    fields |= {"do": do, "fight": order, "chosen": chosen}  # type: ignore[dict-item]
    answer = client.post(f"/campaigns/{campaign.pk}/evening/", fields)
    campaign.refresh_from_db()
    return answer


def make_job(campaign: Campaign, **more: object) -> forecast_jobs.Job:
    """A finished forecast: of 100 evenings 50 go well, 10 fail in the first fight, 40 in the second."""
    plan = find_plan(campaign)
    vega = next(str(number) for number, name in plan.names.items() if name == "Vega")
    won, lost = ("heroes",), ("foes",)

    def end(one: tuple[str, ...], two: tuple[str, ...], *dead: str) -> Ending:
        first = Ending(one, 4, dead, dead=dead, left=80)
        second = Ending(two, 0 if dead else 6, dead or (vega,), dead=dead, left=40)
        return Ending((WON,) if (one, two) == (won, won) else (), 10, dead, legs=(first, second))

    endings = [end(won, won)] * 50 + [end(lost, lost, vega)] * 10 + [end(won, lost)] * 40
    job = forecast_jobs.Job("x", plan.stamp, "cosmos", done=100, endings=endings, settled=True)
    job.names = {str(number): name for number, name in plan.names.items()}
    for key, value in more.items():
        setattr(job, key, value)
    forecast_jobs._keep(plan.place, job)
    return job


# ---- The plan ----


def test_campaign_leads_to_its_evening(gm_client: Client, campaign: Campaign) -> None:
    page = gm_client.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert f'href="/campaigns/{campaign.pk}/evening/"' in page


def test_fights_are_ordered_chosen_and_get_rests(gm_client: Client, campaign: Campaign) -> None:
    first, second = fights_of(campaign)
    assert [first.name, second.name] == [FIRST, SECOND]
    assert send(gm_client, campaign, f"earlier:{second.pk}", rest="night").status_code == 303
    plan = find_plan(campaign)
    assert [(one.encounter.name, one.rest) for one in plan.fights] == [(SECOND, "night"), (FIRST, "")]
    send(gm_client, campaign, f"later:{second.pk}", rest="day")
    assert [one.encounter.name for one in find_plan(campaign).fights] == [FIRST, SECOND]
    send(gm_client, campaign, "plan", out=first.pk, rest="day")
    plan = find_plan(campaign)
    assert [one.encounter.name for one in plan.fights] == [SECOND]
    assert [one.rest for one in plan.rows] == ["", "day"]
    boxes = read(gm_client.get(f"/campaigns/{campaign.pk}/evening/")).all("input", name="chosen")
    assert [("checked" in box.attrs) for box in boxes] == [False, True]


def test_begun_fight_is_no_longer_listed_and_a_new_one_is_last(
    gm: User, gm_client: Client, campaign: Campaign
) -> None:
    first, second = fights_of(campaign)
    send(gm_client, campaign, f"earlier:{second.pk}")
    submit(first.pk, Submission("start", {}))
    prepare(campaign, "The way out", [], 1)
    assert [one.name for one in fights_of(campaign)] == [SECOND, "The way out"]


@pytest.mark.parametrize(
    ("do", "fields", "status", "words"),
    [
        ("plan", {"rest": "party"}, 422, "Choose the rest before"),
        ("earlier:999999", {}, 409, "That fight is no longer here"),
        ("later:x", {}, 422, "Choose fights from the list."),
        ("dance", {}, 422, "This page has no such action."),
    ],
)
def test_what_the_page_does_not_offer_is_refused(
    gm_client: Client, campaign: Campaign, do: str, fields: dict[str, str], status: int, words: str
) -> None:
    refused = send(gm_client, campaign, do, **fields)  # type: ignore[arg-type]
    assert refused.status_code == status
    assert words in refused.content.decode()
    assert campaign.evening == []


def test_fights_that_do_not_fit_are_named_and_left_out(
    gm: User, gm_client: Client, campaign: Campaign
) -> None:
    first = fights_of(campaign)[0]
    others = [make_hero(gm, "Bo"), make_hero(gm, "Zed", "starshock")]
    add_members(campaign, [one.pk for one in others])
    prepare(campaign, "Nobody against them", others[:1], 0)
    prepare(campaign, "Thugs alone", [], 2)
    submit(fights_of(campaign)[-1].pk, Submission("join", {"block": "street_thug", "side": "gang"}))
    prepare(campaign, "Elsewhere", others[:1], 1)
    prepare(campaign, "Another world", others[1:], 1, "starshock")
    why = {row.encounter.name: row.problem for row in find_plan(campaign).rows}
    assert why == {
        FIRST: "",
        SECOND: "",
        "Nobody against them": NO_SIDES,
        "Thugs alone": NOBODY,
        "Elsewhere": f"Nobody in it was in “{FIRST}”: it is another party's.",
        "Another world": f"Another game than that of “{FIRST}”: select one of them.",
    }
    assert look(gm_client, campaign).count("Left out.") == 4
    assert find_plan(campaign).fights[0].encounter == first


def test_campaign_without_prepared_fights_says_what_to_do(gm: User, gm_client: Client) -> None:
    campaign = create_campaign(gm, "Empty")
    page = look(gm_client, campaign)
    assert "No prepared fights" in page
    assert f"/encounters/new/?campaign={campaign.pk}" in page
    refused = gm_client.post(f"/campaigns/{campaign.pk}/evening/", {"do": "start"})
    assert refused.status_code == 409


def test_evening_of_no_fitting_fight_does_not_begin(gm: User, gm_client: Client) -> None:
    campaign = create_campaign(gm, "Alone")
    prepare(campaign, "Thugs alone", [], 2)
    page = look(gm_client, campaign)
    assert NO_FIGHTS in page
    assert 'hx-trigger="load"' not in page


# ---- The forecast ----


def test_page_says_how_far_they_come_where_it_turns_who_is_down(
    gm_client: Client, campaign: Campaign
) -> None:
    make_job(campaign)
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/evening/"))
    job = page.one(id="job").text
    assert "50% (40–60%)" in job
    assert f"The evening turns in “{SECOND}”: 40% of evenings go wrong there first." in job
    assert "100 evenings played" in job
    rows = [row.text for row in page.all("tr")]
    assert "90%" in rows[1]
    assert "80%" in rows[1]
    assert "50%" in rows[2]
    assert "in 10% only one side can begin it" in rows[2]
    vega = next(row for row in rows if row.startswith("Vega"))
    assert "10% 10% dead" in vega
    assert "100% 10% dead" in vega
    assert next(row for row in rows if row.startswith("Marcus")).count("0%") == 2


def test_page_begins_with_what_the_evening_costs_whom(gm_client: Client, campaign: Campaign) -> None:
    """More than a tenth of evenings is a price; the dearest stands first."""
    job = make_job(campaign)
    address = f"/campaigns/{campaign.pk}/evening/"

    def tell(endings: list[Ending]) -> tuple[str, list[str]]:
        make_job(campaign, endings=endings)
        page = read(gm_client.get(address))
        costs = page.all("li", page.one("ol", class_="evening-cost"))
        return page.one("h2", class_="evening-price").text, [one.text for one in costs]

    won, dead, down = job.endings[:50], job.endings[50:60], job.endings[60:]
    headline, costs = tell(won + dead + down)
    assert headline == "Nobody should die", "ten of a hundred are no price yet"
    assert costs == ["Vega 10% dead, down in 100 of 100", "Marcus Oduya 0% never down"]
    assert tell(won + dead[:1] * 11 + down[:39])[0] == "The evening may cost Vega"
    nobody = replace(won[0], legs=tuple(replace(leg, dropped=()) for leg in won[0].legs))
    assert tell([nobody] * 100)[0] == "Nobody should fall"
    both = replace(dead[0], legs=tuple(replace(leg, dead=tuple(job.names)) for leg in dead[0].legs))
    headline, costs = tell([both] * 60 + [dead[0]] * 40)
    assert headline == "The evening may cost Vega and Marcus Oduya"
    assert [cost.split("%")[0] for cost in costs] == ["Vega 100", "Marcus Oduya 60"]


def test_page_says_what_is_refused_unsure_known_of_a_fight_alone(
    gm_client: Client, campaign: Campaign
) -> None:
    """A rest in ten of a hundred evenings, two fights too near to tell, one that has no end."""
    job, fights = make_job(campaign), fights_of(campaign)
    address = f"/campaigns/{campaign.pk}/evening/"
    assert "alone" not in read(gm_client.get(address)).one(id="job").text
    alone = forecast_jobs.Job("y", fights[1].stamp(is_gm=True), "cosmos", done=4, settled=True)
    alone.endings = [Ending(("heroes",), 3, ())] * 3 + [Ending(("foes",), 3, ())]
    forecast_jobs._keep(fights[1].pk, alone)
    (won, bad), worst = job.endings[0].legs, job.endings[-1].legs[1]
    bad = replace(bad, unrested=("1",))
    near = [replace(job.endings[0], legs=(won, bad))] * 10 + job.endings[:40]
    near += [replace(job.endings[50], legs=job.endings[50].legs)] * 24 + [job.endings[-1]] * 26
    make_job(campaign, endings=near)
    page = read(gm_client.get(address)).one(id="job").text
    assert "in 10% the rules refuse someone this rest" in page
    assert "alone 75%" in page
    assert f"turns in “{SECOND}” or “{FIRST}”: 26% and 24%" in page
    make_job(campaign, endings=job.endings[:1] * 100)
    assert "No fight stands out: nearly every evening" in read(gm_client.get(address)).one(id="job").text
    endless = replace(job.endings[0], standing=(), legs=(won, replace(worst, standing=("heroes", "foes"))))
    make_job(campaign, endings=[endless] * 60 + job.endings[:40])
    page = read(gm_client.get(address)).one(id="job").text
    assert f"Unsure: “{SECOND}” often does not end, and is not won then." in page
    assert "turns in" not in page


def test_forecast_of_other_fights_says_so_and_begins_again(gm_client: Client, campaign: Campaign) -> None:
    make_job(campaign)
    assert 'hx-trigger="load"' not in look(gm_client, campaign)
    submit(fights_of(campaign)[1].pk, Submission("join", {"block": "street_thug"}))
    page = look(gm_client, campaign)
    assert "The fights have changed since" in page
    assert 'hx-trigger="load"' in page
    assert "50%" not in page, "nothing of the old one is shown"


def test_running_forecast_is_seen_and_cancelled_without_script(gm_client: Client, campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.pk}/evening/"
    assert gm_client.post(address, {"do": "start"}).status_code == 303
    page = look(gm_client, campaign)
    assert f'<a class="btn" href="{address}">Look again</a>' in page
    assert f'hx-get="{address}?running=1"' in page
    first = sure(forecast_jobs.read_job(f"evening:{campaign.pk}"))
    assert first.chunk == 5, "as many fights as a chunk of every other forecast"
    assert begin(find_plan(campaign)).id == first.id, "the running one goes on"
    gm_client.post(address, {"do": "cancel"})
    assert sure(forecast_jobs.read_job(f"evening:{campaign.pk}")).cancelled
    assert "Canceled after" in look(gm_client, campaign)


@pytest.mark.slow
def test_evenings_are_played_until_every_chance_is_known(campaign: Campaign) -> None:
    begin(find_plan(campaign))
    until = time.monotonic() + 300
    while (job := sure(forecast_jobs.read_job(f"evening:{campaign.pk}"))).running:
        assert time.monotonic() < until, "the forecast did not finish"
        time.sleep(0.2)
    assert job.settled
    assert job.closeness <= CLOSE
    assert {len(ending.legs) for ending in job.endings} == {2}
    first, second = (
        sum(ending.legs[number].standing == ("heroes",) for ending in job.endings) for number in (0, 1)
    )
    assert second < first, "two thugs, and what is left of the party"


# ---- Who may see it ----


def test_evening_is_the_owners_alone(gm: User, campaign: Campaign) -> None:
    fight = fights_of(campaign)[0]
    who = [one.id for one in state_of(fight.pk).combatants.values() if one.pc]
    cast, address = gather(fight, *who), f"/campaigns/{campaign.pk}/evening/"
    make_job(campaign)
    assert SECOND in cast.gm.get(address).content.decode()
    for role, status in (
        ("co_gm", 302),
        ("player", 302),
        ("other", 302),
        ("watcher", 302),
        ("revoked", 302),
        ("stranger", 404),
        ("nobody", 302),
    ):
        for answer in (cast[role].get(address), cast[role].post(address, {"do": "cancel"})):
            assert answer.status_code == status, role
            assert SECOND not in answer.content.decode()
    assert not sure(forecast_jobs.read_job(f"evening:{campaign.pk}")).cancelled


# ---- In a browser ----


@pytest.mark.slow
def test_evening_plays_by_itself_and_fits_a_phone(
    live_server: LiveServer, visitor: Page, campaign: Campaign
) -> None:
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.goto(f"{live_server.url}/campaigns/{campaign.pk}/evening/")
    expect(visitor.locator("#job")).to_contain_text("Who is down after which fight", timeout=60_000)
    assert find_overflow(visitor) == []
    visitor.get_by_role("button", name=f"{SECOND} earlier").click()
    expect(visitor.locator(".evening-plan b").first).to_have_text(SECOND)
    expect(visitor.locator("#job")).to_contain_text("evenings played", timeout=60_000)
    visitor.get_by_role("button", name="Cancel").click()
    expect(visitor.locator("#job")).to_contain_text("Canceled after")


@pytest.mark.slow
def test_finished_evening_has_no_barriers(live_server: LiveServer, visitor: Page, campaign: Campaign) -> None:
    make_job(campaign)
    check_looks(visitor, f"{live_server.url}/campaigns/{campaign.pk}/evening/")
    expect(visitor.locator("#job")).to_contain_text("100 evenings played")
