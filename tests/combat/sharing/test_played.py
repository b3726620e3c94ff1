"""Who plays a combatant: the seats say it, the fight knows it, and no undo, copy or file contradicts them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from combat.audience.changes import find_held, read_pending
from combat.audience.viewer import GM
from combat.display.log_view import view_log
from combat.models import Encounter, Seat, ShareLink, StoredStep
from combat.play.after.imports import copy_encounter, import_encounter
from combat.play.autopilot import autoplay
from combat.play.writing.encounter_service import Submission, answer, read_history, redo, submit, undo
from combat.play.writing.renewal import renew_all_dice, settle_all_players
from combat.play.writing.verification import verify
from combat.rules import find_system
from combat.rules.core.engine.document import replay, write_document
from combat.rules.core.state.history import SEATS
from combat.rules.core.state.state import State, decode, encode, is_played, replace
from combat.sharing.links import assign, end_seat, leave_seat, revoke, swap_players
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.management.commands.play import update_data
from tests.combat.cast import Cast, Place, come, seat_named
from tests.combat.pages.map.test_map_sight import WALL, set_map
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, Visit, load, read, state_of
from tests.typed import sure

BOTH = pytest.mark.usefixtures("cast")


def plays(pk: int, who: str = PIRATE) -> bool:
    """Whether the fight says that a person plays someone; the seats must say the same of an NPC."""
    state, encounter = state_of(pk), load(pk)
    found = is_played(state, state.combatants[who])
    assert encounter.open_command or state.combatants[who].pc or found == (who in find_held(encounter))
    return found


def hand_over(fight: Encounter, name: str = "Pia", who: str = PIRATE) -> Seat:
    assign(fight, [who], seat_named(name))
    assert plays(fight.pk, who)
    return seat_named(name)


def give_turn_to(pk: int, who: str) -> None:
    for _ in range(6):
        if state_of(pk).active == who:
            return
        submit(pk, Submission("next_turn"))


# ---- What broke: the GM gives someone an NPC ----


@BOTH
def test_auto_play_leaves_a_handed_over_npc_to_its_player(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("join", {"block": "pirate", "name": "Mate", "side": "enemies"}))
    hand_over(started)
    mate = next(one.id for one in state_of(started.pk).combatants.values() if one.name == "Mate")
    give_turn_to(started.pk, mate)
    autoplay(started.pk, everybody=True, by="gm")
    for _ in range(4):
        if state_of(started.pk).active == PIRATE:
            break
        submit(started.pk, Submission("next_turn"))
        if state_of(started.pk).active == mate:
            autoplay(started.pk, everybody=True, by="gm")
    assert state_of(started.pk).active == PIRATE, "its turn was played, or never came"
    assert "Your turn" in read(cast.player.get(f"/encounters/{started.pk}/")).one(id="turn").text
    gm = read(cast.gm.get(f"/encounters/{started.pk}/?combatant={PIRATE}&do=suggest"))
    assert [one["value"] for one in gm.all("button", name="do") if "autoplay" in one["value"]] == ["autoplay"]


@BOTH
def test_improvised_evening_is_played_by_people(cast: Cast, started: Encounter) -> None:
    """No hero is there: two soldiers are handed over, and auto-play stops at each of them."""
    for who in (ZARA, MARCUS):
        submit(started.pk, Submission("remove", {"target": who}))
    for side in ("allies", "enemies"):
        submit(started.pk, Submission("join", {"block": "soldier", "name": side, "side": side, "count": 2}))
    people = [one.id for one in state_of(started.pk).combatants.values() if one.name.startswith("allies")]
    hand_over(started, "Pia", people[0])
    hand_over(started, "Otto", people[1])
    had = set[str]()
    for _ in range(12):
        if state_of(started.pk).active not in {*people, ""}:
            autoplay(started.pk, everybody=True, by="gm")
        while load(started.pk).open_command:  # a question to the player: theirs to answer
            assert {who for one in sure(read_pending(load(started.pk))).requests for who in one.people} <= {
                *people
            }
            answer(started.pk, 0, roll=True)
        had.add(state_of(started.pk).active)
        if had >= {*people}:
            break
        submit(started.pk, Submission("next_turn"))
    assert had >= {*people}


@pytest.mark.slow
@BOTH
def test_fog_shows_what_a_handed_over_npc_sees(cast: Cast, bare: Encounter) -> None:
    """Without heroes nobody looked for the players, and the projector's map was empty."""
    set_map(bare.pk, walls=[WALL])
    for who in (ZARA, MARCUS):
        submit(bare.pk, Submission("remove", {"target": who}))
    Visit(cast.gm, bare.pk).do("fog", fog="true", remembers="true")
    table = f"/encounters/{bare.pk}/"
    assert "No combatants yet." in cast.watcher.get(table).content.decode()
    stamp = load(bare.pk).stamp(is_gm=False)
    hand_over(bare)
    assert load(bare.pk).stamp(is_gm=False) != stamp, "open pages of spectators look again"
    for client in (cast.watcher, cast.player):
        page = client.get(table).content.decode()
        assert "No combatants yet." not in page
        assert "Pirate" in page


