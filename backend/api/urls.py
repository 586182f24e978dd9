"""Addresses of the API. No trailing slashes; one resource per noun."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.routers import SimpleRouter

from backend.api.accounts.views import LoginView, LogoutView, MeView, PasswordView, TokenViewSet, UserViewSet
from backend.api.crawlers.views import CrawlerViewSet
from backend.api.documents.views import DocumentVersionsView, DocumentViewSet, PageViewSet
from backend.api.events.views import EventsView
from backend.api.indexers.views import DictionaryViewSet, IndexerLogView, IndexerViewSet
from backend.api.jobs.views import JobViewSet
from backend.api.missing import NoSuchAddressView
from backend.api.nodes.views import NodeViewSet
from backend.api.projects.views import MembershipViewSet, ProjectViewSet, SecretViewSet
from backend.api.runners.views import RunnerLogView, RunnerMinutesView, RunnerViewSet
from backend.api.search.lab import CompareView, EvaluateView, JudgedQueryViewSet, JudgeView, TuningViewSet
from backend.api.search.trace import TraceView
from backend.api.search.views import ResultExportView, SearchView, SimilarView, SuggestView
from backend.api.templates.views import TemplateViewSet

router = SimpleRouter(trailing_slash=False)
router.register("users", UserViewSet)
router.register("tokens", TokenViewSet)
router.register("projects", ProjectViewSet)
router.register("templates", TemplateViewSet)
router.register("crawlers", CrawlerViewSet)
router.register("indexers", IndexerViewSet)
router.register("dictionaries", DictionaryViewSet)
router.register("judged-queries", JudgedQueryViewSet)
router.register("tunings", TuningViewSet)
router.register("runners", RunnerViewSet)
router.register("pages", PageViewSet)
router.register("documents", DocumentViewSet)
router.register("nodes", NodeViewSet)
router.register("jobs", JobViewSet)

in_project = SimpleRouter(trailing_slash=False)
in_project.register("members", MembershipViewSet)
in_project.register("secrets", SecretViewSet)


urlpatterns = [
    path("auth/me", MeView.as_view()),
    path("auth/login", LoginView.as_view()),
    path("auth/logout", LogoutView.as_view()),
    path("auth/password", PasswordView.as_view()),
    path("schema", SpectacularAPIView.as_view(authentication_classes=[]), name="schema"),
    path("docs", SpectacularSwaggerSplitView.as_view(url_name="schema", authentication_classes=[])),
    path("projects/<int:project_pk>/", include(in_project.urls)),
    path("events", EventsView.as_view()),
    path("runners/<int:parent_pk>/log", RunnerLogView.as_view()),
    path("runners/<int:parent_pk>/minutes", RunnerMinutesView.as_view()),
    path("documents/<int:parent_pk>/versions", DocumentVersionsView.as_view()),
    path("indexers/<int:parent_pk>/log", IndexerLogView.as_view()),
    path("crawlers/<int:id>/trace", TraceView.as_view()),
    path("indexers/<int:id>/search", SearchView.as_view()),
    path("indexers/<int:id>/search/export", ResultExportView.as_view()),
    path("indexers/<int:id>/judge", JudgeView.as_view()),
    path("indexers/<int:id>/evaluate", EvaluateView.as_view()),
    path("indexers/<int:id>/compare", CompareView.as_view()),
    path("indexers/<int:id>/suggest", SuggestView.as_view()),
    path("indexers/<int:id>/similar", SimilarView.as_view()),
    path("", include(router.urls)),
    path("<path:rest>", NoSuchAddressView.as_view()),
]
