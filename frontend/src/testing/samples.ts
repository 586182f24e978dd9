import type {
  Build,
  ClusterNode,
  Crawler,
  Document,
  Indexer,
  IndexerState,
  Job,
  JobPlacement,
  JudgedQuery,
  Me,
  Page,
  Project,
  ResultColumn,
  Runner,
  SearchAnswer,
  SearchResult,
  Statistics,
  Template,
  Trace,
  TraceStep,
  Tuning,
} from '../api/types';

const times = { created_at: '2026-03-01T08:00:00Z', updated_at: '2026-03-02T08:00:00Z' };

export const signedIn: Me = {
  authenticated: true,
  user: { id: 1, username: 'ada', email: 'ada@example.org', is_admin: true },
  version: '0.1.0',
};

export const signedOut: Me = { authenticated: false, user: null as never, version: '0.1.0' };

export function sampleProject(changes: Partial<Project> = {}): Project {
  const counts = { templates: 1, crawlers: 0, runners: 0, documents: 0, indexers: 0, dictionaries: 0 };
  return {
    id: 7,
    name: 'Shops',
    description: 'Prices of shops',
    role: 'admin',
    counts,
    ...times,
    ...changes,
  };
}

export function sampleTemplate(changes: Partial<Template> = {}): Template {
  const inspector = {
    selector: '//h1',
    fallbacks: ['//h2', '//title'],
    type: 'text' as const,
    locale: '',
    value: '',
    attribute: '',
    variable: '',
    cleanup: [{ pattern: '\\s+', replacement: ' ' }],
    required: true,
    multiple: false,
    key: false,
  };
  return {
    id: 3,
    project: 7,
    name: 'Product',
    description: '',
    item_scope: '',
    actions_on: 'every',
    actions_pattern: '',
    inspectors: [
      { ...inspector, id: 31, name: 'title' },
      {
        ...inspector,
        id: 32,
        name: 'price',
        type: 'price',
        selector: '//span[@class="price"]',
        fallbacks: [],
        variable: 'price',
      },
    ],
    actions: [{ id: 41, type: 'wait', seconds: 2, optional: false, timeout_seconds: 10 } as never],
    ...times,
    ...changes,
  };
}

export function sampleCrawler(changes: Partial<Crawler> = {}): Crawler {
  return {
    id: 5,
    project: 7,
    name: 'Shop one',
    description: '',
    template: 3,
    template_name: 'Product',
    seeds: ['https://shop.example.org/', 'https://shop.example.org/sale'],
    links_scope: [],
    allow: ['/products/'],
    exclude: [],
    prefer: ['/offers/'],
    max_pages: 500,
    max_documents: null,
    max_depth: 0,
    workers: 2,
    threads: 8,
    sleep_ms: 500,
    retry: 2,
    timeout_minutes: null,
    robots_url: '',
    respect_robots: true,
    strategy: 'bfs',
    lane: 'auto',
    show_browser: false,
    same_site: 'domain',
    sitemap: true,
    proxies: [],
    user_agent: '',
    headers: { 'Accept-Language': 'de' },
    keep_pages: false,
    keep_pages_mb: 1000,
    canonical_links: 'note',
    page_text: true,
    login: { url: '', actions: [], logged_out: '' },
    cookies: [],
    addresses: {
      drop_tracking: true,
      drop_session_ids: true,
      sort_parameters: true,
      drop_index_names: true,
      drop_empty_parameters: false,
      keep_fragment: false,
      keep_query: true,
      ignored_parameters: [],
      ignore_scheme: false,
      ignore_www: false,
    },
    limits: {
      pages_without_new_document: 200,
      pages_only_duplicate: null,
      error_rate: 0.5,
      error_rate_after: 100,
      pages_per_host: null,
      pages_per_pattern: null,
      requests_per_host: 4,
      page_seconds: 30,
      page_mb: 10,
    },
    runner_count: 0,
    ...times,
    ...changes,
  };
}

export function sampleIndexer(changes: Partial<Indexer> = {}): Indexer {
  return {
    id: 9,
    project: 7,
    name: 'All shops',
    description: '',
    columns: [
      {
        id: 91,
        name: 'Title',
        sources: ['Product.title'],
        variable: '',
        boost: 2,
        language: 'en',
        searchable: true,
        reduction: 'stem',
        facet: false,
      },
    ],
    crawlers: [],
    k: 1.75,
    b: 0.75,
    small_words: 2,
    stop_words: ['the', '/^x+$/'],
    word_weights: { freiburg: 5 },
    formula: 'log(votes)',
    weights: { pagerank: 0.5 },
    dictionary: 4,
    synonyms: [['laptop', 'notebook']],
    q: 3,
    language: 'en',
    language_stop_words: false,
    joining: 'and',
    idf: 'thesis',
    page_text: false,
    hits: false,
    safe_search: false,
    hide_duplicates: false,
    live: true,
    max_loss_percent: 20,
    public: false,
    public_per_minute: 60,
    public_origins: [],
    status: 'new',
    ...times,
    ...changes,
  };
}

