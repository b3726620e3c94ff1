"""The static files, found once for all browsers of the tests."""

from typing import Any, ClassVar

from whitenoise.middleware import WhiteNoiseMiddleware


class SharedFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # the package has no types
    """Share the files: every test browser makes a middleware of its own."""

    files: dict[str, Any]
    found: ClassVar[dict[str, Any]] = {}

    def add_files_from_finders(self) -> None:
        """Search the folders for the first browser only."""
        if not self.found:
            super().add_files_from_finders()
            self.found.update(self.files)
        self.files = self.found
