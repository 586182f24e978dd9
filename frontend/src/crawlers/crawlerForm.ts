import type { Crawler, CrawlerRequest } from '../api/types';
import { readLines } from '../shared/forms/fieldErrors';
import { recordFrom, rowsFrom, type RecordRow } from '../shared/forms/records';

type Lists = 'seeds' | 'links_scope' | 'allow' | 'exclude' | 'proxies';
type Limits = 'max_pages' | 'max_documents' | 'max_depth' | 'timeout_minutes';
type Numbers = 'workers' | 'threads' | 'sleep_ms' | 'retry' | 'keep_pages_mb';
type Plain =
  | 'name'
  | 'description'
  | 'robots_url'
  | 'respect_robots'
  | 'strategy'
  | 'lane'
  | 'show_browser'
  | 'same_site'
  | 'sitemap'
  | 'user_agent'
  | 'keep_pages';

/** A crawler as the form holds it: lists as text, no limit as an empty box, the template as a choice. */
export type CrawlerValues = Pick<Crawler, Plain> &
  Record<Lists, string> &
  Record<Limits | Numbers, number | ''> & { template: string | null; headers: RecordRow<string>[] };

const lists: Lists[] = ['seeds', 'links_scope', 'allow', 'exclude', 'proxies'];
const limits: Limits[] = ['max_pages', 'max_documents', 'max_depth', 'timeout_minutes'];
const numbers: Numbers[] = ['workers', 'threads', 'sleep_ms', 'retry', 'keep_pages_mb'];

/** What a new crawler starts with: the server's own defaults, so that a template and one seed are enough. */
export function emptyCrawler(template: string | null = null): CrawlerValues {
  return {
    name: '',
    description: '',
    template,
    seeds: '',
    sitemap: false,
    links_scope: '',
    allow: '',
    exclude: '',
    same_site: 'host',
    max_pages: '',
    max_documents: '',
    max_depth: '',
    timeout_minutes: '',
    workers: 1,
    threads: 8,
    sleep_ms: 500,
    retry: 2,
    respect_robots: true,
    robots_url: '',
    strategy: 'bfs',
    lane: 'auto',
    show_browser: false,
    proxies: '',
    user_agent: '',
    headers: [],
    keep_pages: false,
    keep_pages_mb: 1000,
  };
}

function mapKeys<Key extends string, Value>(keys: Key[], make: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}

export function crawlerValues(crawler: Crawler): CrawlerValues {
  const empty = emptyCrawler();
  const known = Object.fromEntries(Object.entries(crawler).filter(([key]) => key in empty)) as Pick<
    Crawler,
    Plain
  >;
  return {
    ...empty,
    ...known,
    ...mapKeys(lists, (key) => crawler[key].join('\n')),
    ...mapKeys(limits, (key) => crawler[key] ?? ''),
    template: String(crawler.template),
    headers: rowsFrom(crawler.headers),
  };
}

/** An emptied limit means no limit; an emptied number leaves the server's default. */
export function crawlerPayload(values: CrawlerValues, project: number): CrawlerRequest {
  const { template, headers, ...rest } = values;
  const given = numbers.filter((key) => values[key] !== '');
  return {
    project,
    name: rest.name.trim(),
    description: rest.description,
    template: Number(template),
    sitemap: rest.sitemap,
    same_site: rest.same_site,
    respect_robots: rest.respect_robots,
    robots_url: rest.robots_url.trim(),
    strategy: rest.strategy,
    lane: rest.lane,
    show_browser: rest.show_browser,
    user_agent: rest.user_agent.trim(),
    keep_pages: rest.keep_pages,
    ...mapKeys(lists, (key) => readLines(values[key])),
    ...mapKeys(limits, (key) => (values[key] === '' ? null : values[key])),
    ...mapKeys(given, (key) => Number(values[key])),
    headers: recordFrom(headers),
  };
}
