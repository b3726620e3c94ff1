"""What every game says to the same questions, side by side, in the words of its rulebook."""

from __future__ import annotations

from dataclasses import dataclass

from combat.rules import SYSTEMS, find_system
from combat.rules.core.book.rulebook import Rule
from combat.rules.core.declaration.system import System

from .examples import Card, find_cards, find_hit

ATTACK = "attack"
QUESTIONS = {  # the keys of `answers` in the rulebooks
    "order": "Who acts first?",
    ATTACK: "How does an attack hit?",
    "range": "What does distance change?",
    "cover": "What does cover do?",
    "damage": "What does a hit take?",
    "out": "When is someone out of action?",
}


@dataclass(frozen=True)
class Answer:
    """What a game says to a question: its rules, none if it says nothing, and one of their examples."""

    system: System
    rules: tuple[Rule, ...]
    card: Card | None


def compare_games() -> tuple[tuple[str, str, tuple[Answer, ...]], ...]:
    """The questions, by key and words, each with the answer of every game whose book names such rules."""
    systems = [system for slug in SYSTEMS if (system := find_system(slug)).rulebook.book.answers]
    return tuple(
        (key, words, tuple(_find_answer(system, key) for system in systems))
        for key, words in QUESTIONS.items()
    )


def _find_answer(system: System, key: str) -> Answer:
    book = system.rulebook
    rules = tuple(book.all_rules[rule_id] for rule_id in book.book.answers.get(key, ()))
    if key == ATTACK:
        return Answer(system, rules, find_hit(system.slug))
    cards = [card for rule in rules for card in find_cards(system.slug, rule.id).first]
    return Answer(system, rules, next((card for card in cards if card.steps and card.steps[-1].checks), None))
