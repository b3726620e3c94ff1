"""The shapes of odds: a sum before its roll, and how likely each loss is."""

from __future__ import annotations

from dataclasses import dataclass, field

from combat.rules.core.basics.modifiers import Modifiers, add_up, without_zeros
from combat.rules.core.commands.commands import Preview


@dataclass(frozen=True)
class Bar:
    """One amount of the distribution: its chance, and its bar's place in the picture."""

    amount: int
    percent: str
    x: int
    y: float
    height: float


@dataclass(frozen=True)
class DistributionView:
    """The distribution of what someone loses, as bars."""

    title: str
    mean: str
    bars: tuple[Bar, ...]
    width: int
    low: int
    high: int
    words: str

    @property
    def is_certain(self) -> bool:
        """Whether there is only one amount."""
        return len(self.bars) == 1


@dataclass(frozen=True)
class SumView:
    """What is added up before a roll, in words, and what against."""

    preview: Preview = field(default_factory=Preview)

    @property
    def total(self) -> int:
        """The sum of the terms."""
        return add_up(self.preview.modifiers)

    @property
    def number(self) -> int | None:
        """The number against it, if there is one."""
        return add_up(self.preview.against) if self.preview.against else None

    @property
    def shown_terms(self) -> Modifiers:
        """The terms that add something: the sum as a sentence."""
        return without_zeros(self.preview.modifiers)

    @property
    def against(self) -> Modifiers:
        """The terms of that number; those that add nothing only if all do."""
        return without_zeros(self.preview.against) or self.preview.against
