"""What an audience knows is worked out once for each state, and only for that audience."""

from __future__ import annotations

from combat.audience.known_states import KnownStates
from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.rules.core.state.state import Combatant, State, replace

SECRET = Combatant("f2", "Lurker", "foes", {}, hidden=True)
ADA, BO = Combatant("f1", "Ada", "heroes", {}, pc=True), Combatant("f3", "Bo", "foes", {}, pc=True)
FIGHT = State(
    "cosmos", combatants={"f1": ADA, "f2": SECRET, "f3": BO}, order=("f1", "f2", "f3"), phase="fight"
)
ADAS, BOS, ALL = Viewer("seat", frozenset({"f1"})), Viewer("seat", frozenset({"f3", "f2"})), Viewer()


class Counting(KnownStates):
    """Counts how often something was worked out."""

    made = 0

    def know(self, state: State, viewer: Viewer, encounter: int = 1) -> State:
        """What a viewer knows of a state."""

        def find() -> State:
            self.made += 1
            return redact(state, viewer)

        return self.find(encounter, state, viewer, find)


def test_equal_viewers_share_one_state_and_others_have_their_own() -> None:
    states = Counting()
    first = states.know(FIGHT, ADAS)
    assert states.know(FIGHT, Viewer("seat", frozenset({"f1"}))) is first
    assert states.made == 1
    assert set(states.know(FIGHT, BOS).combatants) == {"f1", "f2", "f3"}, "who plays it sees it"
    assert set(states.know(FIGHT, ADAS).combatants) == {"f1", "f3"}
    assert set(states.know(FIGHT, ALL).combatants) == {"f1", "f3"}
    assert states.made == 3


def test_each_audience_gets_what_it_would_get_alone_in_any_order() -> None:
    states = Counting()
    revealed = replace(FIGHT, combatants={**FIGHT.combatants, "f2": replace(SECRET, hidden=False)})
    for state in (FIGHT, revealed, replace(FIGHT, round=3), FIGHT):
        for viewer in (BOS, ALL, ADAS, BOS):
            assert states.know(state, viewer) == redact(state, viewer)


def test_what_did_not_change_is_the_same_object_in_the_next_state() -> None:
    states = Counting()
    before = states.know(FIGHT, ADAS)
    after = states.know(
        replace(FIGHT, combatants={**FIGHT.combatants, "f3": replace(BO, tracks={"hp": 1})}), ADAS
    )
    assert after.scene is before.scene
    assert after["f1"] is before["f1"]
    assert after["f3"].tracks == {"hp": 1}


def test_least_used_audiences_make_room() -> None:
    states = Counting(2)
    states.know(FIGHT, ADAS, 1)
    states.know(FIGHT, ADAS, 2)
    states.know(FIGHT, ADAS, 1)
    states.know(FIGHT, ADAS, 3)
    assert [encounter for encounter, _ in states.kept] == [1, 3]
    assert set(states.latest) == {1, 3}
    assert states.made == 3
