"""A walker: people press what the pages of a random fight offer, and each press is checked.

`reading` finds what a page offers, `people` are a GM, two players and a watcher with their browsers, `worlds`
makes a fight by the forms of its pages, `walking` presses, `checks` says what has to hold after each press,
`shrinking` finds the fewest presses that still fail. `python -m tests.walker --minutes N` walks by name.
"""
