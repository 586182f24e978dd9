"""Where requests go: the API, and for everything else the UI, which has its own routes."""

from django.urls import include, path, re_path

from backend.config import pages

urlpatterns = [
    path("api/v1/", include("backend.api.urls")),
    re_path(r"^(?!api/|static/).*$", pages.user_interface),
]

handler500 = "backend.api.errors.server_error"
