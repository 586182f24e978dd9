import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveEvents, showPage, type FakeEventSource } from '../../testing/fakeEvents';
import { sampleRunner, sampleStatistics } from '../../testing/samples';
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
  queries.setQueryData(queryKey, sampleRunner());
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

function told(runner: number, pages = 0, status = 'running') {
  return { runner, crawler: 4, status, reason: '', statistics: { pages } };
}

test('one stream is opened, and what it tells makes its answers stale', () => {
  expect(sources.map(({ url }) => url)).toEqual(['/api/v1/events']);
  sources[0]?.open();
  expect(live).toBe(true);
  sources[0]?.tell('runner', told(6));
  vi.advanceTimersByTime(2000);
  expect(isStale()).toBe(false);
  sources[0]?.tell('runner', told(5));
  vi.advanceTimersByTime(2000);
  expect(isStale()).toBe(true);
});

test('many events within a moment cause one question', () => {
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  sources[0]?.open();
  for (let time = 0; time < 50; time += 1) sources[0]?.tell('runner', told(5));
  vi.advanceTimersByTime(2000);
  expect(invalidate).toHaveBeenCalledTimes(1);
});

test('the progress of a run is shown as it is told; what is not told stays', () => {
  const cooperation = { ...sampleStatistics().cooperation, workers: 3 };
  queries.setQueryData(
    queryKey,
    sampleRunner({ statistics: sampleStatistics({ documents: 7, cooperation }) }),
  );
  sources[0]?.open();
  sources[0]?.tell('runner', told(5, 42, 'paused'));
  sources[0]?.tell('runner', told(6, 99));
  expect(queries.getQueryData(queryKey)).toMatchObject({
    status: 'paused',
    crawler_name: 'Shop one',
    statistics: { pages: 42, documents: 7, cooperation: { workers: 3 } },
  });
});

test('numbers that grow are no reason to ask soon; another situation is', () => {
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  sources[0]?.open();
  sources[0]?.tell('runner', told(5, 1));
  vi.advanceTimersByTime(2000);
  expect(invalidate).toHaveBeenCalledTimes(1);
  for (let pages = 2; pages < 5; pages += 1) {
    sources[0]?.tell('runner', told(5, pages));
    vi.advanceTimersByTime(1000);
  }
  expect(invalidate).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(4000);
  expect(invalidate).toHaveBeenCalledTimes(2);
  sources[0]?.tell('runner', told(5, 5, 'completed'));
  vi.advanceTimersByTime(2000);
  expect(invalidate).toHaveBeenCalledTimes(3);
});

test('another build of an index is another situation', () => {
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  const index = { indexer: 9, status: 'indexing', reason: '', served: 'build-1', documents: 5 };
  sources[0]?.open();
  sources[0]?.tell('indexer', { ...index, build: { name: 'build-2', done: 1 } });
  vi.advanceTimersByTime(2000);
  sources[0]?.tell('indexer', { ...index, build: { name: 'build-2', done: 2 } });
  vi.advanceTimersByTime(2000);
  expect(invalidate).toHaveBeenCalledTimes(1);
  sources[0]?.tell('indexer', { ...index, build: { name: 'build-3', done: 0 } });
  vi.advanceTimersByTime(2000);
  expect(invalidate).toHaveBeenCalledTimes(2);
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
