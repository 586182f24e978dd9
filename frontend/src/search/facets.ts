import type { ResultColumn } from '../api/types';

/** A facet to ask for: the most frequent values, or with edges how many lie between them. */
export interface FacetWish {
  field: string;
  label: string;
  kind: ResultColumn['kind'];
  size?: number;
  edges?: string[];
}

export interface RangeCount {
  low: string;
  high: string;
  count: number;
}

const steps = [1, 1.5, 2, 3, 4, 5, 7.5];
const powers = [-2, -1, 0, 1, 2, 3, 4, 5, 6];
const farAway = 1e12;

/** Round numbers over all usual sizes. The server counts between them; the few that divide well are shown. */
const numberEdges = [
  String(-farAway),
  '0',
  ...powers.flatMap((power) => steps.map((step) => String(Number((step * 10 ** power).toPrecision(3))))),
  String(farAway),
];

const dayMs = 86_400_000;
const dateAges = [5 * 365, 365, 30, 7];
const farFuture = '2200-01-01';
const longAgo = '0001-01-01';

function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
}

function dateEdges(now: Date): string[] {
  return [longAgo, ...dateAges.map((days) => dayBefore(now, days)), farFuture];
}

/** What every index knows of its pages, worth offering when a result has more than one of them. */
const pageFacets: FacetWish[] = [
  { field: 'host', label: 'Website', kind: 'text', size: 10 },
  { field: 'page_language', label: 'Language', kind: 'text', size: 10 },
];

function wishOf({ name, kind, is_facet, can_sort }: ResultColumn, now: Date): FacetWish | null {
  if (is_facet) return { field: name, label: name, kind, size: 10 };
  if (kind === 'date' && can_sort) return { field: name, label: name, kind, edges: dateEdges(now) };
  if (can_sort && (kind === 'number' || kind === 'price'))
    return { field: name, label: name, kind, edges: numberEdges };
  return null;
}

/** The facets a result can be narrowed down by. */
export function facetWishes(columns: ResultColumn[], now: Date): FacetWish[] {
  const own = columns.map((column) => wishOf(column, now)).filter((wish) => wish !== null);
  return [...own, ...pageFacets];
}

const mostRanges = 6;

function smallestNeighbours(ranges: RangeCount[]): number {
  const together = (at: number) => (ranges[at]?.count ?? 0) + (ranges[at + 1]?.count ?? 0);
  let best = 0;
  for (let at = 1; at < ranges.length - 1; at++) if (together(at) < together(best)) best = at;
  return best;
}

function trimmed(ranges: RangeCount[]): RangeCount[] {
  const first = ranges.findIndex(({ count }) => count > 0);
  const last = ranges.findLastIndex(({ count }) => count > 0);
  return first < 0 ? [] : ranges.slice(first, last + 1);
}

/** Neighbours joined, the emptiest first, until few ranges are left: each then holds a share worth choosing. */
export function joinRanges(ranges: RangeCount[]): RangeCount[] {
  const joined = trimmed(ranges);
  while (joined.length > mostRanges) {
    const at = smallestNeighbours(joined);
    const [one, other] = joined.slice(at, at + 2) as [RangeCount, RangeCount];
    joined.splice(at, 2, { low: one.low, high: other.high, count: one.count + other.count });
  }
  return joined.filter(({ count }) => count > 0);
}

/** The ranges of an answer with the ends we asked for, which go back into the next question unchanged. */
export function rangesOf(wish: FacetWish, counts: { count: number }[]): RangeCount[] {
  const edges = wish.edges ?? [];
  const all = counts.map(({ count }, at) => ({ low: edges[at] ?? '', high: edges[at + 1] ?? '', count }));
  return wish.kind === 'date' ? all.filter(({ count }) => count > 0).reverse() : joinRanges(all);
}

const ageLabels: [number, string][] = [
  [7, 'Last 7 days'],
  [30, '8 to 30 days ago'],
  [365, '1 to 12 months ago'],
  [5 * 365, '1 to 5 years ago'],
];

function sayDateRange(low: string, high: string, now: Date): string {
  const age = ageLabels.find(([days]) => dayBefore(now, days) === low);
  if (age) return age[1];
  if (high === dayBefore(now, 5 * 365)) return 'More than 5 years ago';
  if (low === longAgo || !low) return high && high !== farFuture ? `Before ${high}` : 'Any date';
  return high && high !== farFuture ? `${low} to ${high}` : `Since ${low}`;
}

/** A range in words: “20 to 50 €”, “From 100”, “Last 7 days”. */
export function sayRange(
  wish: FacetWish,
  { low, high }: { low: string; high: string },
  say: (value: number) => string,
  now: Date,
): string {
  if (wish.kind === 'date') return sayDateRange(low, high, now);
  const from = low === '' || Number(low) === -farAway ? null : Number(low);
  const to = high === '' || Number(high) === farAway ? null : Number(high);
  if (from === null) return to === null ? 'Any' : `Below ${say(to)}`;
  return to === null ? `From ${say(from)}` : `${say(from)} to ${say(to)}`;
}
