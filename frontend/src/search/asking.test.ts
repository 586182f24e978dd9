import { expect, test } from 'vitest';
import { sampleColumns } from '../testing/samples';
import { addressQuery } from './asking';
import { facetWishes } from './facets';
import { searchBody } from './searchState';

const wishes = facetWishes(sampleColumns, new Date('2026-03-01T12:00:00Z'));

test('a short search is an address with its conditions and facets', () => {
  const facets = { brand: ['Acme', 'Samsung'], price: ['20..=50'] };
  const query = addressQuery(searchBody({ q: 'ssd', page: 2, exact: true, facets }, wishes));
  expect(query).toMatchObject({ q: 'ssd', page: 2, page_size: 10, correct: false, explain: false });
  expect(query?.filter).toEqual(['brand:Acme', 'brand:Samsung', 'price:>=20', 'price:<=50']);
  expect(query?.facet).toContain('brand:10');
  expect(query?.facet.find((text) => text.startsWith('price:'))).toMatch(/^price:-1000000000000,0,0.01,/);
});

test('a long query goes into a body', () => {
  expect(addressQuery(searchBody({ q: 'word '.repeat(400) }, []))).toBeNull();
});

test.each([
  ['a value that reads like a comparison', { brand: ['>Acme'] }, 'brand:">Acme"'],
  ['a value that reads like a range', { brand: ['A..Z'] }, 'brand:"A..Z"'],
  ['a value that begins with a quote', { brand: ['"A" list'] }, 'brand:""A" list"'],
  ['a field with a colon', { 'a:b': ['c'] }, '"a:b":c'],
])('%s is quoted', (_, facets, text) => {
  expect(addressQuery(searchBody({ facets }, []))?.filter).toEqual([text]);
});

test('a facet of a field with a colon is quoted', () => {
  const facets = [{ field: 'a:b', label: 'a:b', kind: 'text' as const, size: 5 }];
  expect(addressQuery(searchBody({}, facets))?.facet).toEqual(['"a:b":5']);
});
