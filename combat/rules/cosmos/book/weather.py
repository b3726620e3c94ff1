"""The kinds of weather and their effects."""

from __future__ import annotations

from msgspec import Struct


class Weather(Struct, frozen=True):
    """The effect of weather: on ranged attacks in points, on movement, and its concealment.

    `label` names it in forms, `term` among modifiers.

    [COS-XENV-05] [COS-XENV-06] [COS-XENV-07] [COS-XENV-09]  RULING R48.
    """

    label: str
    term: str
    wind: int = 0
    halves_movement: bool = False
    concealment: str = "none"


WEATHER = {
    "fair": Weather("Fair", "weather.fair"),
    "wind": Weather("Strong wind", "weather.wind", -2, True),
    "gale": Weather("Storm-force wind", "weather.gale", -4, True),
    "rain": Weather("Rain", "weather.rain", concealment="light"),
    "downpour": Weather("Downpour", "weather.downpour", concealment="heavy"),
    "storm": Weather("Storm", "weather.storm", -2, True, "light"),
}
