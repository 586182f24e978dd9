import { expect, test } from 'vitest';
import type { Explanation } from '../api/types';
import { barsOf, sayFormula, sayPart, sayRarity, sayScore } from './explanation';

const part = (label: string, score: number) => ({ label, score, weight: 1, df: 14, idf: 5.4, fields: [] });
const explanation: Explanation = {
  key: '11',
  score: 14.9,
  text: 14.9,
  parts: [part('word samsung', 4.9), part('word ssd', 8), part('column pagerank', 2)],
  documents: 622,
  formula: null,
  variables: {},
};

test('bars come greatest first and add up to the whole', () => {
  const bars = barsOf(explanation);
  expect(bars.map(({ label }) => label)).toEqual([
    'The word “ssd”',
    'The word “samsung”',
    'Pages that link to it',
  ]);
  expect(bars.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(14.9);
  expect(bars.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(bars[0]?.length).toBe(100);
});

test('a score without parts has no bars', () => {
  expect(barsOf({ ...explanation, parts: [], text: 0 })).toEqual([]);
});

test('parts nobody has words for are said as they are', () => {
  expect(sayPart('magic dust')).toBe('magic dust');
  expect(sayPart('column votes')).toBe('The value of votes');
});

test('rarity is told where it is known', () => {
  expect(sayRarity(part('word ssd', 8), 622)).toBe('14 of 622 documents have it: rare words count more.');
  expect(sayRarity({ ...part('word ssd', 8), df: 1 }, 1)).toBe('1 of 1 document has it.');
  expect(sayRarity({ ...part('word ssd', 8), df: null }, 622)).toBeNull();
});

test('scores have the digits that tell something', () => {
  expect([sayScore(0), sayScore(123.456), sayScore(1.234), sayScore(0.01234)]).toEqual([
    '0',
    (123.5).toLocaleString(),
    (1.23).toLocaleString(),
    (0.0123).toLocaleString(undefined, { maximumFractionDigits: 4 }),
  ]);
});

test('a formula that does not name the text score adds to it', () => {
  const told = (formula: string, score: number) => sayFormula({ ...explanation, formula, text: 9.5, score });
  expect(told('1000 / price', 24.5)).toBe('The formula adds 15: 24.5 in all');
  expect(told('0 - price', 4.5)).toBe('The formula takes 5: 4.5 in all');
  expect(told('text / 2', 4.75)).toBe('Then the formula makes 4.75 of it');
});
