"""Every worked example of every rulebook comes out as it says."""

from __future__ import annotations

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.book.examples import Example, load_examples
from tests.combat.rules.every_game.acting import Acting

EXAMPLES = [
    pytest.param(
        slug, example, marks=pytest.mark.rule(*example.rules), id=f"{slug}-{number}-{example.rules[0]}"
    )
    for slug in SYSTEMS
    for number, example in enumerate(load_examples(find_system(slug).folder).example, 1)
]


@pytest.mark.parametrize(("slug", "example"), EXAMPLES)
def test_an_example_comes_out_as_the_rulebook_says(slug: str, example: Example) -> None:
    system = find_system(slug)
    stage = Acting(system, load_examples(system.folder), example)
    for deed in example.do:
        outcome = stage.act(deed)
        assert outcome.refused == deed.refused
        if deed.why is not None or deed.log is not None:
            assert outcome.why == (deed.why or ())
            assert outcome.log == (deed.log or ())
        assert outcome.cites >= {*deed.cites}
        assert outcome.costs == (deed.costs or outcome.costs)
    known = stage.numbers() if example.numbers else set()
    assert set(example.numbers) <= known, "\n".join(sorted(known))
