"""Every setting of Gleaner, read from the environment here and nowhere else (docs/settings.md explains each)."""

from pathlib import Path

from cryptography.fernet import Fernet

from backend.config import env

BASE_DIR = Path(__file__).resolve().parents[2]
VERSION = "0.1.0"
VAR_DIR = Path(env.text("GLEANER_VAR", str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.boolean("GLEANER_DEBUG", default=False)
SECRET_KEY = env.secret("GLEANER_SECRET_KEY", file=VAR_DIR / "secret.key")
ENCRYPTION_KEYS = env.secret(
    "GLEANER_ENCRYPTION_KEY", file=VAR_DIR / "encryption.key", make=lambda: Fernet.generate_key().decode()
).split(",")
ALLOWED_HOSTS = env.words("GLEANER_ALLOWED_HOSTS", "localhost 127.0.0.1 [::1]")
CSRF_TRUSTED_ORIGINS = env.words("GLEANER_TRUSTED_ORIGINS")

DATABASE_URL = env.text("GLEANER_DATABASE_URL", f"sqlite://{VAR_DIR / 'gleaner.sqlite3'}")
DATABASES = {"default": env.database("GLEANER_DATABASE_URL", default=DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "backend.apps.accounts",
    "backend.apps.projects",
    "backend.apps.templates",
    "backend.apps.crawlers",
    "backend.apps.nodes",
    "backend.apps.runners",
    "backend.apps.documents",
    "backend.apps.indexers",
    "backend.apps.search",
    "backend.apps.jobs",
    "backend.apps.housekeeping",
    "backend.apps.events",
    "backend.api",
    "backend.config",
]
MIDDLEWARE = [
    "backend.config.observing.probes.ProbesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "backend.config.security_headers.SecurityHeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "backend.config.database_patience.DatabasePatienceMiddleware",  # the last: it calls the view
]
ROOT_URLCONF = "backend.config.urls"
ASGI_APPLICATION = "backend.config.asgi.application"
APPEND_SLASH = False
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "CommonPasswordValidator", "NumericPasswordValidator")
] + [{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}}]

LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"

UI_DIR = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
STATICFILES_DIRS = [UI_DIR] if UI_DIR.is_dir() else []
WHITENOISE_USE_FINDERS = True  # files are served from where they were built; nothing to collect
WHITENOISE_AUTOREFRESH = DEBUG

HTTPS = env.boolean("GLEANER_HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.boolean("GLEANER_BEHIND_PROXY", default=False) else None
)
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = env.integer("GLEANER_MAX_UPLOAD_MB", default=64, minimum=1) * 2**20

REDIS_URL = env.text("GLEANER_REDIS_URL")
NODE = env.text("GLEANER_NODE", "localhost")
HTTP_SLOTS = env.optional_integer("GLEANER_HTTP_SLOTS")
BROWSER_SLOTS = env.optional_integer("GLEANER_BROWSER_SLOTS")
# How often somebody tried. Never in Redis, which every node may write to: a cache unpickles what it reads.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}}

LOGIN_TRIES_PER_MINUTE = env.integer("GLEANER_LOGIN_TRIES_PER_MINUTE", default=10, minimum=1)
TOKEN_MAX_DAYS = 365
SEARCH_QUEUE = env.integer("GLEANER_SEARCH_QUEUE", default=128, minimum=1)
SEARCH_PROCESSES = env.integer("GLEANER_SEARCH_PROCESSES", default=env.search_processes())
CONTACT = env.text("GLEANER_CONTACT")
ALLOW_NETWORKS = env.words("GLEANER_ALLOW_NETWORKS")
MIN_FREE_DISK_BYTES = env.integer("GLEANER_MIN_FREE_DISK_MB", default=500) * 1_000_000

METRICS_TOKEN = env.text("GLEANER_METRICS_TOKEN")
METRICS_HOST = env.text("GLEANER_METRICS_HOST", "127.0.0.1")
METRICS_PORT = env.integer("GLEANER_METRICS_PORT", default=0)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "backend.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["backend.api.parsing.StrictJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "backend.api.pagination.NumberedPages",
    "DEFAULT_FILTER_BACKENDS": [
        "backend.api.filtering.FilterBackend",
        "rest_framework.filters.SearchFilter",
        "rest_framework.filters.OrderingFilter",
    ],
    "DEFAULT_SCHEMA_CLASS": "backend.api.openapi.GleanerSchema",
    "EXCEPTION_HANDLER": "backend.api.errors.handle_exception",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Gleaner",
    "DESCRIPTION": "Point at what matters on a website, collect it from every page, search it with your own ranking.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "backend.api.openapi.describe_errors",
    ],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "RunnerStatus": "backend.apps.runners.models.RunnerStatus",
        "IndexerStatus": "backend.apps.indexers.models.IndexerStatus",
        "BuildState": "backend.apps.indexers.models.BuildState",
        "NodeState": "backend.apps.nodes.models.NodeState",
        "JobState": "backend.apps.jobs.models.JobState",
        "PageState": "backend.api.documents.serializers.PAGE_STATES",
        "PlacementState": "backend.apps.jobs.models.PlacementState",
        "Role": "backend.apps.projects.models.Role",
        "InspectorType": "backend.apps.templates.models.InspectorType",
        "ActionType": "backend.apps.templates.models.ActionType",
        "Lane": "backend.apps.crawlers.models.Lane",
        "LogLevel": "backend.apps.runners.models.LogLevel",
        "TuningState": "backend.apps.search.models.TuningState",
        "TraceStep": "backend.apps.search.trace.steps.STEP_NAMES",
    },
}

LOG_LEVEL = env.choice("GLEANER_LOG_LEVEL", default="INFO", options=("DEBUG", "INFO", "WARNING", "ERROR"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    # What they say while they look for faults holds every cookie and key that a browser is given.
    "loggers": {"selenium": {"level": "WARNING"}, "urllib3": {"level": "WARNING"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
