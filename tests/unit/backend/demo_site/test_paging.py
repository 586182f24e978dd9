import pytest

from backend.demo_site.paging import cut_page, page_count, page_links


def test_cuts_the_last_page_short():
    page = cut_page(range(45), "3", 20)
    assert page is not None
    assert (list(page.items), page.number, page.last) == ([40, 41, 42, 43, 44], 3, 3)


@pytest.mark.parametrize("number", ["0", "4", "-1", "x", "", "1.0"])
def test_has_no_page_outside_the_list(number: str):
    assert cut_page(range(45), number, 20) is None


def test_an_empty_list_has_one_page():
    assert page_count(0, 20) == 1


def test_links_to_neighbours_and_numbers():
    page = cut_page(range(45), "2", 20)
    assert page is not None
    links = page_links("/list", page)
    assert '<a rel="prev" href="/list">' in links
    assert '<a rel="next" href="/list?page=3">' in links
    assert '<span aria-current="page">2</span>' in links