/** A run that has done nothing yet. */
export function sampleStatistics(changes: Partial<Statistics> = {}): Statistics {
  return {
    pages: 0,
    documents: 0,
    new_documents: 0,
    changed_documents: 0,
    duplicate_documents: 0,
    missing_fields: 0,
    missing: {},
    fallbacks: {},
    documents_per_page: 0,
    failed: 0,
    retries: 0,
    redirects: 0,
    unchanged_pages: 0,
    duplicate_pages: 0,
    fruitful_pages: 0,
    requests: 0,
    queued: 0,
    leased: 0,
    skipped: 0,
    sitemaps: 0,
    links_collected: 0,
    links_visited: 0,
    links_refused: {},
    urls_refused: {},
    http_codes: {},
    lanes: {},
    failures: {},
    bytes: 0,
    average_load_ms: 0,
    average_processing_ms: 0,
    average_page_bytes: 0,
    progress: 0,
    cooperation: {
      workers: 1,
      overlap: 0,
      coverage: 0,
      quality: 0,
      balance: 0,
      speedup: 0,
      round_trips_per_page: 0,
      frontier_queries_per_page: 0,
    },
    ...changes,
  };
}

export function sampleRunner(changes: Partial<Runner> = {}): Runner {
  return {
    id: 5,
    project: 7,
    crawler: 4,
    crawler_name: 'Shop one',
    number: 1,
    status: 'running',
    reason: '',
    started_at: '2026-03-01T08:00:00Z',
    finished_at: null,
    statistics: sampleStatistics(),
    ...times,
    ...changes,
  };
}

export function samplePage(changes: Partial<Page> = {}): Page {
  return {
    id: 51,
    runner: 5,
    url: 'https://shop.example.org/p/1',
    depth: 1,
    state: 'done',
    http_status: 200,
    content_type: 'text/html',
    size_bytes: 2048,
    load_ms: 120,
    processing_ms: 4,
    document_count: 1,
    refusal: '',
    failure: '',
    target: '',
    fetched_at: '2026-03-01T08:01:00Z',
    ...changes,
  };
}

export function sampleDocument(changes: Partial<Document> = {}): Document {
  return {
    id: 61,
    crawler: 4,
    url: 'https://shop.example.org/p/1',
    values: { title: 'SSD' },
    version: 1,
    duplicate_of: null,
    gone_at: null,
    first_seen_at: '2026-03-01T08:01:00Z',
    last_seen_at: '2026-03-01T08:01:00Z',
    ...changes,
  };
}

function sampleColumn(name: string, changes: Partial<ResultColumn> = {}): ResultColumn {
  return {
    name,
    kind: 'text',
    is_searched: false,
    can_sort: false,
    can_count_values: false,
    is_facet: false,
    ...changes,
  };
}

export const sampleColumns: ResultColumn[] = [
  sampleColumn('name', { is_searched: true }),
  sampleColumn('brand', { can_sort: true, can_count_values: true, is_facet: true }),
  sampleColumn('price', { kind: 'price', can_sort: true }),
  sampleColumn('since', { kind: 'date', can_sort: true }),
  sampleColumn('picture', { kind: 'image', can_count_values: true }),
];

export function sampleResult(changes: Partial<SearchResult> = {}): SearchResult {
  return {
    key: '11',
    rank: 1,
    score: 14.9,
    url: 'http://shop.example/p/1-ssd',
    title: [
      { text: 'Samsung ', match: false },
      { text: 'SSD', match: true },
      { text: ' 1TB', match: false },
    ],
    snippet: [
      { text: 'A fast ', match: false },
      { text: 'drive', match: true },
      { text: ' for everybody.', match: false },
    ],
    fields: {
      name: 'Samsung SSD 1TB',
      brand: 'Samsung',
      price: { amount: 89.9, currency: 'EUR' },
      since: '2024-01-31T00:00:00Z',
      picture: 'http://shop.example/1.png',
    },
    highlights: {},
    crawler: 'Shop',
    host: 'shop.example',
    language: 'en',
    fetched_at: '2026-03-01T10:00:00Z',
    duplicates: 0,
    explanation: null,
    ...changes,
  };
}

export function sampleAnswer(changes: Partial<SearchAnswer> = {}): SearchAnswer {
  return {
    query: '',
    corrected: null,
    did_you_mean: null,
    notices: [],
    total: 1,
    hidden: 0,
    reachable: changes.total ?? 1,
    page: 1,
    page_size: 10,
    is_safe: false,
    index: { documents: 622, bytes: 200_000, generation: 3, suggests: true },
    columns: sampleColumns,
    results: [sampleResult()],
    facets: [],
    ms: 3.21,
    ...changes,
  };
}

