"""The usual site with two more addresses: views that cost the least a change can cost."""

from cosmos_site.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.tools.speed"]  # noqa: F405
ROOT_URLCONF = "tests.tools.speed.urls"
