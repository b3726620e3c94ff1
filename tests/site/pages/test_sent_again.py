"""What a browser sends again because no answer came is done once."""

from __future__ import annotations

import pytest
from django.test import Client

from combat.models import Campaign

pytestmark = pytest.mark.django_db

PRESS = "1a2b3c-4d5e6f-7a8b9c"


def press(client: Client, name: str, press: str = PRESS) -> str:
    """Add a campaign as a named press does; return what the page is told to do."""
    answer = client.post("/campaigns/", {"name": name}, HTTP_X_PRESS=press)
    return answer.headers.get("HX-Refresh", "")


def test_press_that_was_heard_loads_the_page_again(gm_client: Client) -> None:
    assert press(gm_client, "Marches") == ""
    assert press(gm_client, "Marches") == "true"
    assert Campaign.objects.count() == 1
    assert press(gm_client, "Marches", PRESS[::-1]) == ""
    assert Campaign.objects.count() == 2


def test_press_that_was_refused_may_be_sent_again(gm_client: Client) -> None:
    assert press(gm_client, "") == ""
    assert press(gm_client, "Marches") == ""
    assert Campaign.objects.count() == 1


def test_press_of_another_browser_is_another(gm_client: Client, client: Client) -> None:
    assert press(gm_client, "Marches") == ""
    assert press(client, "Marches") == ""