# ---- The seats are the truth ----


def take_back(fight: Encounter) -> None:
    assign(fight, [PIRATE], None)


def end(fight: Encounter) -> None:
    end_seat(seat_named("Pia"))


def leave(fight: Encounter) -> None:
    leave_seat(seat_named("Pia"))


def revoke_link(fight: Encounter) -> None:
    revoke(sure(seat_named("Pia").link))


WAYS_OUT = (take_back, end, leave, revoke_link)


@BOTH
@pytest.mark.parametrize("lose", WAYS_OUT)
def test_whoever_loses_a_seat_plays_no_more(started: Encounter, lose: Callable[[Encounter], None]) -> None:
    assert not plays(started.pk)
    hand_over(started)
    lose(started)
    assert not plays(started.pk)
    assert plays(started.pk, ZARA), "a hero stays one, and is never played by the app"


@BOTH
def test_seat_may_change_hands(started: Encounter) -> None:
    hand_over(started)
    hand_over(started, "Otto")
    swap_players(started, [PIRATE, ZARA])
    assert (seat_named("Otto").combatants, seat_named("Pia").combatants) == ([MARCUS, ZARA], [PIRATE])
    assert plays(started.pk)


@BOTH
def test_heroes_leave_no_step_in_the_log(started: Encounter) -> None:
    """The log of an ordinary fight is as before: heroes are heroes, with any seat."""
    steps = load(started.pk).steps
    assign(started, [ZARA], seat_named("Otto"))
    assign(started, [ZARA], None)
    come(started, ShareLink.PLAY, "Ann", ZARA)
    assert load(started.pk).steps == steps


@BOTH
def test_co_gm_and_spectator_play_nobody(started: Encounter) -> None:
    Seat.objects.filter(name__in=("Cleo", "Wim")).update(combatants=[PIRATE])  # no page does that
    settle_all_players()
    assert not plays(started.pk)


@BOTH
def test_expired_link_ends_with_the_next_step(started: Encounter) -> None:
    seat = hand_over(started)
    ShareLink.objects.filter(pk=sure(seat.link_id)).update(expires=timezone.now() + timedelta(hours=1))
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        submit(started.pk, Submission("note", {"text": "Later.", "secret": False}))
        assert not plays(started.pk)


@BOTH
def test_no_undo_and_no_redo_unseats(started: Encounter) -> None:
    submit(started.pk, Submission("total_defense", {"actor": ZARA}))
    submit(started.pk, Submission("join", {"block": "pirate", "name": "Mate", "side": "enemies"}))
    mate = list(state_of(started.pk).combatants)[-1]
    hand_over(started, who=mate)
    hand_over(started)
    undo(started.pk)
    assert mate not in state_of(started.pk).combatants
    undo(started.pk)
    assert plays(started.pk)
    redo(started.pk)
    redo(started.pk)
    assert plays(started.pk, mate)
    assert plays(started.pk)
    for _ in range(2):
        undo(started.pk)
    take_back(started)
    end_seat(seat_named("Pia"))
    redo(started.pk)
    redo(started.pk)
    assert not plays(started.pk)
    assert not plays(started.pk, mate)
    verify(load(started.pk))


@BOTH
def test_undo_takes_back_what_was_done_and_no_seat(started: Encounter) -> None:
    submit(started.pk, Submission("total_defense", {"actor": ZARA}))
    spent = state_of(started.pk).combatants[ZARA].budget
    hand_over(started)
    undo(started.pk)
    assert state_of(started.pk).combatants[ZARA].budget != spent
    assert plays(started.pk)


