"""Whether htmx asks for a part of a page."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


def is_htmx(request: HttpRequest) -> bool:
    """Whether a script asks for part of a page, rather than a browser for the whole page."""
    return bool(HtmxDetails(request))
