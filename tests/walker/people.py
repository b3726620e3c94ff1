"""The people of a walk and the fight they are at: a GM, two players, one who watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.core.cache import cache
from django.db import transaction
from django.test import Client

from combat.audience.viewer import GM as GM_EYES
from combat.audience.viewer import Viewer
from combat.models import Encounter, Seat, ShareLink
from combat.play.improvising import Wish, read_wishes
from combat.rules.core.state.state import State
from tests.combat.cast import come
from tests.combat.visit import load, state_of
from tests.typed import Answer

GM, PIA, OTTO, WIM = "the GM", "Pia", "Otto", "Wim"
PLAYERS = (PIA, OTTO)
SECRET = "Quenlox"  # begins every word that only the GM, or only one player, may read


class Found(AssertionError):
    """Something that the walk found: its kind, where it happened, and what is wrong."""

    def __init__(self, kind: str, told: str) -> None:
        super().__init__(f"{kind}: {told}")
        self.kind = kind


class _Back(Exception):
    """Takes back what was tried."""


@contextmanager
def taken_back() -> Iterator[None]:
    """Do something and take back all that it wrote."""
    try:
        with transaction.atomic():
            yield
            raise _Back
    except _Back:
        cache.clear()


@dataclass
class Table:
    """A fight and the browsers of its people; `shown` are secret words that were told since."""

    pk: int
    slug: str
    browsers: dict[str, Client]
    shown: set[str] = field(default_factory=set)

    @property
    def here(self) -> str:
        """The address of the table."""
        return f"/encounters/{self.pk}/"

    @property
    def encounter(self) -> Encounter:
        return load(self.pk)

    @property
    def state(self) -> State:
        return state_of(self.pk)

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """What players want to do that no button has."""
        return read_wishes(self.encounter).open

    def invite(self) -> None:
        """Two players and a watcher come by links of their own."""
        for name in PLAYERS:
            self.browsers[name] = come(self.encounter, ShareLink.PLAY, name)
        self.browsers[WIM] = come(self.encounter, ShareLink.WATCH, WIM)

    def viewer(self, who: str) -> Viewer:
        """Whose eyes someone has now."""
        if who == GM:
            return GM_EYES
        seat = Seat.objects.filter(link__encounter=self.pk, name=who).first()
        return Viewer("seat", frozenset(seat.combatants)) if seat and who in PLAYERS else Viewer()

    def find_secrets(self, who: str) -> list[str]:
        """The secret words that may be on no page of this person now."""
        if who == GM:
            return []
        state = self.state
        for one in state.combatants.values():
            if not one.hidden:
                self.shown.update(word for word in one.name.split() if word.startswith(SECRET))
        hidden = [word for one in state.combatants.values() for word in one.name.split()]
        words = {word for word in hidden if word.startswith(SECRET)} - self.shown
        others = {f"{SECRET}{name}" for name in PLAYERS if name != who}
        return [*words, *(others - self.shown), f"{SECRET}note", f"{SECRET}area"]

    def get(self, who: str, address: str, **headers: str) -> Answer:
        """Read a page; whatever comes back is searched for secrets."""
        return self._check(who, address, self.browsers[who].get(address, headers=headers, follow=not headers))

    def post(self, who: str, address: str, fields: dict[str, list[str]], **headers: str) -> Answer:
        """Send a form."""
        return self._check(who, address, self.browsers[who].post(address, fields, headers=headers))

    def _check(self, who: str, address: str, answer: Answer) -> Answer:
        if answer.status_code >= 500:
            raise Found("broken", f"{who} gets {answer.status_code} from {address}")
        if who == GM or answer.streaming:
            return answer
        text = f"{answer.content.decode(errors='replace')}{dict(answer.headers)}"
        if SECRET in text:
            for word in self.find_secrets(who):
                if word in text:
                    at = text.index(word)
                    raise Found(
                        "told", f"{who} reads {word} at {address}: …{text[max(0, at - 90) : at + 60]!r}"
                    )
        return answer
