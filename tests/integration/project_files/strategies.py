"""Random valid project files, for properties that must hold of all of them."""

from typing import Any

from hypothesis import strategies as st

from backend.apps.indexers.validation import WEIGHTS

SELECTORS = ["//h1", ".//a/@href", "//*[@id='x']/text()", '//div[contains(@class, "it\'s")]', "string(//title)"]
PATTERNS = [{"pattern": r"\s+", "replacement": " "}, {"pattern": r"(\d+)€", "replacement": r"\1"}, {"pattern": "x"}]
ADDRESS_PATTERNS = ["/cart", "*/page/*", r"\.pdf$", "https://a.example/*"]

characters = st.characters(codec="utf-8", exclude_categories=["C", "Z"])
names = st.text(characters, min_size=1, max_size=20)
part_names = names.filter(lambda name: "." not in name)
sentences = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=60)
selectors = st.sampled_from(SELECTORS)
flags = st.booleans()
numbers = st.floats(0, 1000, allow_nan=False, allow_infinity=False)


def optional_keys(**strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have any of these keys: people leave most of them out."""
    return st.fixed_dictionaries({}, optional=strategies)


def _named(keys: st.SearchStrategy[dict[str, Any]], rows: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.tuples(*(keys for _ in rows)).map(
        lambda values: [{"name": name, **value} for name, value in zip(rows, values, strict=True)]
    )


inspector_keys = optional_keys(
    fallbacks=st.lists(selectors, max_size=2),
    type=st.sampled_from(["text", "number", "price", "date", "link", "image", "html"]),
    locale=st.sampled_from(["", "de", "en-GB"]),
    attribute=st.sampled_from(["", "href", "content"]),
    cleanup=st.lists(st.sampled_from(PATTERNS), max_size=2),
    required=flags,
    multiple=flags,
    key=flags,
).flatmap(lambda keys: selectors.map(lambda selector: {"selector": selector, **keys}))

actions = st.one_of(
    st.fixed_dictionaries({"type": st.just("click"), "selector": selectors}, optional={"optional": flags}),
    st.fixed_dictionaries({"type": st.just("wait"), "seconds": st.floats(0.1, 300)}),
    st.fixed_dictionaries({"type": st.just("scroll")}, optional={"times": st.integers(1, 50)}),
    st.fixed_dictionaries({"type": st.just("type"), "selector": selectors, "text": st.just("${shop password}")}),
    st.just({"type": "dismiss_overlays"}),
)

crawler_keys = optional_keys(
    description=sentences,
    links_scope=st.lists(selectors, max_size=2),
    allow=st.lists(st.sampled_from(ADDRESS_PATTERNS), max_size=3),
    exclude=st.lists(st.sampled_from(ADDRESS_PATTERNS), max_size=3),
    prefer=st.lists(st.sampled_from(ADDRESS_PATTERNS), max_size=2),
    limits=optional_keys(
        pages_without_new_document=st.none() | st.integers(1, 10**6),
        error_rate=st.none() | st.floats(0.01, 1),
        pages_per_host=st.none() | st.integers(1, 10**6),
        page_mb=st.floats(0.01, 500),
    ),
    max_pages=st.none() | st.integers(1, 10**12),
    max_documents=st.none() | st.integers(1, 10**12),
    max_depth=st.none() | st.integers(0, 10_000),
    workers=st.integers(1, 256),
    threads=st.integers(1, 256),
    sleep_ms=st.integers(0, 60_000),
    retry=st.integers(0, 20),
    timeout_minutes=st.none() | st.floats(0.1, 500_000),
    robots_url=st.sampled_from(["", "https://a.example/robots.txt"]),
    respect_robots=flags,
    strategy=st.sampled_from(["bfs", "dfs"]),
    lane=st.sampled_from(["auto", "http", "browser"]),
    show_browser=flags,
    same_site=st.sampled_from(["host", "domain", "off"]),
    sitemap=flags,
    proxies=st.lists(st.sampled_from(["http://p.example:1", "http://u:${proxy}@p.example:2"]), max_size=2),
    user_agent=st.sampled_from(["", "Bot/1.0"]),
    headers=st.dictionaries(st.sampled_from(["Accept-Language", "X-Key"]), st.sampled_from(["de", "${key}"])),
)

indexer_keys = optional_keys(
    description=sentences,
    k=numbers,
    b=st.floats(0, 1),
    small_words=st.integers(0, 20),
    stop_words=st.lists(names | st.just("/^der|die$/"), max_size=3),
    word_weights=st.dictionaries(names, numbers, max_size=3),
    formula=st.sampled_from(["", "pagerank * 2", "log(text)"]),
    weights=st.dictionaries(st.sampled_from(WEIGHTS), numbers, max_size=3),
    synonyms=st.lists(st.lists(part_names, min_size=2, max_size=3, unique=True), max_size=2),
    q=st.integers(2, 5),
    language=st.sampled_from(["en", "de-AT"]),
    language_stop_words=flags,
    joining=st.sampled_from(["and", "or"]),
    idf=st.sampled_from(["thesis", "lucene"]),
    page_text=flags,
    hits=flags,
    safe_search=flags,
    hide_duplicates=flags,
    live=flags,
    max_loss_percent=st.floats(0, 100),
    public=flags,
    public_per_minute=st.integers(1, 1_000),
    public_origins=st.lists(st.sampled_from(["*", "https://a.example"]), max_size=2),
)


@st.composite
def project_files(draw: st.DrawFn) -> dict[str, Any]:
    """A file whose references all lead somewhere."""
    templates = draw(st.lists(names, max_size=2, unique=True).flatmap(lambda rows: _named(_template_keys(), rows)))
    sources = [f"{row['name']}.{inner['name']}" for row in templates for inner in row.get("inspectors", ())]
    dictionaries = draw(st.lists(names, max_size=2, unique=True).flatmap(lambda rows: _named(_dictionary_keys(), rows)))
    file: dict[str, Any] = {"version": 1, "name": draw(names), "templates": templates, "dictionaries": dictionaries}
    if templates:
        file["crawlers"] = draw(_crawlers([row["name"] for row in templates]))
    file["indexers"] = draw(_indexers(sources, [row["name"] for row in dictionaries]))
    for indexer in file["indexers"]:
        if (fitting := _fitting_crawlers(indexer, file.get("crawlers", []))) and draw(flags):
            indexer["crawlers"] = draw(st.lists(st.sampled_from(fitting), max_size=2))
    return file


def _fitting_crawlers(indexer: dict[str, Any], crawlers: list[dict[str, Any]]) -> list[str]:
    """Those whose template fills a column; all where there are no columns."""
    sources = [source for column in indexer.get("columns", ()) for source in column["sources"]]
    templates = {source.rpartition(".")[0] for source in sources}
    return [row["name"] for row in crawlers if not templates or row["template"] in templates]


def _template_keys() -> st.SearchStrategy[dict[str, Any]]:
    inspectors = st.lists(part_names, max_size=3, unique=True).flatmap(lambda rows: _named(inspector_keys, rows))
    return optional_keys(
        description=sentences,
        item_scope=st.just("") | selectors,
        inspectors=inspectors,
        actions=st.lists(actions, max_size=3),
    )


def _dictionary_keys() -> st.SearchStrategy[dict[str, Any]]:
    entries = st.tuples(part_names.filter(lambda name: "," not in name), st.integers(0, 99)).map(
        "{0[0]}, {0[1]}".format
    )
    return optional_keys(description=sentences, entries=st.lists(entries, max_size=3))


def _crawlers(templates: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    needed = st.fixed_dictionaries(
        {
            "template": st.sampled_from(templates),
            "seeds": st.lists(st.sampled_from(["http://a.example/", "https://ü.example/?q=1"]), min_size=1, max_size=2),
        }
    )
    keys = st.tuples(needed, crawler_keys).map(lambda pair: {**pair[0], **pair[1]})
    return st.lists(names, max_size=2, unique=True).flatmap(lambda rows: _named(keys, rows))


def _indexers(sources: list[str], dictionaries: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    keys = indexer_keys
    if dictionaries:
        chosen = optional_keys(dictionary=st.none() | st.sampled_from(dictionaries))
        keys = st.tuples(keys, chosen).map(lambda pair: {**pair[0], **pair[1]})
    if sources:
        column = st.fixed_dictionaries(
            {"sources": st.lists(st.sampled_from(sources), min_size=1, max_size=3, unique=True)},
            optional={
                "boost": numbers,
                "language": st.sampled_from(["", "de", "en"]),
                "searchable": flags,
                "reduction": st.sampled_from(["stem", "lemma", "none"]),
                "facet": flags,
            },
        )
        columns = st.lists(names, max_size=3, unique=True).flatmap(lambda rows: _named(column, rows))
        keys = st.tuples(keys, columns).map(lambda pair: {**pair[0], "columns": pair[1]})
    return st.lists(names, max_size=2, unique=True).flatmap(lambda rows: _named(keys, rows))
