import { expect, test } from 'vitest';
import { breakdowns, details, headlines } from './statistics';

const statistics = {
  pages: 200,
  documents: 150,
  load_seconds: 50,
  bytes: 409_600,
  http_codes: { '404': 3, '200': 197 },
};

test('headlines count what is there and call the rest nothing', () => {
  expect(headlines(statistics).map(({ value }) => value)).toEqual(['200', '150', '0', '0']);
});

test('averages are per page, and unknown while there is no page', () => {
  const byLabel = (facts: ReturnType<typeof details>) =>
    Object.fromEntries(facts.map(({ label, value }) => [label, value]));
  expect(byLabel(details(statistics))).toMatchObject({
    'Documents per page': '0.75',
    'Average load time': '250 ms',
    'Average page size': '2.0 KB',
  });
  expect(byLabel(details({}))).toMatchObject({ 'Documents per page': '–', 'Average load time': '–' });
});

test('breakdowns put the most frequent first and leave out empty ones', () => {
  expect(breakdowns({ ...statistics, failures: {} })).toEqual([
    {
      title: 'Answers by HTTP code',
      facts: [
        { label: '200', value: '197' },
        { label: '404', value: '3' },
      ],
    },
  ]);
});
