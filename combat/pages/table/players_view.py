"""Who plays whom, at the table: handed to a player, back to the GM, or two players change places."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, QueryDict

from characters.display.shapes import Shape
from combat.audience.changes import find_players
from combat.display.combatants.tokens import Look
from combat.display.shapes.table_shapes import CombatantView
from combat.models import Seat
from combat.rules.core.basics.names import NUMBERED
from combat.sharing.links import assign, find_open_seat, swap_players
from combat.sharing.viewer_context import ViewerContext

HAND_OVER, SWAP = "hand_over", "swap_players"
PLAYERS = "players"  # the form in the small window
BETWEEN = ","  # combatants of one field
GM_SEAT = ""  # in place of a seat's number: the GM
NOT_THE_OWNER = "Only the GM of this encounter decides who plays whom."


class PlayerFace(Shape, frozen=True):
    """A player as a face: whose it is, whom they play, and whether they play the one in the window."""

    seat: str
    name: str
    look: Look | None
    plays: str
    is_now: bool


class PlayersForm(Shape, frozen=True):
    """Who may play a combatant, and whose players can change places with theirs.

    `namesakes` are those of the same name and player, who can be handed over with them. `said` tells of the
    change just made, `was` and `others` are whom its undo gives back, and whom with them.
    """

    faces: tuple[PlayerFace, ...]
    now: str
    namesakes: tuple[CombatantView, ...]
    swaps: tuple[CombatantView, ...]
    said: str = ""
    was: str | None = None
    others: str = ""

    @property
    def together(self) -> str:
        """The namesakes as a form sends them."""
        return BETWEEN.join(one.id for one in self.namesakes)


def open_players(
    context: ViewerContext, whose: str, combatants: Mapping[str, CombatantView], posted: QueryDict | None
) -> PlayersForm | None:
    """The form of a combatant; None for all but the GM. `posted` is the change just made, for its undo."""
    one = combatants.get(whose)
    if one is None or not is_owner(context):
        return None
    seats = list(find_players(context.encounter.pk))
    players = {who: str(seat.pk) for seat in seats for who in seat.combatants}
    now = players.get(whose, GM_SEAT)
    faces = [_view_face(seat, combatants, now) for seat in seats]
    faces.append(PlayerFace(GM_SEAT, "GM", None, "", is_now=now == GM_SEAT))
    swaps = [other for who, other in combatants.items() if players.get(who, GM_SEAT) != now]
    return PlayersForm(
        tuple(faces),
        now=now,
        namesakes=tuple(
            other for other in _find_namesakes(one, combatants) if players.get(other.id, GM_SEAT) == now
        ),
        swaps=tuple(swaps),
        said=_say(posted, one, faces) if posted else "",
        was=posted.get("was") if posted and posted["do"] == HAND_OVER else None,
        others=posted.get("all", "") if posted else "",
    )


def find_player_look(seat: Seat, combatants: Mapping[str, CombatantView]) -> Look | None:
    """A player's face: that of the first hero they play, as far as the viewer knows them."""
    mine = [combatants[who] for who in seat.combatants if who in combatants]
    return next((one.look for one in mine if one.pc), None)


def is_owner(context: ViewerContext) -> bool:
    """Whether the viewer is the GM whose encounter it is: co-GMs have seats."""
    return context.viewer.is_gm and context.seat is None


def _view_face(seat: Seat, combatants: Mapping[str, CombatantView], now: str) -> PlayerFace:
    plays = ", ".join(combatants[who].full_name for who in seat.combatants if who in combatants)
    number = str(seat.pk)
    return PlayerFace(number, seat.name, find_player_look(seat, combatants), plays, is_now=number == now)


def _find_namesakes(one: CombatantView, combatants: Mapping[str, CombatantView]) -> list[CombatantView]:
    """The others of a side whose names differ by their number alone; heroes have none."""
    kind = (_strip_number(one.name), one.side, one.pc)
    alike = [other for other in combatants.values() if other.id != one.id and not other.pc]
    return [other for other in alike if (_strip_number(other.name), other.side, other.pc) == kind]


def _strip_number(name: str) -> str:
    found = NUMBERED.fullmatch(name)
    return found["base"] if found else name


def _say(posted: QueryDict, one: CombatantView, faces: list[PlayerFace]) -> str:
    """What a change came to, for the line below the faces."""
    player = next(face.name for face in faces if face.is_now)
    number = len(_read_all(posted))
    others = f" and {number} more" if number else ""
    return f"{player} plays {one.full_name}{others}."


def hand_over(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Hand a combatant, or all of its name, to a player, or back to the GM."""
    _check_owner(context)
    word = posted.get("seat", GM_SEAT)
    seat = find_open_seat(context.encounter, word) if word != GM_SEAT else None
    assign(context.encounter, [posted.get("target", ""), *_read_all(posted)], seat)


def _read_all(posted: QueryDict) -> list[str]:
    return [who for who in posted.get("all", "").split(BETWEEN) if who]


def change_places(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Let the players of two combatants change places."""
    _check_owner(context)
    swap_players(context.encounter, [posted.get("target", ""), posted.get("with", "")])


def _check_owner(context: ViewerContext) -> None:
    if not is_owner(context):
        raise Http404(NOT_THE_OWNER)


FOR_GM = {HAND_OVER: hand_over, SWAP: change_places}
