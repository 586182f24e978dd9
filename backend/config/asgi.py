"""What uvicorn serves: the API with the gate for searches before it, and the built UI."""

import os
import sys

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django_application = get_asgi_application()

from django.conf import settings  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from backend.api.search.answering import Answers  # noqa: E402
from backend.api.search.gate import SearchGate, ThreadAnswers  # noqa: E402
from backend.api.search.processes import ProcessAnswers  # noqa: E402
from backend.config.observing.metrics import observe_search  # noqa: E402
from backend.config.postgresql.idle import IDLE  # noqa: E402

SWITCH_SECONDS = 0.001
"""Exports and the lab's searches go on in threads beside the event loop, which must not wait for them for long."""
KEPT_CONNECTIONS = 8
SEARCH_PROCESS = [sys.executable, "-m", "backend.config.search_process"]

sys.setswitchinterval(SWITCH_SECONDS)
IDLE.most = KEPT_CONNECTIONS
answers: Answers = ThreadAnswers()
if settings.SEARCH_PROCESSES:
    answers = ProcessAnswers(SEARCH_PROCESS, count=settings.SEARCH_PROCESSES, meanwhile=answers)
get_resolver().url_patterns  # noqa: B018 - read all views now, beside the search processes: nobody's first question waits
application = SearchGate(django_application, limit=settings.SEARCH_QUEUE, answers=answers, observe=observe_search)
