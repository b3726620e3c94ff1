"""A game's declaration to the core: eight parts, explained in `parts.py`, `book.py` and `characters.py`.

characters: sheets, and the combatants they become. turn: how turns go. space: the places of fights.
actions: what combatants can do. book: what a table can choose and look up. tactics: automatic play, and
what odds tell. look: the look of its pages. demo: ready fights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..basics.errors import Refused
from ..basics.memory import remember
from ..basics.words import Label, MessageCatalogue, load_words
from ..book.conditions import OF_EVERY_GAME
from ..book.rulebook import (
    Rulebook,
    RuleVersions,
    find_code_folder,
    find_folders,
    load_rulebook,
    load_versions,
)
from ..commands.commands import Action, Command, read_command
from ..commands.context import RuleContext
from ..map.vision import Eyes, find_player_sides, find_unknown, find_witnesses, knows_wall
from ..space import Wall, map_of
from ..space.grid import make_grid
from ..state.events import UNTOLD
from ..state.state import Combatant, State
from .book import Book, Demos, Setting, find_defaults
from .characters import Characters, Health
from .parts import Actions, Keys, Kinds, Look, Space, Tactics, Turn, Words, read_kinds, read_looks

CORE_WORDS = Path(__file__).parents[1] / "words.toml"


class System(msgspec.Struct, frozen=True, kw_only=True):
    """One game: everything the core, the pages and the tests need to know about it."""

    # The short name, for addresses and stored fights.
    slug: str
    # The name, for people.
    name: str
    # The folder with its words, rulebook, kinds and versions.
    folder: Path
    characters: Characters
    turn: Turn
    actions: Actions
    tactics: Tactics
    demo: Demos
    space: Space = Space()
    book: Book = Book()
    look: Look = Look()

    def __repr__(self) -> str:
        """A short text: a declaration is long, and failing tests print it."""
        return f"System({self.slug!r})"

    def find_eyes(self, state: State) -> Eyes:
        """How combatants see this encounter's map."""
        health = self.characters.health
        grid = make_grid(map_of(state.scene), self.space.cell_meters, self.space.has_hexes(state))
        return Eyes(grid, lambda combatant: health(combatant).is_out)

    def find_witnesses(self, state: State, people: Iterable[str]) -> frozenset[str] | None:
        """The combatants whose players may know of all these people; None if all players may."""
        return find_witnesses(state, self.find_eyes(state), people)

    def find_unknown(self, state: State) -> frozenset[str]:
        """The combatants that some players do not know of, including those who left."""
        return find_unknown(state, self.find_eyes(state), find_player_sides(state))

    def knows_wall(self, state: State, wall: Wall) -> bool:
        """Whether every player knows of a wall or a door on the map."""
        return knows_wall(state, self.find_eyes(state), wall)

    def find_health(self, state: State, combatant: Combatant) -> Health:
        """The health of a combatant, by the table's house rules."""
        health, find_most = self.characters.health(combatant), self.characters.tracks[0].most
        return health if find_most is None else health.limit(find_most(state, combatant))

    def say_health(self, combatant: Combatant, track: str) -> Label:
        """The health of a combatant, in the book's word; UNTOLD for a track that says nothing of health."""
        tells = next((known.tells_health for known in self.characters.tracks if known.key == track), True)
        return self.characters.health(combatant).word if tells else UNTOLD

    def option(self, state: State, key: str) -> Any:
        """The value of a table option in this encounter."""
        options = state.options
        return options[key] if key in options else find_defaults(self.book.options)[key]

    def setting(self, state: State, key: str) -> str:
        """The value of a scene condition in this encounter."""
        settings = state.scene.settings
        return settings[key] if key in settings else str(find_defaults(self.book.settings)[key])

    def find_settings(self, state: State) -> tuple[Setting, ...]:
        """The scene conditions that matter by the house rules of this encounter."""
        known = self.book.settings
        return tuple(s for s in known if not s.options or any(self.option(state, key) for key in s.options))

    def find_terrains(self, state: State) -> Words:
        """The kinds of ground that matter by the house rules of this encounter."""
        of, known = self.space.zones.terrain_options, self.space.terrains
        return tuple(
            (key, label)
            for key, label in known
            if key not in of or any(self.option(state, name) for name in of[key])
        )

    def action(self, name: str) -> Action:
        """The action of this name; Refused("unknown") if the game has none."""
        found = self.actions.by_name.get(name)
        if found is None:
            raise Refused("unknown", f"{self.name} has no action “{name}”.")
        return found

    def read(self, name: str, data: dict[str, Any]) -> tuple[Action, Command]:
        """The typed command for a stored or posted one, with its action."""
        action = self.action(name)
        return action, read_command(action, data)

    @property
    def words(self) -> MessageCatalogue:
        """The words of the game and of the core by key, loaded on first use."""
        return _load_words(self)

    def draw(self, label: Label, names: Mapping[str, str] = {}) -> str:
        """The words of a label; `names` are those of the combatants the reader may know."""
        return _load_words(self).draw(label, names)

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of the game, loaded on first use."""
        return load_rulebook(self.folder)

    @property
    def versions(self) -> RuleVersions:
        """The versions of its rules and their changes, loaded on first use.

        A variant shares the code of its base, so it has the same versions.
        """
        return _find_versions(self)

    def follows(self, state: State, change: str) -> bool:
        """Whether a change of the rules, by its key in versions.toml, holds in this fight."""
        return self.versions.hold(state, change)

    def begin(self) -> State:
        """An empty encounter under the newest version of the rules."""
        return self.versions.begin(State(self.slug))

    @property
    def kinds(self) -> Kinds:
        """The kinds of its actions, conditions and damage, read on first use."""
        return _find_kinds(self)

    @property
    def looks(self) -> dict[str, Keys]:
        """The looks of its stat blocks by their names, read on first use."""
        return _find_looks(self)


def system_of(context: RuleContext) -> System:
    """The whole game that a rule runs for; the context itself uses only its `Rules`."""
    system = context.system
    assert isinstance(system, System)
    return system


@remember
def _find_versions(system: System) -> RuleVersions:
    """The versions of a game; every command needs them."""
    return load_versions(find_code_folder(system.folder))


@remember
def _load_words(system: System) -> MessageCatalogue:
    """The words of a game over those of its base, those of the declarations, and the core's."""
    words = load_words(CORE_WORDS) | _find_declared(system)
    for folder in find_folders(system.folder):
        path = folder / "words.toml"
        words |= load_words(path) if path.exists() else {}
    return MessageCatalogue(words)


@remember
def _find_kinds(system: System) -> Kinds:
    return read_kinds(system.folder, system.book.catalogue)


@remember
def _find_looks(system: System) -> dict[str, Keys]:
    return read_looks(system.folder, system.book.find_blocks().values())


def _find_declared(system: System) -> dict[str, str]:
    """The words in a game's declarations: of its conditions, tracks, pools, uses and actions."""
    characters = system.characters
    kinds = OF_EVERY_GAME | characters.conditions
    words = {f"condition.{kind.kind}": kind.label for kind in kinds.values()}
    words |= {f"track.{track.key}": track.label for track in characters.tracks}
    if shared := characters.shared_track:
        words[f"track.{shared.key}"] = shared.label
    words |= {f"pool.{pool.key}": pool.label for pool in system.turn.pools}
    words |= {use.word: use.label for use in characters.uses}
    return words | {f"action.{action.name}": action.label for action in system.actions.by_name.values()}
