"""The log of requests: who asked, as the server knows it."""

import structlog
from allauth.core.internal.httpkit import get_client_ip
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware


class RequestLog(RequestMiddleware):
    """Log each request with the address that limits sign-in attempts too.

    It is the address of the connection. A proxy's `X-Forwarded-For` has replaced it only where the server
    trusts the proxy: one on this machine under `play`, those of `--forwarded-allow-ips` on a hosted site.
    """

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """Note the address for all lines of this request."""
        structlog.contextvars.bind_contextvars(ip=get_client_ip(request))
