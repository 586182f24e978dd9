import { expect, test } from 'vitest';
import { sayDifference, verdictOf } from './measures';

test('a difference is told with its sign', () => {
  expect(sayDifference(0.123)).toBe('+0.12');
  expect(sayDifference(-0.05)).toBe('−0.05');
  expect(sayDifference(0)).toBe('0.00');
  expect(sayDifference(-0.001)).toBe('0.00');
});

test('what differs by less than numbers can tell is the same', () => {
  expect([verdictOf(0.1), verdictOf(-0.1), verdictOf(1e-12)]).toEqual(['better', 'worse', 'same']);
});
