import { expect, test } from 'vitest';
import { sampleColumns } from '../testing/samples';
import { facetWishes, joinRanges, rangesOf, sayRange, type FacetWish } from './facets';

const now = new Date('2026-03-01T12:00:00Z');
const wishes = facetWishes(sampleColumns, now);
const byField = (field: string) => wishes.find((wish) => wish.field === field) as FacetWish;
const say = (value: number) => `${value} €`;

test('values are offered for text, ranges for numbers and dates, nothing for pictures', () => {
  expect(wishes.map(({ field }) => field)).toEqual(['brand', 'price', 'since', 'host', 'page_language']);
  expect(byField('brand').edges).toBeUndefined();
  const edges = (byField('price').edges ?? []).map(Number);
  expect([...edges].sort((one, other) => one - other)).toEqual(edges);
});

test('values that the indexer does not offer are no facet, though they can be counted and sorted by', () => {
  const gtin = { ...sampleColumns[1], name: 'gtin', can_sort: true, is_facet: false } as never;
  expect(facetWishes([gtin], now).map(({ field }) => field)).toEqual(['host', 'page_language']);
});

test('ranges are joined until few are left, none is lost and none is empty', () => {
  const counts = [0, 0, 5, 1, 1, 0, 9, 2, 40, 1, 7, 0, 3, 0];
  const ranges = counts.map((count, at) => ({ low: String(at), high: String(at + 1), count }));
  const joined = joinRanges(ranges);
  expect(joined.length).toBeLessThanOrEqual(6);
  expect(joined.reduce((sum, { count }) => sum + count, 0)).toBe(69);
  expect(joined.every(({ count }) => count > 0)).toBe(true);
  expect(joined[0]?.low).toBe('2');
  expect(joined.at(-1)?.high).toBe('13');
});

test('no documents, no ranges', () => {
  expect(joinRanges([{ low: '0', high: '1', count: 0 }])).toEqual([]);
});

test('ranges say their ends as people do', () => {
  const price = byField('price');
  expect(sayRange(price, { low: '20', high: '50' }, say, now)).toBe('20 € to 50 €');
  expect(sayRange(price, { low: '20', high: '' }, say, now)).toBe('From 20 €');
  expect(sayRange(price, { low: String(-1e12), high: '0' }, say, now)).toBe('Below 0 €');
});

test('dates are told by their age, newest first', () => {
  const since = byField('since');
  const labels = rangesOf(
    since,
    [4, 3, 0, 2, 1].map((count) => ({ count })),
  ).map((range) => sayRange(since, range, say, now));
  expect(labels).toEqual(['Last 7 days', '8 to 30 days ago', '1 to 5 years ago', 'More than 5 years ago']);
});
