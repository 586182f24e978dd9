import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveEvents, showPage, type FakeEventSource } from '../../testing/fakeEvents';
import { EventStream } from './EventStream';

const queryKey = ['get', '/api/v1/runners/{id}', { params: { path: { id: 5 } } }];
let sources: FakeEventSource[];
let queries: QueryClient;
let live: boolean;
let stream: EventStream;

beforeEach(() => {
  vi.useFakeTimers();
  sources = serveEvents();
  queries = new QueryClient();
  queries.setQueryData(queryKey, { id: 5 });
  live = false;
  stream = new EventStream(queries, (isLive) => (live = isLive));
  stream.start();
});

afterEach(() => {
  stream.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function isStale(): boolean {
  return queries.getQueryState(queryKey)?.isInvalidated ?? false;
}

test('one stream is opened, and what it tells makes its answers stale', () => {
  expect(sources.map(({ url }) => url)).toEqual(['/api/v1/events']);
  sources[0]?.open();
  expect(live).toBe(true);
  sources[0]?.tell('runner', { runner: 6 });
  vi.advanceTimersByTime(2000);
  expect(isStale()).toBe(false);
  sources[0]?.tell('runner', { runner: 5, status: 'running' });
  vi.advanceTimersByTime(2000);
  expect(isStale()).toBe(true);
});

test('many events within a moment cause one question', () => {
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  sources[0]?.open();
  for (let time = 0; time < 50; time += 1) sources[0]?.tell('runner', { runner: 5 });
  vi.advanceTimersByTime(2000);
  expect(invalidate).toHaveBeenCalledTimes(1);
});

test('a connection that breaks is left to the browser; meanwhile the page is not live', () => {
  sources[0]?.open();
  sources[0]?.fail(false);
  expect(live).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(1);
  sources[0]?.open();
  expect(live).toBe(true);
});

test('a refused connection is tried anew after a while, and then everything is asked for again', () => {
  sources[0]?.open();
  sources[0]?.fail(true);
  vi.advanceTimersByTime(5000);
  expect(sources).toHaveLength(1);
  vi.advanceTimersByTime(20_000);
  expect(sources).toHaveLength(2);
  sources[1]?.open();
  vi.advanceTimersByTime(2000);
  expect(isStale()).toBe(true);
});

test('a hidden page listens to nothing and catches up when it is shown', () => {
  sources[0]?.open();
  showPage(false);
  expect(sources[0]?.readyState).toBe(2);
  expect(live).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(1);
  showPage(true);
  sources[1]?.open();
  vi.advanceTimersByTime(2000);
  expect(isStale()).toBe(true);
});

test('the advice to load everything again is followed', () => {
  sources[0]?.open();
  sources[0]?.tell('reset', { reason: 'Too much has happened since.' });
  vi.advanceTimersByTime(2000);
  expect(isStale()).toBe(true);
});

test('once stopped it is over', () => {
  stream.stop();
  showPage(false);
  showPage(true);
  expect(sources).toHaveLength(1);
  expect(sources[0]?.readyState).toBe(2);
});
