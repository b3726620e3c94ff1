"""Check that the stored data of an encounter agrees with its history."""

from __future__ import annotations

import zlib
from collections import OrderedDict

from combat.models import Encounter, StoredStep
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.memory import remember
from combat.rules.core.state.history import COMMAND, StateTimeline, Step
from combat.rules.core.state.state import State, decode, encode

MAX_PROOFS = 4  # encounters

_proofs: OrderedDict[int, Proof] = OrderedDict()  # by encounter; taken out while one is in use


def read_step(row: StoredStep) -> Step:
    """The step of a row, decoded only once."""
    return _read(row.record)


@remember
def _read(record: bytes | memoryview) -> Step:
    return read_json(bytes(record), Step)


class Proof:
    """A verified log, byte for byte: as long as it only grows, just what is new in it has to be replayed."""

    def __init__(self, start: bytes) -> None:
        self.start = start
        self.course = StateTimeline(decode(start))
        self.records: list[bytes] = []  # of the steps that the course has followed
        self.agreed: dict[int, tuple[State, bytes]] = {}  # by step: the state after it, and as it is stored

    def is_of(self, start: bytes, records: list[bytes]) -> bool:
        """Whether this log begins with the one that was verified."""
        return self.start == start and self.records == records[: len(self.records)]

    def follow(self, records: list[bytes]) -> None:
        """Replay the steps that are new."""
        for record in records[len(self.records) :]:
            self.course.follow(read_json(record, Step))
            self.records.append(record)

    def agrees(self, number: int, after: bytes) -> bool:
        """Whether a step led to the state that is stored with it.

        The newest is compared once more after the next step, which may not change it.
        """
        state, (known, stored) = self.course.states[number], self.agreed.get(number, (None, b""))
        if state is known and after == stored:
            return True
        if number < len(self.records):
            self.agreed[number] = state, after
        return encode(state) == zlib.decompress(after)


def verify(encounter: Encounter) -> None:
    """Compare the live state, and what is stored with each step, with a fold of all facts.

    A difference is a bug of ours, or someone has changed the database.
    """
    rows = encounter.log.values_list("number", "kind", "struck", "record", "after")
    start, records = bytes(encounter.start), [bytes(record) for _, _, _, record, _ in rows]
    proof = _proofs.pop(encounter.pk, None)
    if proof is None or not proof.is_of(start, records):
        proof = Proof(start)
    proof.follow(records)
    for number, _, _, _, after in rows:
        if not proof.agrees(number, bytes(after)):
            raise RuntimeError(f"encounter {encounter.pk}: step {number} differs from its history")
    undone = {number for number, kind, *_ in rows if kind == COMMAND} - set(proof.course.line.live)
    struck = {number for number, _, is_struck, *_ in rows if is_struck}
    if encode(proof.course.state) != bytes(encounter.state) or struck != undone:
        raise RuntimeError(f"encounter {encounter.pk}: the state differs from its history")
    _keep(encounter.pk, proof)


def _keep(pk: int, proof: Proof) -> None:
    _proofs[pk] = proof
    if len(_proofs) > MAX_PROOFS:
        _proofs.popitem(last=False)
