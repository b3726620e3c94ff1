"""The static files, found once for all browsers of the tests."""

from typing import ClassVar

from whitenoise.base import StaticFile
from whitenoise.middleware import WhiteNoiseMiddleware


class SharedFiles(WhiteNoiseMiddleware):
    """Every test browser makes a middleware of its own; the files are the same for all."""

    found: ClassVar[dict[str, StaticFile]] = {}

    def add_files_from_finders(self) -> None:
        """Look through the folders for the first browser only."""
        if not self.found:
            super().add_files_from_finders()
            self.found.update(self.files)
        self.files = self.found
