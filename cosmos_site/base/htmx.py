"""Whether a page asks for a part of itself."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


def is_htmx(request: HttpRequest) -> bool:
    """Whether a script asks, for a part of a page, and not a browser for all of it."""
    return bool(HtmxDetails(request))
