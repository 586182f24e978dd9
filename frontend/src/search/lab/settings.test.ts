import { expect, test } from 'vitest';
import { sampleIndexer } from '../../testing/samples';
import { changesBetween, storedSettings, takeOverBody, triedOf, withTried } from './settings';

const indexer = sampleIndexer({ formula: 'log(votes)', weights: { pagerank: 0.5 } });
const stored = storedSettings(indexer, ['Title']);

test('the stored settings hold the boosts of searched columns alone', () => {
  expect(stored).toMatchObject({ k: 1.75, b: 0.75, formula: 'log(votes)', boosts: { Title: 2 } });
  expect(storedSettings(indexer, []).boosts).toEqual({});
});

test('only what differs is tried', () => {
  expect(triedOf(stored, stored)).toEqual({});
  expect(triedOf({ ...stored, k: 1, boosts: { Title: 4 } }, stored)).toEqual({ k: 1, boosts: { Title: 4 } });
  expect(triedOf({ ...stored, formula: '', weights: {} }, stored)).toEqual({ formula: '', weights: {} });
});

test('what was tried takes the place of what is stored, weights as a whole', () => {
  const found = withTried(stored, { k: 1, weights: { title: 3 }, boosts: { Title: 8 } });
  expect(found).toMatchObject({ k: 1, b: 0.75, weights: { title: 3 }, boosts: { Title: 8 } });
  expect(triedOf(found, stored)).toEqual({ k: 1, weights: { title: 3 }, boosts: { Title: 8 } });
});

test('differences are told in words', () => {
  const found = withTried(stored, { k: 1, formula: '', weights: { title: 3 }, boosts: { Title: 8 } });
  expect(changesBetween(stored, found)).toEqual([
    { label: 'Repetition (k)', before: '1.75', after: '1' },
    { label: 'Formula', before: 'log(votes)', after: 'none' },
    { label: 'Boost of Title', before: '2', after: '8' },
    { label: 'Weight of pagerank', before: '0.5', after: '0' },
    { label: 'Weight of title', before: '0', after: '3' },
  ]);
  expect(changesBetween(stored, stored)).toEqual([]);
});

test('taken over boosts become those of the columns, which keep all else', () => {
  const body = takeOverBody(indexer, { b: 0, boosts: { Title: 8 } });
  expect(body).toEqual({ b: 0, columns: [{ ...indexer.columns[0], boost: 8 }] });
  expect(takeOverBody(indexer, { b: 0 })).toEqual({ b: 0 });
});
