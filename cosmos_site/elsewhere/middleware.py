"""What https changes in an answer, and the log of requests: who asked."""

from collections.abc import Callable

import structlog
from allauth.core.internal.httpkit import clean_client_ip
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django_structlog.middlewares import RequestMiddleware

from cosmos_site.base.outside import OUTSIDE

TEMPORARY_REDIRECT = 307  # with the same method and body


class SecureAnswers:
    """Middleware: cookies set by https are never sent by http; an open name is never used by http.

    The same table may be open by http in the network and by https elsewhere: no setting can say it for all.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and mark the cookies."""
        if not request.is_secure():
            place = OUTSIDE.find_by_name(request.META.get("HTTP_HOST", ""))
            return redirect_to(place.address, request) if place else self.get_response(request)
        answer = self.get_response(request)
        answer.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        for cookie in answer.cookies.values():
            cookie["secure"] = True
        return answer


def redirect_to(address: str, request: HttpRequest) -> HttpResponse:
    """The same page by https."""
    answer = HttpResponseRedirect(address + request.get_full_path())
    answer.status_code = TEMPORARY_REDIRECT
    return answer


class RequestLog(RequestMiddleware):
    """Log each request with the address that limits sign-in attempts too: as allauth reads it.

    It is the address of the connection. A proxy's `X-Forwarded-For` has replaced it only where the server
    trusts the proxy: one on this machine under `play`, those of `--forwarded-allow-ips` on a hosted site.
    """

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """Note the address for all lines of this request."""
        structlog.contextvars.bind_contextvars(ip=clean_client_ip(request.META.get("REMOTE_ADDR", "")))
