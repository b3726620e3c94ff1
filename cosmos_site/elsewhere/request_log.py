"""The log of requests: who asked, as the server knows it."""

from functools import lru_cache

import structlog
from allauth.core.internal.httpkit import clean_client_ip
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

read_address = lru_cache(1000)(clean_client_ip)  # few people send many requests


class RequestLog(RequestMiddleware):
    """Log each request with the address that limits sign-in attempts too: as allauth reads it.

    It is the address of the connection. A proxy's `X-Forwarded-For` has replaced it only where the server
    trusts the proxy: one on this machine under `play`, those of `--forwarded-allow-ips` on a hosted site.
    """

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """Note the address for all lines of this request."""
        structlog.contextvars.bind_contextvars(ip=read_address(request.META.get("REMOTE_ADDR", "")))
