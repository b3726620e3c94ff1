"""The static files, found once for all browsers of the tests."""

from typing import ClassVar

from cosmos_site.bundles.packing import Answering, StaticFiles


class SharedFiles(StaticFiles):
    """Share the files: every test browser makes a middleware of its own."""

    files: dict[str, Answering]
    found: ClassVar[dict[str, Answering]] = {}

    def add_files_from_finders(self) -> None:
        """Search the folders for the first browser only."""
        if not self.found:
            super().add_files_from_finders()
            self.found.update(self.files)
        self.files = self.found
