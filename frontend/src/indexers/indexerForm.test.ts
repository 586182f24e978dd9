import { expect, test } from 'vitest';
import { sampleIndexer } from '../testing/samples';
import { emptyIndexer, indexerPayload, indexerValues } from './indexerForm';

test('a stored indexer goes through the form unchanged', () => {
  const indexer = sampleIndexer();
  const { id, status, created_at, updated_at, ...writable } = indexer;
  expect(indexerPayload(indexerValues(indexer), indexer.project)).toEqual(writable);
  expect([id, status, created_at, updated_at]).toHaveLength(4);
});

test('synonyms are read as groups, one per line', () => {
  const values = { ...emptyIndexer(), synonyms: 'bike, bicycle ,velo\n\nlaptop,notebook' };
  expect(indexerPayload(values, 7).synonyms).toEqual([
    ['bike', 'bicycle', 'velo'],
    ['laptop', 'notebook'],
  ]);
});

test('emptied numbers fall back to their usual values', () => {
  const values = { ...emptyIndexer(), small_words: '' as const, q: '' as const };
  expect(indexerPayload(values, 7)).toMatchObject({ small_words: 0, q: 3, dictionary: null });
});

test('weights of hubs and authorities are kept only while they are counted', () => {
  const values = indexerValues(sampleIndexer({ hits: true, weights: { pagerank: 0.5, hub: 2 } }));
  expect(indexerPayload(values, 7)).toMatchObject({ hits: true, weights: { pagerank: 0.5, hub: 2 } });
  expect(indexerPayload({ ...values, hits: false }, 7).weights).toEqual({ pagerank: 0.5 });
});
