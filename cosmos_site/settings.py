"""All settings, read from the environment. The defaults are safe and fit one laptop.

HOSTING.md lists the variables.
"""

import logging
from functools import partial
from pathlib import Path

from environs import Env

from combat.rules.core.basics.release import RELEASE

from .base.outside import LOCAL_HOSTS
from .base.patience import SECONDS as DATABASE_SECONDS
from .launch import (
    find_data_folder,
    find_or_make_secret_key,
    is_zone,
    read_cache,
    read_database,
    read_path,
    read_shared_key,
    read_variable,
)
from .logs import configure_logs

env = Env()
switch = partial(read_variable, env.bool, right="0 or 1")
# The folder with pages and static files: the wheel has them in `built`.
BUILT = Path(__file__).resolve().parent / "built"
IS_INSTALLED = BUILT.is_dir()
ROOT = BUILT if IS_INSTALLED else BUILT.parent.parent
COMMAND = "cosmos-table" if IS_INSTALLED else "uv run manage.py"

# The kind of table

COSMOS_DATA = find_data_folder(env.str("COSMOS_DATA", ""))
COSMOS_HTTPS = switch("COSMOS_HTTPS", False)
COSMOS_PATH = read_path(env.str("COSMOS_PATH", ""))  # the site is at its root if empty
COSMOS_SIGNUP = read_variable(
    env.str, "COSMOS_SIGNUP", "open", right="open or closed", fits=lambda word: word in ("open", "closed")
)
COSMOS_GUESTS = switch("COSMOS_GUESTS", True)  # whether strangers may open a demo fight
COSMOS_THREADS = read_variable(
    env.int, "COSMOS_THREADS", 8, right="a whole number from 1", fits=lambda n: n >= 1
)
COSMOS_WORKER = switch("COSMOS_WORKER", True)  # 0 removes it from the browsers that have it
DATABASE_URL = env.str("DATABASE_URL", "")
REDIS_URL = read_cache(env.str("REDIS_URL", ""))

DEBUG = switch("COSMOS_DEBUG", False)
# With its own database a table may have several workers on several machines: they need one key.
if DATABASE_URL:
    SECRET_KEY = read_shared_key(env.str("COSMOS_SECRET_KEY", ""))
else:
    SECRET_KEY = env.str("COSMOS_SECRET_KEY", "") or find_or_make_secret_key(COSMOS_DATA)
ALLOWED_HOSTS = env.list("COSMOS_HOSTS", [*LOCAL_HOSTS])
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if COSMOS_HTTPS and host != "*"]

# The parts of the site

