import { expect, test } from 'vitest';
import { sampleBuild, sampleIndexerState } from '../testing/samples';
import { pathOf, sayProgress, saySituation, shareDone } from './indexState';

test('a situation is told in one sentence or two', () => {
  const served = sampleBuild();
  expect(saySituation(sampleIndexerState())).toMatch(/no index yet/);
  expect(saySituation(sampleIndexerState({ served }))).toMatch(/622 documents.*until you start it/);
  expect(saySituation(sampleIndexerState({ served, is_following: true }))).toMatch(/follows the crawls/);
  expect(saySituation(sampleIndexerState({ served, building: sampleBuild() }))).toMatch(
    /beside it.*comes with it/,
  );
  expect(saySituation(sampleIndexerState({ served, held: sampleBuild() }))).toMatch(/until you decide/);
  const follows = { served, held: sampleBuild(), is_following: true };
  expect(saySituation(sampleIndexerState(follows))).toMatch(/follows the crawls.*until you decide/);
});

test('progress tells how much, how fast and how long', () => {
  const build = sampleBuild({ done: 120, total: 540, documents_per_second: 84.6, eta_seconds: 5 });
  expect(sayProgress(build)).toBe('120 of 540 documents, 85 a second, about 5 s left');
  expect(shareDone(build)).toBeCloseTo(22.2, 1);
  expect(shareDone(sampleBuild({ done: 0, total: 0 }))).toBe(0);
});

test('the way shows what is done, what is now and what comes', () => {
  expect(pathOf('indexing').map(({ state }) => state)).toEqual(['done', 'done', 'now', 'later']);
  expect(pathOf('exit')).toEqual([{ status: 'exit', state: 'now' }]);
});
