import { expect, test } from 'vitest';
import { newAction } from '../shared/actions/actionValues';
import { sampleTemplate } from '../testing/samples';
import { emptyTemplate, newInspector, templatePayload, templateValues } from './templateForm';

test('a stored template goes through the form unchanged', () => {
  const template = sampleTemplate();
  const payload = templatePayload(templateValues(template), template.project);
  expect(payload.inspectors).toEqual(template.inspectors);
  expect(payload.actions).toEqual([{ type: 'wait', seconds: 2, optional: false, timeout_seconds: 10 }]);
  expect(payload).toMatchObject({ project: 7, name: 'Product', item_scope: '', actions_on: 'every' });
});

test('an action sends only the parameters of its own type', () => {
  const values = emptyTemplate();
  values.actions = [
    { ...newAction('type'), selector: '//input', text: '${shop password}', submit: true, seconds: 9 },
    { ...newAction('dismiss_overlays'), optional: true, timeout_seconds: '' },
  ];
  expect(templatePayload(values, 1).actions).toEqual([
    {
      type: 'type',
      selector: '//input',
      text: '${shop password}',
      submit: true,
      optional: false,
      timeout_seconds: 10,
    },
    { type: 'dismiss_overlays', optional: true },
  ]);
});

test('where the chain runs is stored with its pattern', () => {
  const template = sampleTemplate({ actions_on: 'matching', actions_pattern: '/list' });
  expect(templatePayload(templateValues(template), 7)).toMatchObject({
    actions_on: 'matching',
    actions_pattern: '/list',
  });
});

test('a constant sends its value and no selector, other types the reverse', () => {
  const values = emptyTemplate();
  const filled = { ...newInspector(), selector: '//b', value: 'EUR', fallbacks: '//i', name: 'currency' };
  values.inspectors = [
    { ...filled, type: 'constant' },
    { ...filled, type: 'text' },
  ];
  expect(templatePayload(values, 1).inspectors).toMatchObject([
    { selector: '', value: 'EUR', fallbacks: [] },
    { selector: '//b', value: '', fallbacks: ['//i'] },
  ]);
});

test('unfinished clean-up steps are left out', () => {
  const values = emptyTemplate();
  values.inspectors = [
    {
      ...newInspector(),
      cleanup: [
        { pattern: '', replacement: 'x' },
        { pattern: 'a', replacement: '' },
      ],
    },
  ];
  expect(templatePayload(values, 1).inspectors?.[0]?.cleanup).toEqual([{ pattern: 'a', replacement: '' }]);
});

test('after saving, rows keep the identity they had on the screen', () => {
  const shown = templateValues(sampleTemplate());
  const stored = templateValues(sampleTemplate(), shown);
  expect(stored.inspectors.map(({ uid }) => uid)).toEqual(shown.inspectors.map(({ uid }) => uid));
});
