import type { Action, Cookie, Crawler, CrawlerRequest } from '../api/types';
import { actionPayload, chainValues, newAction, type ActionValues } from '../shared/actions/actionValues';
import { readLines } from '../shared/forms/fieldErrors';
import { recordFrom, rowsFrom, type RecordRow } from '../shared/forms/records';

type Lists = 'seeds' | 'links_scope' | 'allow' | 'exclude' | 'prefer' | 'proxies';
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
  | 'keep_pages'
  | 'canonical_links'
  | 'page_text';

/** What counts as the same address; ignored parameters as text. */
type AddressValues = Omit<Crawler['addresses'], 'ignored_parameters'> & { ignored_parameters: string };

/** When a run is not worth going on with, and what a host, a kind of address or a page may cost; empty: no limit. */
type FineLimits = Record<keyof Crawler['limits'], number | ''>;

/** How a browser signs in; what it was stays there while the switch is off. */
interface LoginValues {
  wanted: boolean;
  url: string;
  actions: ActionValues[];
  logged_out: string;
}

/** A crawler as the form holds it: lists as text, no limit as an empty box, the template as a choice. */
export type CrawlerValues = Pick<Crawler, Plain> &
  Record<Lists, string> &
  Record<Limits | Numbers, number | ''> & {
    template: string | null;
    headers: RecordRow<string>[];
    addresses: AddressValues;
    limits: FineLimits;
    login: LoginValues;
    cookies: Cookie[];
  };

const lists: Lists[] = ['seeds', 'links_scope', 'allow', 'exclude', 'prefer', 'proxies'];
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
    prefer: '',
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
    canonical_links: 'note',
    page_text: true,
    addresses: {
      drop_tracking: true,
      drop_session_ids: true,
      sort_parameters: true,
      drop_index_names: true,
      drop_empty_parameters: false,
      keep_fragment: false,
      keep_query: true,
      ignored_parameters: '',
      ignore_scheme: false,
      ignore_www: false,
    },
    limits: {
      pages_without_new_document: '',
      pages_only_duplicate: '',
      error_rate: '',
      error_rate_after: 100,
      pages_per_host: '',
      pages_per_pattern: '',
      requests_per_host: '',
      page_seconds: 30,
      page_mb: 10,
    },
    login: { wanted: false, url: '', actions: [], logged_out: '' },
    cookies: [],
  };
}

/** The steps that nearly every login consists of, to be completed. */
export function usualLogin(): ActionValues[] {
  return [
    { ...newAction('type'), selector: "//input[@type='email' or @type='text']" },
    { ...newAction('type'), selector: "//input[@type='password']", submit: true },
  ];
}

function loginValues({ url, actions, logged_out }: Crawler['login'], shown?: LoginValues): LoginValues {
  const wanted = Boolean(url || actions.length || logged_out);
  return { wanted, url, actions: chainValues(actions as unknown as Action[], shown?.actions), logged_out };
}

function loginPayload({ wanted, url, actions, logged_out }: LoginValues) {
  if (!wanted) return { url: '', actions: [], logged_out: '' };
  return { url: url.trim(), actions: actions.map(actionPayload), logged_out: logged_out.trim() };
}

const fineNumbers = ['error_rate_after', 'page_seconds', 'page_mb'] as const;
const fineLimits = [
  'pages_without_new_document',
  'pages_only_duplicate',
  'error_rate',
  'pages_per_host',
  'pages_per_pattern',
  'requests_per_host',
] as const;

function fineLimitValues(limits: Crawler['limits']): FineLimits {
  return { ...limits, ...mapKeys([...fineLimits], (key) => limits[key] ?? '') };
}

function fineLimitPayload(limits: FineLimits): CrawlerRequest['limits'] {
  const given = fineNumbers.filter((key) => limits[key] !== '');
  return {
    ...mapKeys([...fineLimits], (key) => (limits[key] === '' ? null : limits[key])),
    ...mapKeys(given, (key) => Number(limits[key])),
  };
}

function mapKeys<Key extends string, Value>(keys: Key[], make: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}

/** A stored crawler as a form. Steps of the login keep the identities of `shown`. */
export function crawlerValues(crawler: Crawler, shown?: CrawlerValues): CrawlerValues {
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
    addresses: {
      ...crawler.addresses,
      ignored_parameters: crawler.addresses.ignored_parameters.join('\n'),
    },
    limits: fineLimitValues(crawler.limits),
    login: loginValues(crawler.login, shown?.login),
    cookies: crawler.cookies,
  };
}

/** An emptied limit means no limit; an emptied number leaves the server's default. */
export function crawlerPayload(values: CrawlerValues, project: number): CrawlerRequest {
  const { template, headers, addresses, ...rest } = values;
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
    canonical_links: rest.canonical_links,
    page_text: rest.page_text,
    addresses: { ...addresses, ignored_parameters: readLines(addresses.ignored_parameters) },
    limits: fineLimitPayload(rest.limits),
    login: loginPayload(rest.login),
    cookies: rest.cookies,
  };
}
