"""How often pages of branches ask the database."""

from __future__ import annotations

from typing import Any

import pytest

from .test_branches import Maker


@pytest.mark.slow
def test_pages_query_as_often_however_long_a_branch_is(
    maker: Maker, django_assert_max_num_queries: Any
) -> None:
    def count(address: str) -> int:
        with django_assert_max_num_queries(30) as found:
            assert maker.client.get(address).status_code == 200
        return len(found)

    pages = (maker.here, maker.list, f"{maker.list}compare/?one=1&other=1")
    maker.do("next_turn")  # from now on its page says what making it real undoes
    few = [count(page) for page in pages]
    for _ in range(6):
        maker.do("next_turn")
    maker.begin().begin()
    assert [count(page) for page in pages] == few
