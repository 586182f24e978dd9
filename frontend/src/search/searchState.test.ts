import { expect, test } from 'vitest';
import { sampleColumns } from '../testing/samples';
import { facetWishes } from './facets';
import {
  exportAddress,
  readRange,
  readSearchState,
  searchBody,
  withChoice,
  withValueToggled,
  writeRange,
} from './searchState';

const wishes = facetWishes(sampleColumns, new Date('2026-03-01T12:00:00Z'));

test('an address is read as a search, and odd parts of it count as absent', () => {
  const raw = { q: 123, page: '3', sort: '-price', facets: { brand: ['Acme'], price: [] }, exact: true };
  expect(readSearchState(raw)).toMatchObject({
    q: '123',
    page: 3,
    sort: '-price',
    facets: { brand: ['Acme'] },
    exact: true,
  });
  const odd = { q: ' ', page: -1, sort: 7, facets: 'brand', exact: 'yes', view: 'grid' };
  expect(Object.values(readSearchState(odd)).filter((value) => value !== undefined)).toEqual([]);
});

test('values of one field mean any of them, a range has its ends', () => {
  const state = { q: 'ssd', facets: { brand: ['Acme', 'Samsung'], price: ['20..50'] } };
  expect(searchBody(state, wishes).filters).toEqual([
    { field: 'brand', values: ['Acme', 'Samsung'], with_low: true, with_high: false },
    { field: 'price', low: '20', high: '50', with_low: true, with_high: false },
  ]);
});

test('the typed query is only insisted on when asked for', () => {
  expect(searchBody({ q: 'x' }, []).correct).toBe(true);
  expect(searchBody({ q: 'x', exact: true }, []).correct).toBe(false);
});

test.each(['20..50', '20..', '..50', '20..=50', '..=50'])(
  'the range %s survives reading and writing',
  (text) => {
    const range = readRange(text);
    expect(range && writeRange(range)).toBe(text);
  },
);

test('what is no range is none', () => {
  expect(readRange('..')).toBeNull();
  expect(readRange('Acme')).toBeNull();
});

test('an export asks for the same search without its pages', () => {
  const state = { q: 'a & b', page: 4, sort: 'price', facets: { brand: ['Acme'], price: ['20..=50'] } };
  const address = new URL(exportAddress(9, state, wishes, 'csv'), 'http://x');
  expect(address.pathname).toBe('/api/v1/indexers/9/search/export');
  expect(address.searchParams.get('q')).toBe('a & b');
  expect(address.searchParams.getAll('filter')).toEqual(['brand:Acme', 'price:>=20', 'price:<=50']);
  expect(address.searchParams.has('page')).toBe(false);
  expect(address.searchParams.has('safe')).toBe(false);
  expect(exportAddress(9, { ...state, safe: true }, wishes, 'csv')).toContain('safe=1');
  expect(exportAddress(9, { ...state, all: true }, wishes, 'csv')).toContain('group=0');
});

test('an export asks for the very values that are shown, whatever they look like', () => {
  const address = exportAddress(9, { facets: { size: ['<5 kg', 'a..b', '"x"', '5 kg'] } }, wishes, 'csv');
  expect(new URL(address, 'http://x').searchParams.getAll('filter')).toEqual([
    'size:"<5 kg"',
    'size:"a..b"',
    'size:""x""',
    'size:5 kg',
  ]);
});

test('choosing goes back to the first page, and the last choice taken away leaves nothing behind', () => {
  const state = withValueToggled({ q: 'x', page: 3 }, 'brand', 'Acme');
  expect(state).toMatchObject({ facets: { brand: ['Acme'] }, page: undefined });
  expect(withValueToggled(state, 'brand', 'Acme').facets).toBeUndefined();
  expect(withChoice(state, 'price', ['1..2']).facets).toEqual({ brand: ['Acme'], price: ['1..2'] });
});
