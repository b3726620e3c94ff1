"""The site as it is, with one more address: that of a view which writes a row and says nothing."""

from cosmos_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.site.speed.urls"
