"""The example program by itself: what it waits for, and whom it leaves alone."""

from __future__ import annotations

import json
import time
from email.message import Message
from io import BytesIO
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

import pytest

from combat.pages.programs import play_a_seat
from combat.pages.programs.play_a_seat import SECONDS, Player, Refusal, Table

SUGGESTED = {"action": "attack", "fields": {"target": "f2"}}
END_TURN, END_FIGHT = {"action": "next_turn", "fields": {}}, {"action": "end_fight", "fields": {}}


def offer(**changes: Any) -> dict[str, Any]:
    """What a GM's program is offered in the turn of f1."""
    return {
        "stamp": "now",
        "phase": "fight",
        "combatant": "f1",
        "acts": True,
        "verdict": "",
        "questions": [],
        "actions": [],
        "gm": [{"name": "start", "usual": {"dice": "app"}}],
        "suggested": SUGGESTED,
        "ends_turn": END_TURN,
        "ends_fight": END_FIGHT,
        **changes,
    }


def ask(*people: str) -> dict[str, Any]:
    """A question to these combatants."""
    return {"question": 0, "kind": "roll", "combatants": list(people), "choices": [], "parts": []}


class FakeTable:
    """A table that notes what it is sent; it offers in turn what it is given, then that the fight is over."""

    def __init__(self, *offered: dict[str, Any], players: dict[str, str] | None = None) -> None:
        self.offered = [*offered, offer(phase="over")]
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.waited: list[str] = []
        self.refusal: Refusal | None = None
        self.answer: dict[str, Any] = {"newest": None}
        mine = [{"id": who, "name": who, "player": name} for who, name in (players or {}).items()]
        self.seen = {"role": "gm" if players is not None else "seat", "combatants": mine}

    def get(self, what: str, **_: str) -> Any:
        return self.seen if what == "state" else self.offered.pop(0)

    def post(self, what: str, **body: Any) -> Any:
        self.sent.append((what, body))
        if self.refusal:
            raise self.refusal
        return self.answer

    def wait(self, stamp: str) -> None:
        self.waited.append(stamp)


def play(table: FakeTable, *leave: str, by: str = "tactics", plays_all: bool = False) -> list[str]:
    """What a program sent until the fight was over: actions, and "answer"."""
    Player(table, by, set(leave), plays_all=plays_all).play()  # type: ignore[arg-type]  # it is no Table
    return [body.get("action", "answer") for _, body in table.sent]


def test_acts_in_its_own_turn_alone() -> None:
    assert play(FakeTable(offer())) == ["attack"]
    table = FakeTable(offer(), offer(combatant="f2"))
    assert play(table, "f1") == ["attack"]
    assert table.waited == ["now"]
    assert [body["combatant"] for _, body in table.sent] == ["f2"]


@pytest.mark.parametrize(
    ("people", "leave", "answers"),
    [
        (("f1",), (), True),
        (("f1",), ("f1",), False),
        (("f1", "f2"), ("f1",), True),  # one answer is enough
        (("f1", "f2"), ("f1", "f2"), False),
        ((), ("f1",), True),  # it is asked of the GM
    ],
)
def test_answers_for_those_whom_it_does_not_leave(
    people: tuple[str, ...], leave: tuple[str, ...], answers: bool
) -> None:
    table = FakeTable(offer(acts=False, ends_turn=None, questions=[ask(*people)]))
    assert play(table, *leave) == (["answer"] if answers else [])
    assert table.waited == ([] if answers else ["now"])


def test_question_to_others_is_passed_over_for_one_of_its_own() -> None:
    table = FakeTable(offer(questions=[ask("f1"), {**ask("f2"), "question": 1}]))
    assert play(table, "f1") == ["answer"]
    assert table.sent[0][1]["question"] == 1


def test_gms_program_leaves_those_who_have_a_player() -> None:
    table = FakeTable(offer(), players={"f1": "Pia", "f2": ""})
    assert (play(table), table.waited) == ([], ["now"])
    assert play(FakeTable(offer(combatant="f2"), players={"f1": "Pia", "f2": ""})) == ["attack"]
    assert play(FakeTable(offer(), players={"f1": "Pia", "f2": ""}), plays_all=True) == ["attack"]
    assert play(FakeTable(offer(), players={"f1": "", "f2": ""}), "f1") == []


def test_gms_program_begins_passes_empty_turns_and_ends() -> None:
    assert play(FakeTable(offer(phase="prep", acts=False))) == ["start"]
    assert play(FakeTable(offer(acts=False))) == ["next_turn"]
    assert play(FakeTable(offer(acts=False, gm=[]))) == [], "a player's waits"
    assert play(FakeTable(offer(verdict="The enemies are out"))) == ["end_fight"]


