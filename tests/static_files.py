"""The static files, found once for all browsers of the tests."""

from typing import Any, ClassVar

from whitenoise.middleware import WhiteNoiseMiddleware

from cosmos_site.middleware import StaticFiles


class SharedFiles(StaticFiles):
    """Share the files: every test browser makes a middleware of its own.

    They are sent as they are: to compress them for each browser takes longer than to send them.
    """

    files: dict[str, Any]
    found: ClassVar[dict[str, Any]] = {}
    serve = staticmethod(WhiteNoiseMiddleware.serve)

    def add_files_from_finders(self) -> None:
        """Search the folders for the first browser only."""
        if not self.found:
            super().add_files_from_finders()
            self.found.update(self.files)
        self.files = self.found
