"""How lists are cut: numbered pages for what people configure, keysets (no COUNT) for what crawls fill."""

from rest_framework.pagination import CursorPagination, PageNumberPagination


class NumberedPages(PageNumberPagination):
    page_size = 50
    max_page_size = 500
    page_size_query_param = "page_size"


class Keyset(CursorPagination):
    """Newest first, by id: the same cost on the first page and on the millionth row."""

    page_size = 100
    max_page_size = 1_000
    page_size_query_param = "page_size"
    ordering = "-id"
