import type { Statistics } from '../api/types';
import { sayBytes, sayNumber } from '../shared/numbers';

export interface Fact {
  label: string;
  value: string;
  /** The tab of the run that tells more. */
  leadsTo?: { tab: 'pages'; state: 'failed' };
}

type Counted = {
  [Name in keyof Statistics]: Statistics[Name] extends number ? Name : never;
}[keyof Statistics];
type Grouped = Exclude<keyof Statistics, Counted | 'cooperation'>;

/** The figures one looks at first. Workers take pages ahead: those wait as well. */
export function headlines({ pages, documents, queued, leased, failed }: Statistics): Fact[] {
  return [
    { label: 'Pages visited', value: sayNumber(pages) },
    { label: 'Documents', value: sayNumber(documents) },
    { label: 'Waiting in the queue', value: sayNumber(queued + leased) },
    {
      label: 'Failed',
      value: sayNumber(failed),
      leadsTo: failed > 0 ? { tab: 'pages', state: 'failed' } : undefined,
    },
  ];
}

const counted: [Counted, string][] = [
  ['new_documents', 'New documents'],
  ['changed_documents', 'Changed documents'],
  ['duplicate_documents', 'Duplicate documents'],
  ['missing_fields', 'Fields that were missing'],
  ['unchanged_pages', 'Pages unchanged since last time'],
  ['duplicate_pages', 'Pages with the same content as another'],
  ['links_collected', 'Links collected'],
  ['links_visited', 'Links already visited'],
  ['skipped', 'Addresses left out'],
  ['sitemaps', 'Sitemaps read'],
  ['redirects', 'Redirects'],
  ['retries', 'Tries again'],
  ['requests', 'Requests in all'],
];

/** Averages, unknown while there is no page to take them over (of an unchanged one nothing is sent), then counts. */
export function details(statistics: Statistics): Fact[] {
  const average = (text: string) => (statistics.pages > 0 ? text : '–');
  const ofSent = (text: string) => (statistics.pages > statistics.unchanged_pages ? text : '–');
  return [
    { label: 'Documents per page', value: average(statistics.documents_per_page.toFixed(2)) },
    { label: 'Average load time', value: average(`${Math.round(statistics.average_load_ms)} ms`) },
    {
      label: 'Average processing time',
      value: ofSent(`${Math.round(statistics.average_processing_ms)} ms`),
    },
    { label: 'Average page size', value: ofSent(sayBytes(statistics.average_page_bytes)) },
    ...counted.map(([name, label]) => ({ label, value: sayNumber(statistics[name]) })),
  ];
}

const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** How well the work was done: what it missed, what it did in vain, what it cost. */
export function measures({ pages, cooperation: told }: Statistics): Fact[] {
  if (told.workers === 0 || pages === 0) return [];
  return [
    { label: 'Known pages that were fetched', value: percent(told.coverage) },
    { label: 'Pages that gave documents', value: percent(told.quality) },
    { label: 'Pages fetched twice (0 is wanted)', value: percent(told.overlap) },
    ...(told.workers > 1 ? sharing(told) : []),
    { label: 'Database round trips per page', value: told.round_trips_per_page.toFixed(2) },
    { label: 'Of these for sharing the queue', value: told.frontier_queries_per_page.toFixed(2) },
  ];
}

/** How well several workers shared the work; nothing to tell of one alone. */
function sharing(told: Statistics['cooperation']): Fact[] {
  return [
    { label: 'Workers that took part', value: sayNumber(told.workers) },
    { label: 'Evenness (100 % is even)', value: percent(told.balance) },
    { label: 'Times as fast as the busiest worker', value: told.speedup.toFixed(2) },
  ];
}

const grouped: [Grouped, string][] = [
  ['http_codes', 'Answers by HTTP code'],
  ['lanes', 'Pages by lane'],
  ['failures', 'Failures by reason'],
  ['missing', 'Missing values, by field'],
  ['fallbacks', 'Found by a fallback selector, by field'],
  ['links_refused', 'Links not followed, by reason'],
  ['urls_refused', 'Addresses left out, by reason'],
];

/** What is counted by reason or code, most frequent first; empty ones are left out. */
export function breakdowns(statistics: Statistics): { title: string; facts: Fact[] }[] {
  return grouped
    .map(([name, title]) => ({ title, facts: countsOf(statistics[name]) }))
    .filter(({ facts }) => facts.length > 0);
}

function countsOf(counts: Record<string, number>): Fact[] {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => ({ label: name.replaceAll('_', ' '), value: sayNumber(count) }));
}
