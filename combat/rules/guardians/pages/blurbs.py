"""A sentence about each action of the game, for its button and for the rulebook."""

from __future__ import annotations

BLURBS = {
    "attack": "d100 within the ranks of the weapon's skill; who is hit may still defend.",
    "stand_up": "On one's feet again, before any other combat action.",
    "move": "Running and 2 yards, on good ground.",
    "walk_on": "What is left of a move, or of the half that goes with a blow.",
    "guard": "A second defense against one attack that succeeded, until the round ends.",
    "hold": "Act later in this round, or before everybody in the next one.",
    "act_now": "Takes the action that was held, between those of others.",
    "first_aid": "Stops the bleeding of one limb, or wakes somebody next to you.",
    "painkillers": "For an hour a torso wound takes 3 ranks instead of 5.",
    "draw": "Something carried is in hand.",
    "put_away": "What is in hand is carried.",
    "pick_up": "Something that lies next to you is in hand.",
    "other": "Any other deed, with a roll if it needs one.",
    "let_go": "What is in hand falls.",
    "speak": "A few words, at any time.",
    "start": "Round 1 begins, and everybody rolls initiative.",
    "next_turn": "Ends the turn; the count goes on, and the next round after the last one.",
    "pass_time": "Minutes, hours or days go by: clocks run out, rest recovers, wounds heal.",
    "harm": "Damage by your word to one part of the body, with or without soak.",
    "heal": "Gives Mortality Points of one part back; a destroyed limb only by magic.",
    "limb": "Says what a limb is: sound, disabled, severed, crushed, bleeding or stanched.",
    "impose": "A condition for so many rounds, or until it is ended.",
    "make_up": "A condition of your own that gives or takes ranks.",
    "fear": "Spirit against what is frightening, made harder by 0 to 6 ranks.",
    "toil": "Says whether this round was purely physical, for Fatigue.",
    "thing": "Something in hand falls or is destroyed.",
    "arm": "Puts a weapon into somebody's hands.",
    "repair": "Armor protects again wherever it was broken.",
}
