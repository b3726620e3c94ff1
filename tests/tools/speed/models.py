"""Rows outside any fight, so that what is compared with a turn changes nothing the turn reads."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Row(models.Model):
    """As much state as a fight has, and a count of its changes."""

    objects: ClassVar[models.Manager[Row]] = models.Manager()
    state = models.BinaryField()
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.version)


class Event(models.Model):
    """One change of a row."""

    objects: ClassVar[models.Manager[Event]] = models.Manager()
    row = models.ForeignKey(Row, models.CASCADE)
    number = models.PositiveIntegerField()
    record = models.BinaryField()

    def __str__(self) -> str:
        return str(self.number)