@pytest.mark.parametrize("status", [409, 422])
def test_refusal_is_no_end(status: int) -> None:
    table = FakeTable(offer(), offer())
    table.refusal = Refusal(status, "stale", "Look again.")
    assert len(play(table)) == 2


def test_lost_right_ends_it() -> None:
    table = FakeTable(offer())
    table.refusal = Refusal(401, "not_allowed", "The token has ended.")
    with pytest.raises(Refusal, match="The token has ended"):
        play(table)


# ---------------------------------------------------------------- waiting


class Stream(BytesIO):
    """Events as they come, one a second of the given clock; then the connection breaks."""

    def __init__(self, clock: list[float], *names: str) -> None:
        super().__init__("".join(f"event: {name}\ndata: 1\n\n" for name in names).encode())
        self.clock, self.read_events = clock, 0

    def __next__(self) -> bytes:
        line = super().__next__()
        if line.startswith(b"event"):
            self.clock[0] += 1
            self.read_events += 1
        return line


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The present second; sleeping moves it on."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", sleep)
    return now


def wait(monkeypatch: pytest.MonkeyPatch, answer: Any) -> Request:
    """Let a program wait, with this answer or failure; the request that it sent."""
    asked: list[Request] = []

    def open_stream(request: Request, timeout: float) -> Any:
        assert timeout == SECONDS
        asked.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(play_a_seat, "urlopen", open_stream)
    Table("http://table/", "secret").wait("now")
    (request,) = asked
    return request


def make_error(status: int) -> HTTPError:
    said = json.dumps({"problem": "No.", "code": "busy"}).encode()
    return HTTPError("http://table/", status, "", Message(), BytesIO(said))


@pytest.mark.parametrize("last", ["changed", "ended", "closing"])
def test_waits_for_a_change_or_the_end(
    monkeypatch: pytest.MonkeyPatch, clock: list[float], last: str
) -> None:
    stream = Stream(clock, "hello", "beat", "beat", last, "beat")
    request = wait(monkeypatch, stream)
    assert stream.read_events == 4
    assert request.full_url == "http://table/api/table/events/"
    assert request.get_header("Last-event-id") == "now"
    assert request.get_header("Authorization") == "Bearer secret"


def test_looks_again_after_a_while_without_a_change(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    stream = Stream(clock, "hello", *["beat"] * 3 * SECONDS)
    wait(monkeypatch, stream)
    assert stream.read_events == SECONDS + 1


@pytest.mark.parametrize("problem", [make_error(429), TimeoutError(), ConnectionResetError()])
def test_looks_again_in_a_second_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, clock: list[float], problem: Exception
) -> None:
    wait(monkeypatch, problem)
    assert clock == [1]


def test_refused_stream_is_told(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    with pytest.raises(Refusal, match=r"No\.") as refused:
        wait(monkeypatch, make_error(401))
    assert (refused.value.status, clock) == (401, [0])


def test_prepares_with_the_present_stamp(capsys: pytest.CaptureFixture[str]) -> None:
    table = FakeTable()
    table.seen["stamp"] = "first"
    table.answer |= {"added": ["Bo"], "not_understood": "3 xyzzies"}
    play_a_seat.prepare(table, "dock", "1 Bo, 3 xyzzies")  # type: ignore[arg-type]  # it is no Table
    assert table.sent == [
        ("scenes", {"scene": "dock", "stamp": "first"}),
        ("people", {"notes": "1 Bo, 3 xyzzies", "stamp": "first"}),
    ]
    assert capsys.readouterr().out == "Added: Bo.\nNot understood: 3 xyzzies\n"
    table.sent.clear()
    play_a_seat.prepare(table, "", "")  # type: ignore[arg-type]
    assert table.sent == []


def test_creates_an_encounter_and_goes_on_there(capsys: pytest.CaptureFixture[str]) -> None:
    class Told:
        def post(self, what: str, **body: str) -> dict[str, str]:
            assert (what, body) == ("encounters", {"name": "The hold"})
            return {"page": "/encounters/7/", "token": "t" * 30}

    made = play_a_seat.create(Told(), "http://x/", "The hold")  # type: ignore[arg-type]  # it is no Table
    assert made.headers == {"Authorization": f"Bearer {'t' * 30}"}
    assert capsys.readouterr().out == "Created: http://x/encounters/7/\n"
