"""Logs: JSON lines when hosted, readable lines on a laptop, never the token of a link."""

import logging
import re
import sys
from typing import Any

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor, WrappedLogger

from .base.system_errors import is_outage

ROOMS = (
    "sign-in",
    "join",
    "j",
    "v",
    "fights",
    "calendar",
    "api/v1",
    "accounts/password/reset/key",
    "accounts/confirm-email",
)
SLASH = "(?:/|%(?:25)*2F)"  # also in an address within an address
PLACES = "|".join(room.replace("/", SLASH) for room in ROOMS)
TOKEN_IN_ADDRESS = re.compile(rf"({SLASH}(?:{PLACES}){SLASH})[^/%\s?&\"']+", re.IGNORECASE)


def mask_all_tokens(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Mask the tokens of links and the codes in every text of a log line."""
    return {key: mask_tokens(value) if isinstance(value, str) else value for key, value in event.items()}


def mask_tokens(text: str) -> str:
    """The text with `/join/…` in place of `/join/secret`, also inside another address."""
    return TOKEN_IN_ADDRESS.sub(r"\1…", text)


def tells_more(_record: logging.LogRecord) -> bool:
    """Whether a request line says more than that the database is away, which its page logs already."""
    return not is_outage(sys.exception())


def configure_logs(*, level: str, as_json: bool) -> dict[str, Any]:
    """Set structlog up, and return the settings that send the standard library's logs the same way."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": make_formatter, "before": shared, "as_json": as_json}},
        "filters": {"outages": {"()": "django.utils.log.CallbackFilter", "callback": tells_more}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"level": level, "propagate": True, "handlers": []},
            # The request log has it already.
            "django.request": {"level": "CRITICAL"},
            # So does the page that refuses; a traceback says nothing about what a stranger sent.
            "django.security": {"level": "CRITICAL"},
            "django.server": {"level": "INFO"},
            "django_structlog.middlewares.request": {"filters": ["outages"]},
        },
    }


def make_formatter(before: list[Processor], as_json: bool) -> ProcessorFormatter:
    """The formatter of every log line, for structlog and the standard library alike."""
    readable = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    return ProcessorFormatter(
        foreign_pre_chain=before,
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            mask_all_tokens,
            structlog.processors.JSONRenderer() if as_json else readable,
        ],
    )
