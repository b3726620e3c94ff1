"""What characters ask of encounters. This app knows no tables: the settings name the module that answers."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.utils.functional import SimpleLazyObject

encounters: Any = SimpleLazyObject(lambda: import_module(settings.COSMOS_PORTS))  # late: models need the apps
