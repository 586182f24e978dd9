import { expect, test } from 'vitest';
import { sayDuration } from './time';

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
