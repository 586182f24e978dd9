import { expect, test } from 'vitest';
import type { ResultColumn } from '../api/types';
import { sampleColumns, sampleResult } from '../testing/samples';
import { currencyOf, sayAddress, sayColumnValue, sayMoney, shownOf } from './values';

const column = (name: string) => sampleColumns.find((each) => each.name === name) as ResultColumn;

test('values are said by their kind', () => {
  expect(sayColumnValue(column('price'), { amount: 89.9, currency: 'EUR' })).toBe(
    new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR' }).format(89.9),
  );
  expect(sayColumnValue(column('since'), '2024-01-31T00:00:00Z')).toContain('31');
  expect(sayColumnValue(column('brand'), ['Acme', 'Globex'])).toBe('Acme, Globex');
  expect(sayColumnValue(column('brand'), null)).toBe('');
});

test('a currency nobody knows does not break the page', () => {
  expect(sayMoney(5, 'Taler')).toBe('5 Taler');
});

test('results in several currencies have none in common', () => {
  const other = sampleResult({ fields: { price: { amount: 1, currency: 'CHF' } } });
  expect(currencyOf([sampleResult()], 'price')).toBe('EUR');
  expect(currencyOf([sampleResult(), other], 'price')).toBeNull();
});

test('a snippet that repeats a value gives its place to the longest text', () => {
  const summary = { ...column('name'), name: 'summary' };
  const columns = [...sampleColumns, summary];
  const text = 'A drive that keeps your files safe for years.';
  const result = sampleResult({
    snippet: [{ text: 'Samsung', match: true }],
    fields: { ...sampleResult().fields, summary: text },
  });
  const shown = shownOf(result, columns);
  expect(shown.passage).toEqual([{ text, match: false }]);
  expect(shown.facts.map(({ name }) => name)).toEqual(['brand', 'since']);
});

test('addresses are shown as people write them', () => {
  expect(sayAddress('https://shop.example/caf%C3%A9/')).toBe('shop.example/café');
  expect(sayAddress('https://shop.example/%E0%A4%A')).toBe('shop.example/%E0%A4%A');
});
