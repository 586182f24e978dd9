"""What uvicorn serves: the API with the gate for searches before it, and the built UI."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django_application = get_asgi_application()

from django.conf import settings  # noqa: E402

from backend.api.search.gate import SearchGate  # noqa: E402

application = SearchGate(django_application, limit=settings.SEARCH_QUEUE)
