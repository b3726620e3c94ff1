"""The site's settings for tests: files only in a scratch directory, no build of static files."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

SCRATCH = tempfile.mkdtemp(prefix="cosmos-table-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
for name in [name for name in os.environ if name.startswith("COSMOS_")]:
    del os.environ[name]
os.environ |= {"COSMOS_DATA": SCRATCH, "COSMOS_SECRET_KEY": "only-for-tests" * 4}

from cosmos_site.settings import *  # noqa: E402, F403
from cosmos_site.settings import (  # noqa: E402
    DATABASE_URL,
    DATABASES,
    INSTALLED_APPS,
    MIDDLEWARE,
    STATIC_ROOT,
    STORAGES,
)
from tests.combat import rules  # noqa: E402, F401 - the made-up game is in every list of games

# A page fails its test if it makes one query for each of many rows.
INSTALLED_APPS = [*INSTALLED_APPS, "zeal"]
# Django itself looks a session up again when its key changes.
ZEAL_ALLOWLIST = [{"model": "sessions.Session", "field": "get()"}]
MIDDLEWARE = ["zeal.middleware.zeal_middleware", *MIDDLEWARE]
MIDDLEWARE[MIDDLEWARE.index("whitenoise.middleware.WhiteNoiseMiddleware")] = "tests.static_files.SharedFiles"

STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
STATIC_ROOT.mkdir()
WHITENOISE_USE_FINDERS = True
COSMOS_VERIFY = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# On a file, as in play: threads would share one in memory, which refuses to write while another thread reads.
if not DATABASE_URL:
    DATABASES["default"]["TEST"] = {"NAME": Path(SCRATCH) / "test.sqlite3"}
