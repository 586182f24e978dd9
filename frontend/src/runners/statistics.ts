import { sayBytes, sayNumber } from '../shared/numbers';

type Statistics = Record<string, unknown>;

export interface Fact {
  label: string;
  value: string;
}

function numberOf(statistics: Statistics, name: string): number {
  const value = statistics[name];
  return typeof value === 'number' ? value : 0;
}

function average(total: number, count: number, say: (value: number) => string): string {
  return count > 0 ? say(total / count) : '–';
}

/** The figures one looks at first. */
export function headlines(statistics: Statistics): Fact[] {
  return [
    { label: 'Pages visited', value: sayNumber(numberOf(statistics, 'pages')) },
    { label: 'Documents', value: sayNumber(numberOf(statistics, 'documents')) },
    { label: 'Waiting in the queue', value: sayNumber(numberOf(statistics, 'queued')) },
    { label: 'Failed', value: sayNumber(numberOf(statistics, 'failed')) },
  ];
}

const counted: [string, string][] = [
  ['new_documents', 'New documents'],
  ['changed_documents', 'Changed documents'],
  ['duplicate_documents', 'Duplicate documents'],
  ['missing_fields', 'Fields that were missing'],
  ['unchanged_pages', 'Pages unchanged since last time'],
  ['duplicate_pages', 'Pages with the same content as another'],
  ['links_collected', 'Links collected'],
  ['links_visited', 'Links already visited'],
  ['skipped', 'Addresses left out'],
  ['redirects', 'Redirects'],
  ['retries', 'Tries again'],
  ['requests', 'Requests in all'],
];

/** Counts, then averages that are worked out of them. */
export function details(statistics: Statistics): Fact[] {
  const pages = numberOf(statistics, 'pages');
  const seconds = (value: number) => `${Math.round(value * 1000)} ms`;
  return [
    {
      label: 'Documents per page',
      value: average(numberOf(statistics, 'documents'), pages, (value) => value.toFixed(2)),
    },
    { label: 'Average load time', value: average(numberOf(statistics, 'load_seconds'), pages, seconds) },
    {
      label: 'Average processing time',
      value: average(numberOf(statistics, 'process_seconds'), pages, seconds),
    },
    { label: 'Average page size', value: average(numberOf(statistics, 'bytes'), pages, sayBytes) },
    ...counted.map(([name, label]) => ({ label, value: sayNumber(numberOf(statistics, name)) })),
  ];
}

const breakdownTitles: [string, string][] = [
  ['http_codes', 'Answers by HTTP code'],
  ['failures', 'Failures by reason'],
  ['links_refused', 'Links not followed, by reason'],
  ['urls_refused', 'Addresses left out, by reason'],
];

/** What is counted by reason or code; empty ones are left out. */
export function breakdowns(statistics: Statistics): { title: string; facts: Fact[] }[] {
  return breakdownTitles
    .map(([name, title]) => ({ title, facts: countsOf(statistics[name]) }))
    .filter(({ facts }) => facts.length > 0);
}

function countsOf(value: unknown): Fact[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .sort(([, one], [, other]) => Number(other) - Number(one))
    .map(([name, count]) => ({ label: name.replaceAll('_', ' '), value: sayNumber(Number(count)) }));
}
