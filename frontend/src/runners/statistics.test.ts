import { expect, test } from 'vitest';
import { sampleStatistics } from '../testing/samples';
import { breakdowns, details, headlines, measures } from './statistics';

function byLabel(facts: ReturnType<typeof details>): Record<string, string> {
  return Object.fromEntries(facts.map(({ label, value }) => [label, value]));
}

test('headlines say what one looks at first', () => {
  const facts = headlines(sampleStatistics({ pages: 4212, documents: 150, failed: 3 }));
  expect(facts.map(({ value }) => value)).toEqual([(4212).toLocaleString(), '150', '0', '3']);
});

test('pages that workers have taken ahead wait in the queue as well', () => {
  const facts = headlines(sampleStatistics({ pages: 1, queued: 2, leased: 39 }));
  expect(byLabel(facts)['Waiting in the queue']).toBe('41');
});

test('averages are told, and unknown while there is no page', () => {
  const averages = { documents_per_page: 0.75, average_load_ms: 250.4, average_page_bytes: 2048 };
  expect(byLabel(details(sampleStatistics({ pages: 200, ...averages })))).toMatchObject({
    'Documents per page': '0.75',
    'Average load time': '250 ms',
    'Average page size': '2.0 KB',
  });
  expect(byLabel(details(sampleStatistics()))).toMatchObject({
    'Documents per page': '–',
    'Average load time': '–',
  });
});

test('of a run that found every page unchanged no size is known', () => {
  const facts = byLabel(details(sampleStatistics({ pages: 8, unchanged_pages: 8, average_load_ms: 20 })));
  expect(facts).toMatchObject({
    'Average load time': '20 ms',
    'Average processing time': '–',
    'Average page size': '–',
  });
});

test('breakdowns put the most frequent first and leave out empty ones', () => {
  expect(breakdowns(sampleStatistics({ http_codes: { '404': 3, '200': 197 } }))).toEqual([
    {
      title: 'Answers by HTTP code',
      facts: [
        { label: '200', value: '197' },
        { label: '404', value: '3' },
      ],
    },
  ]);
});

test('how well a run worked is told of every one, how workers shared it of several', () => {
  const told = {
    workers: 3,
    overlap: 0,
    coverage: 0.5,
    quality: 0.8,
    balance: 0.955,
    speedup: 2.865,
    round_trips_per_page: 0.314,
    frontier_queries_per_page: 0.08,
  };
  const values = (workers: number, pages = 100) =>
    measures(sampleStatistics({ pages, cooperation: { ...told, workers } })).map(({ value }) => value);
  expect(values(3)).toEqual(['50 %', '80 %', '0 %', '3', '96 %', '2.87', '0.31', '0.08']);
  expect(values(1)).toEqual(['50 %', '80 %', '0 %', '0.31', '0.08']);
  expect(values(3, 0)).toEqual([]);
});
