import { describe, expect, test } from 'vitest';
import { placeFieldErrors, readLines } from './fieldErrors';

describe('placeFieldErrors', () => {
  const values = {
    name: 'x',
    seeds: 'https://one.example\n\nhtp://two.example\n',
    stop_words: ['the', '/(/'],
    inspectors: [{ name: 'title', selector: '//[', fallbacks: '//a\n//[' }],
    headers: [{ name: 'Accept', value: 'x' }],
  };

  test('puts an error on the control of its path', () => {
    expect(placeFieldErrors({ 'inspectors.0.selector': ['Not an XPath.'] }, values).placed).toEqual({
      'inspectors.0.selector': 'Not an XPath.',
    });
  });

  test('quotes the entry of a control that holds one per line, counting only filled lines', () => {
    expect(placeFieldErrors({ 'seeds.1': ['Begin with http.'] }, values).placed).toEqual({
      seeds: '“htp://two.example”: Begin with http.',
    });
    expect(placeFieldErrors({ 'inspectors.0.fallbacks.1': ['Not an XPath.'] }, values).placed).toEqual({
      'inspectors.0.fallbacks': '“//[”: Not an XPath.',
    });
  });

  test('quotes the entry of a list of tags', () => {
    expect(placeFieldErrors({ 'stop_words.1': ['Mend it.'] }, values).placed).toEqual({
      stop_words: '“/(/”: Mend it.',
    });
  });

  test('finds the row of a name in a map', () => {
    expect(placeFieldErrors({ 'headers.Accept': ['Too long.'] }, values).placed).toEqual({
      'headers.0.value': 'Too long.',
    });
  });

  test('keeps errors of whole lists and whole rows', () => {
    const fields = { inspectors: ['Add one.'], 'inspectors.0': ['Broken.'] };
    expect(placeFieldErrors(fields, values).placed).toEqual({
      inspectors: 'Add one.',
      'inspectors.0': 'Broken.',
    });
  });

  test('joins several sentences about one control', () => {
    const fields = { 'seeds.0': ['One.', 'Two.'], 'seeds.1': ['Three.'] };
    expect(placeFieldErrors(fields, values).placed.seeds).toBe(
      '“https://one.example”: One. Two. “htp://two.example”: Three.',
    );
  });

  test('returns what no control can show', () => {
    expect(placeFieldErrors({ project: ['Unknown project.'] }, values)).toEqual({
      placed: {},
      rest: ['Unknown project.'],
    });
  });
});

test('readLines trims lines and drops blank ones', () => {
  expect(readLines(' a \n\n b')).toEqual(['a', 'b']);
});