export function sampleBuild(changes: Partial<Build> = {}): Build {
  return {
    number: 1,
    name: 'build-1',
    state: 'served',
    reason: '',
    done: 622,
    total: 622,
    documents: 622,
    documents_per_second: 0,
    eta_seconds: null,
    fill: {},
    problems: {},
    comparison: null,
    started_at: '2026-03-01T08:00:00Z',
    finished_at: '2026-03-01T08:00:03Z',
    ...changes,
  };
}

export function sampleIndexerState(changes: Partial<IndexerState> = {}): IndexerState {
  return {
    status: 'new',
    reason: '',
    job: null,
    is_at_work: false,
    is_following: false,
    building: null,
    held: null,
    served: null,
    stale: [],
    warnings: [],
    ...changes,
  };
}

function sampleStep(name: TraceStep['name'], changes: Partial<TraceStep> = {}): TraceStep {
  return { name, state: 'passed', sentence: `${name} told.`, at: null, ...changes };
}

/** An address that came as far as the index. */
export function sampleTrace(changes: Partial<Trace> = {}): Trace {
  return {
    url: 'http://shop.example/p/1-ssd',
    run: { id: 51, number: 3, status: 'completed' },
    stopped_at: null as never,
    reason: 'It is in the results.',
    steps: [
      sampleStep('discovered'),
      sampleStep('filtered'),
      sampleStep('fetched'),
      sampleStep('extracted'),
      sampleStep('deduplicated'),
      sampleStep('indexed'),
    ],
    found_on: [],
    page: null,
    documents: [],
    indexes: [],
    ...changes,
  };
}

/** A query with grades by the key of a result. */
export function sampleJudged(id: number, text: string, graded: Record<string, number>): JudgedQuery {
  const judgements = Object.entries(graded).map(([key, grade]) => ({
    key,
    grade,
    judged_at: '2026-03-01T08:00:00Z',
  }));
  return { id, indexer: 9, text, judgements, ...times };
}

export function sampleTuning(changes: Partial<Tuning> = {}): Tuning {
  return {
    id: 1,
    indexer: 9,
    state: 'done',
    reason: '',
    seconds: 30,
    progress: 1,
    trials: 120,
    result: {
      settings: { k: 0.8, boosts: { name: 4 } } as never,
      is_stored_best: false,
      trials: 120,
      queries: 12,
      folds: 2,
      stored: 0.61,
      train: 0.84,
      held_out: 0.72,
      warnings: [],
      best: [],
    },
    created_at: '2026-03-01T08:00:00Z',
    ...changes,
  };
}

/** A machine that has joined and works. */
export function sampleNode(changes: Partial<ClusterNode> = {}): ClusterNode {
  return {
    id: 2,
    name: 'crawler-2',
    address: '10.0.0.2',
    state: 'online',
    cores: 4,
    memory_bytes: 8 * 2 ** 30,
    http_slots: 8,
    browser_slots: 4,
    labels: [],
    version: '0.1.0',
    heartbeat_at: '2026-03-01T08:00:00Z',
    registered_at: '2026-03-01T08:00:00Z',
    load: 1.5,
    memory_free_bytes: 6 * 2 ** 30,
    disk_free_bytes: 100 * 2 ** 30,
    running_workers: 3,
    is_draining: false,
    is_invited: true,
    reason: '',
    ...changes,
  };
}

export function samplePlacement(changes: Partial<JobPlacement> = {}): JobPlacement {
  return {
    id: 71,
    node: 2,
    node_name: 'crawler-2',
    worker: 1,
    state: 'running',
    placed_at: '2026-03-01T08:00:00Z',
    heartbeat_at: '2026-03-01T08:01:00Z',
    ended_at: null,
    note: '',
    live: {
      pages: 120,
      pages_per_minute: 61.4,
      stage: 'crawling',
      lane: 'auto',
      memory_bytes: 90 * 2 ** 20,
      urls: ['https://shop.example.org/p/1'],
    },
    ...changes,
  };
}

/** The open job of a run. */
export function sampleJob(changes: Partial<Job> = {}): Job {
  return {
    id: 70,
    project: 7,
    project_name: 'Shops',
    owner: 'ada',
    kind: 'runner',
    runner: 5,
    indexer: null,
    subject: 'Shop one #1',
    state: 'running',
    reason: '',
    priority: 0,
    requested_workers: 2,
    slots_per_worker: 1,
    requested_node: null,
    requested_node_name: '',
    needs_browser: false,
    wall_time_seconds: null,
    earliest_start: null,
    started_at: '2026-03-01T08:00:00Z',
    finished_at: null,
    placements: [samplePlacement()],
    transitions: [],
    ...times,
    ...changes,
  };
}
