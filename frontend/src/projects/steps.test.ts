import { expect, test } from 'vitest';
import { stepsOf } from './steps';

const none = { templates: 0, crawlers: 0, runners: 0, documents: 0, indexers: 0, dictionaries: 0 };
const states = (counts: typeof none) => stepsOf(counts, true).map(({ state }) => state);

test('an empty project begins with design and offers nothing that cannot be done yet', () => {
  const steps = stepsOf(none, true);
  expect(steps.map(({ state }) => state)).toEqual(['next', 'later', 'later', 'later']);
  expect(steps.map(({ action }) => action?.label)).toEqual([
    'Make a template',
    undefined,
    undefined,
    undefined,
  ]);
});

test('what is there is said, and the next step follows', () => {
  const steps = stepsOf({ ...none, templates: 2 }, true);
  expect(steps[0]).toMatchObject({ standing: '2 templates', state: 'done' });
  expect(steps[1]).toMatchObject({ state: 'next', action: { label: 'Make a crawler' } });
  expect(states({ ...none, templates: 1, crawlers: 1 })).toEqual(['done', 'done', 'next', 'later']);
  expect(states({ ...none, templates: 1, crawlers: 1, indexers: 1 })).toEqual([
    'done',
    'done',
    'done',
    'next',
  ]);
});

test('viewers are not offered to make things', () => {
  expect(stepsOf(none, false)[0]?.action).toBeUndefined();
  expect(stepsOf({ ...none, templates: 1 }, false)[1]?.action).toBeUndefined();
});
