import { expect, test } from 'vitest';
import { sayDuration, sayMoment } from './time';

test.each([
  [0.4, '0 s'],
  [59.4, '59 s'],
  [59.7, '1 min 00 s'],
  [119.7, '2 min 00 s'],
  [3599.6, '1 h 00 min'],
  [3_840, '1 h 04 min'],
])('%d seconds are %s', (seconds, told) => {
  expect(sayDuration(seconds)).toBe(told);
});

test.each([
  [59.7, 'just now'],
  [59.7 * 60, '1 hour ago'],
  [29 * 60, '29 minutes ago'],
  [23.6 * 3600, 'yesterday'],
])('%d seconds before now is %s', (seconds, told) => {
  const now = new Date('2026-05-01T12:00:00Z');
  expect(sayMoment(new Date(now.getTime() - seconds * 1000), now)).toBe(told);
});