@BOTH
def test_fight_waits_for_an_open_command(started: Encounter) -> None:
    """A command goes on as it began; the seats count once it is done."""
    done = submit(
        started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, typed=True)
    )
    assert done.waiting
    assign(started, [PIRATE], seat_named("Pia"))
    assert not is_played(state_of(started.pk), state_of(started.pk).combatants[PIRATE])
    while load(started.pk).open_command:
        answer(started.pk, 0, roll=True)
    assert plays(started.pk)


# ---- Everything that makes a fight from a fight ----


@BOTH
def test_export_replays_and_an_import_has_no_players(gm: User, started: Encounter) -> None:
    hand_over(started)
    submit(started.pk, Submission("total_defense", {"actor": ZARA}))
    undo(started.pk)
    document = read_history(load(started.pk))
    verdict = replay(document, find_system)
    assert verdict.ok, verdict.summary
    made = import_encounter(gm, write_document(document)).encounter
    assert not plays(made.pk)
    verify(load(made.pk))
    again = replay(read_history(load(made.pk)), find_system)
    assert again.ok, again.summary


@BOTH
def test_forged_step_of_seats_is_refused(started: Encounter) -> None:
    hand_over(started)
    document = read_history(load(started.pk))
    foul = document.steps[0].facts[:1]
    steps = tuple(replace(s, facts=foul) if s.kind == SEATS else s for s in document.steps)
    assert not replay(replace(document, steps=steps), find_system).ok


@pytest.mark.usefixtures("db")
def test_copy_has_no_players(gm: User, prepared: Encounter) -> None:
    come(prepared, ShareLink.PLAY, "Pia")
    hand_over(prepared)
    copy = copy_encounter(load(prepared.pk), gm)
    assert not plays(copy.pk)
    assert plays(prepared.pk)


@BOTH
def test_restored_table_knows_who_has_no_seat_there(started: Encounter) -> None:
    hand_over(started)
    Seat.objects.filter(name="Pia").update(ended=timezone.now())  # what a restore does
    renew_all_dice()
    assert not plays(started.pk)


def forget_players(state: State) -> State:
    return replace(state, played=State("cosmos").played)


@BOTH
def test_fight_of_the_first_release_learns_who_plays(started: Encounter) -> None:
    """There the seats knew it, and the log did not."""
    hand_over(started)
    kept = seat_named("Pia").combatants
    assign(started, [PIRATE], None)
    StoredStep.objects.filter(kind=SEATS).delete()
    old = forget_players(decode(bytes(load(started.pk).state)))
    steps = started.log.count()
    Encounter.objects.filter(pk=started.pk).update(state=encode(old), steps=steps)
    Seat.objects.filter(name="Pia").update(combatants=kept)
    update_data()  # as `play` does when it starts
    assert plays(started.pk)
    settle_all_players()
    assert started.log.filter(kind=SEATS).count() == 1


# ---- What others notice ----


@BOTH
def test_handing_over_tells_nobody_who_plays(cast: Cast, started: Encounter) -> None:
    """Only the GM is told who plays one of the GM's combatants; no log has a line of it."""
    clients = cast.gm, cast.other, cast.watcher
    log, table = f"/encounters/{started.pk}/log/", f"/encounters/{started.pk}/"
    before = [client.get(log).content.decode().count("log-entry") for client in clients]
    steps = [len(view_log(ViewerContext(load(started.pk), GM), started.log.all()))]
    assert all(before)
    hand_over(started)
    assert before == [client.get(log).content.decode().count("log-entry") for client in clients]
    assert steps == [len(view_log(ViewerContext(load(started.pk), GM), started.log.all()))]
    hp = state_of(started.pk).combatants[PIRATE].tracks["hp"]
    rows = [read(client.get(table)).one(id=f"row-{PIRATE}").text for client in (cast.player, cast.other)]
    assert [str(hp) in row for row in rows] == [True, False]


@BOTH
@pytest.mark.usefixtures("fives")
def test_player_reads_the_wounds_of_the_npc_that_they_were_given(cast: Cast, started: Encounter) -> None:
    hand_over(started)
    Place(cast.player, started.pk).act("attack", ZARA, target=PIRATE)
    hp = state_of(started.pk).combatants[PIRATE].tracks["hp"]
    log = {
        role: cast[role].get(f"/encounters/{started.pk}/log/").content.decode()
        for role in ("player", "other")
    }
    assert f"→ {hp}" in log["player"]
    assert f"→ {hp}" not in log["other"]
