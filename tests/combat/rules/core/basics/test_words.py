"""Words with places for names, and names that are written from right to left."""

from __future__ import annotations

from combat.rules.core.basics.words import MessageCatalogue, say

HITS = MessageCatalogue({"log.hits": "{who} hits {target} ({n} against 12)."})


def test_name_written_from_right_to_left_stands_between_marks() -> None:
    line = HITS.draw(say("log.hits", who="f1", target="f2", n=13), {"f1": "נועה", "f2": "Bo"})
    assert line == "\u2068נועה\u2069 hits Bo (13 against 12)."


def test_left_to_right_name_in_another_script_stands_as_it_is() -> None:
    assert HITS.draw(say("log.hits", who="f1", target="f2", n=13), {"f1": "Žofie", "f2": "Юра"}).startswith(
        "Žofie hits Юра"
    )
