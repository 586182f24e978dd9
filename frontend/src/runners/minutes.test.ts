import { expect, test } from 'vitest';
import { pointsOf, sayMinutes } from './minutes';

const minute = (at: number, pages: number, documents: number) => ({
  minute: 29_000_000 + at,
  pages,
  documents,
  failed: 0,
  bytes: 0,
  requests: pages,
});

test('minutes in which nothing happened are shown as none', () => {
  const points = pointsOf([minute(0, 10, 8), minute(3, 30, 2)]);
  expect(points.map(({ pages }) => pages)).toEqual([10, 0, 0, 30]);
  expect(points.map(({ documents }) => documents)).toEqual([8, 0, 0, 2]);
});

test('no minutes, no points', () => {
  expect(pointsOf([])).toEqual([]);
});

test('the chart is told in a sentence', () => {
  expect(sayMinutes(pointsOf([minute(0, 10, 8), minute(1, 30, 2)]))).toMatch(
    /at most 30 pages and 8 documents a minute/,
  );
  expect(sayMinutes(pointsOf([minute(0, 1, 1)]))).toMatch(/at most 1 page and 1 document a minute/);
});
