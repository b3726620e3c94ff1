"""Whether htmx asks for a part of a page, and what a script says with it."""

from django.http import HttpRequest, HttpResponse


def is_htmx(request: HttpRequest) -> bool:
    """Whether a script asks for part of a page, rather than a browser for the whole page."""
    return find_header(request, "HX-Request") == "true"


def find_header(request: HttpRequest, name: str) -> str:
    """The value of a header, empty without one; `request.headers` would read all of them first."""
    value: str = request.META.get(f"HTTP_{name.upper().replace('-', '_')}", "")
    return value


def lead_on(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """A redirect so that a script reads the whole page, too."""
    return (
        HttpResponse(status=204, headers={"HX-Redirect": answer["Location"]}) if is_htmx(request) else answer
    )