INSTALLED_APPS = [
    "cosmos_site",
    "combat",
    "characters",
    "characters.gear",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "crispy_forms",
    "csp",
    "django_htmx",
    "django_structlog",
    "template_partials",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "cosmos_site.middleware.PageHeaders",
    "cosmos_site.middleware.SecureAnswers",
    "cosmos_site.middleware.ClosedForRestore",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "cosmos_site.health.HealthChecks",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "cosmos_site.middleware.RequestLog",
    "characters.accounts.visitors.VisitorLimits",
    "characters.accounts.accounts.TooManyAttempts",
    "allauth.account.middleware.AccountMiddleware",
    "cosmos_site.middleware.OncePerPress",
    "cosmos_site.base.errors.MethodNotAllowedPage",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,  # django-template-partials puts its own loader around these
        "OPTIONS": {
            "builtins": ["cosmos_site.base.moments"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "cosmos_site.elsewhere.views.add_notice",
                "cosmos_site.web_app.tell_worker",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # our own widgets have templates of ours
ROOT_URLCONF = "cosmos_site.urls"
WSGI_APPLICATION = "cosmos_site.wsgi.application"
CRISPY_ALLOWED_TEMPLATE_PACKS, CRISPY_TEMPLATE_PACK = ("cosmos",), "cosmos"
CRISPY_FAIL_SILENTLY = False

# Compare every change with a fresh fold of the whole history: slow, for tests and debugging

COSMOS_VERIFY = switch("COSMOS_VERIFY", DEBUG)

# Storage

# FULL: each commit is on the disk before it is answered, so a power cut takes nothing that people saw done.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": DATABASE_SECONDS,  # for the lock of another process
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": COSMOS_DATA / "table.sqlite3"}
DATABASES = {"default": read_database(DATABASE_URL) if DATABASE_URL else SQLITE}
if DATABASES["default"]["ENGINE"] == SQLITE["ENGINE"]:
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
# The threads are few and fixed, so each keeps its connection: a new one to SQLite costs 0.75 ms a request.
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHE = {
    "BACKEND": "cosmos_site.base.caching.SharedCache"
    if REDIS_URL
    else "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": REDIS_URL,
    "KEY_PREFIX": RELEASE,  # after an update, nothing is read that another release has written
}
# The names of presses are many: they must not push out what counts attempts to sign in.
PRESSES = CACHE if REDIS_URL else {**CACHE, "LOCATION": "presses", "OPTIONS": {"MAX_ENTRIES": 10_000}}
CACHES = {"default": CACHE, "presses": {**PRESSES, "KEY_PREFIX": f"{RELEASE}-press", "TIMEOUT": 3600}}
FORCE_SCRIPT_NAME = COSMOS_PATH or None
STATIC_URL = f"{COSMOS_PATH}/static/"
STATIC_ROOT = Path(env.str("COSMOS_STATIC_ROOT", "") or COSMOS_DATA / "static")
STATICFILES_DIRS = [ROOT / "static"]
STATICFILES_FINDERS = [
    "cosmos_site.bundles.finder.BundleFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
MEDIA_ROOT = COSMOS_DATA / "media"

# The limits of request bodies: time, and number at once. A fresh photo passes as far as the form, which
# says in words how large a picture may be.

COSMOS_BODY_BYTES, COSMOS_BODY_SECONDS = 16_000_000, 30
COSMOS_BODIES_AT_ONCE, COSMOS_BODY_BYTES_AT_ONCE = 256, 128_000_000
COSMOS_COPY_BYTES, COSMOS_COPY_SECONDS = 1_000_000_000, 600  # of a copy of all data, from the host alone
FILE_UPLOAD_TEMP_DIR = COSMOS_DATA  # /tmp may be small, or memory

# Words and times

LANGUAGE_CODE = "en"
TIME_ZONE = read_variable(
    env.str, "COSMOS_TIME_ZONE", "UTC", right="the name of a time zone, such as Europe/Berlin", fits=is_zone
)
USE_TZ = True

# Accounts: a name and a password, a passkey or an authenticator app on top; no e-mail

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "characters.accounts.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "characters.accounts.forms.SignInForm",
    "signup": "characters.accounts.forms.SignUpForm",
    "change_password": "characters.accounts.forms.NewPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
COSMOS_PORTS = "combat.sharing.ports"  # answers what characters ask of encounters
MFA_ADAPTER = "characters.accounts.accounts.MFAAdapter"
MFA_FORMS = {"add_webauthn": "characters.accounts.forms.PasskeyForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Cosmos Table"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not COSMOS_HTTPS  # browsers allow passkeys on http://localhost
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

# What browsers may do

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
    }
}
CSRF_FAILURE_VIEW = "cosmos_site.base.errors.refuse_forgery"
CSRF_COOKIE_HTTPONLY = True
if COSMOS_PATH:  # the host's other sites have cookies too, which browsers send here if they are for all paths
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "cosmos-sessionid", "cosmos-csrftoken"
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = COSMOS_HTTPS
SECURE_REFERRER_POLICY = "same-origin"
# Browsers obey it over https only, and otherwise complain in the console
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if COSMOS_HTTPS else None
X_FRAME_OPTIONS = "DENY"
SECURE_SSL_REDIRECT = COSMOS_HTTPS
SECURE_REDIRECT_EXEMPT = ["^" + f"{COSMOS_PATH}/healthz$"[1:]]
HSTS_SECONDS = 31_536_000 if COSMOS_HTTPS else 0
SECURE_HSTS_SECONDS = read_variable(
    env.int, "COSMOS_HSTS_SECONDS", HSTS_SECONDS, right="a whole number from 0", fits=lambda n: n >= 0
)
# Under a path the host belongs to others too, and so do the names below it.
SECURE_HSTS_INCLUDE_SUBDOMAINS = COSMOS_HTTPS and not COSMOS_PATH
SECURE_HSTS_PRELOAD = switch("COSMOS_HSTS_PRELOAD", False)
# The owner of a domain decides whether it joins the browsers' preload list, so its absence is no fault.
SILENCED_SYSTEM_CHECKS = ["security.W021", *(["security.W005"] if COSMOS_PATH else [])]

# Logs

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LEVEL = "INFO" if COSMOS_HTTPS else "WARNING"
COSMOS_LOG_LEVEL = read_variable(
    env.str, "COSMOS_LOG_LEVEL", LEVEL, right=f"one of {', '.join(LEVELS)}", fits=lambda word: word in LEVELS
)
LOGGING = configure_logs(level=COSMOS_LOG_LEVEL, as_json=switch("COSMOS_LOG_JSON", COSMOS_HTTPS))
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO  # a mistyped address is no event
