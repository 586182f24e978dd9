import { expect, test } from 'vitest';
import { noChoices, runRequest } from './runChoices';

test('without a choice only the crawler is named', () => {
  expect(runRequest(4, noChoices)).toEqual({ crawler: 4 });
});

test('every choice is sent as the API takes it', () => {
  const choices = {
    workers: 3,
    slots_per_worker: 2,
    priority: -5,
    node: '2',
    wall_time_seconds: 1.5,
    earliest_start: '2026-03-01T08:30',
    hold: true,
  };
  expect(runRequest(4, choices)).toEqual({
    crawler: 4,
    workers: 3,
    slots_per_worker: 2,
    priority: -5,
    node: 2,
    wall_time_seconds: 90,
    earliest_start: new Date(2026, 2, 1, 8, 30).toISOString(),
    hold: true,
  });
});

test('a zero is a choice', () => {
  expect(runRequest(4, { ...noChoices, priority: 0 })).toEqual({ crawler: 4, priority: 0 });
});
