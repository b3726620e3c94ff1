"""The pages as a WSGI application."""

import os
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from .hosted import begin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cosmos_site.settings")
pages = begin(get_wsgi_application)


def application(environ: Any, start_response: Any) -> Any:
    """Answer a request, under COSMOS_PATH too."""
    environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(settings.COSMOS_PATH)
    return pages(environ, start_response)
