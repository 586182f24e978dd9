import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { JudgedQuery } from '../../api/types';
import { projectServer } from '../../testing/answers';
import { page, refuse, serve, type Call } from '../../testing/fakeServer';
import { renderApp } from '../../testing/renderApp';
import {
  sampleAnswer,
  sampleIndexer,
  sampleJudged,
  sampleProject,
  sampleResult,
  sampleTuning,
} from '../../testing/samples';
import { wishOf } from '../../testing/searches';

const lab = '/projects/7/indexers/9/lab';
const column = { ...sampleIndexer().columns[0], name: 'name', boost: 2 } as never;
const indexer = sampleIndexer({ columns: [column], formula: '', weights: {}, status: 'completed' });
const judged = [sampleJudged(1, 'ssd', { '11': 3, '12': 0 }), sampleJudged(2, 'tea', { '13': 0 })];
const good = { ndcg_at_10: 0.9, map: 0.8, precision_at_5: 0.6 };
const evaluation = {
  overall: good,
  queries: [{ id: 1, query: 'ssd', relevant: 2, found: 1, ...good }],
};

const server = (queries: JudgedQuery[], more = {}) =>
  projectServer({
    'GET /api/v1/indexers/9': { body: indexer },
    'GET /api/v1/judged-queries': page(queries),
    'GET /api/v1/tunings': page([]),
    'GET /api/v1/indexers/9/search': (call: Call) => ({
      body: sampleAnswer({
        query: wishOf(call).q,
        results: [sampleResult({ key: '11' }), sampleResult({ key: '12', rank: 2 })],
      }),
    }),
    'GET /api/v1/indexers/9/suggest': { body: { suggestions: [], is_ready: true, ms: 1 } },
    'POST /api/v1/indexers/9/evaluate': { body: evaluation },
    ...more,
  });

const bodiesTo = (calls: Call[], end: string) =>
  calls.filter(({ path, method }) => path.endsWith(end) && method !== 'GET').map(({ body }) => body);

test('without judgements the lab says how to begin, on every tab', async () => {
  serve(server([]));
  const { user } = renderApp(lab);
  expect(await screen.findByText('Teach Gleaner what a good result is')).toBeVisible();
  for (const tab of ['Measure', 'Compare', 'Tune']) {
    await user.click(screen.getByRole('tab', { name: tab }));
    expect(await screen.findByText('First say what a good result is')).toBeVisible();
  }
  await user.click(screen.getByRole('link', { name: 'Judge results' }));
  expect(await screen.findByRole('combobox', { name: 'Search' })).toBeVisible();
});

test('a click judges a result, and the same click takes it back', async () => {
  const { calls } = serve(
    server([], { 'POST /api/v1/indexers/9/judge': { body: sampleJudged(1, 'ssd', {}) } }),
  );
  const { user } = renderApp(`${lab}?q=ssd`);
  const [bar] = await screen.findAllByRole('toolbar', { name: /^Judge Samsung SSD/ });
  const exactly = within(bar as HTMLElement).getByRole('button', { name: /Exactly/ });
  await user.click(exactly);
  expect(exactly).toHaveAttribute('aria-pressed', 'true');
  await user.click(exactly);
  expect(exactly).toHaveAttribute('aria-pressed', 'false');
  await waitFor(() =>
    expect(bodiesTo(calls, '/judge')).toEqual([
      { query: 'ssd', key: '11', grade: 3 },
      { query: 'ssd', key: '11', grade: null },
    ]),
  );
});

test('results are judged with the keyboard alone', async () => {
  const { calls } = serve(
    server(judged, { 'POST /api/v1/indexers/9/judge': { body: sampleJudged(1, 'ssd', {}) } }),
  );
  const { user } = renderApp(`${lab}?q=ssd`);
  const [first] = await screen.findAllByRole('toolbar');
  const buttons = within(first as HTMLElement).getAllByRole('button');
  expect(buttons[3]).toHaveAttribute('aria-pressed', 'true');
  expect(buttons.filter((button) => button.tabIndex === 0)).toHaveLength(1);
  buttons[0]?.focus();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(buttons[2]).toHaveFocus();
  await user.keyboard('{Enter}1{Delete}');
  await waitFor(() =>
    expect(bodiesTo(calls, '/judge').map((body) => (body as { grade: number }).grade)).toEqual([2, 1, null]),
  );
});

test('a refused judgement is not shown as given', async () => {
  serve(server([], { 'POST /api/v1/indexers/9/judge': refuse(400, 'invalid', 'Delete some first.') }));
  const { user } = renderApp(`${lab}?q=ssd`);
  const [good] = await screen.findAllByRole('button', { name: /Good/ });
  await user.click(good as HTMLElement);
  expect(await screen.findByText('Delete some first.')).toBeVisible();
  expect(good).toHaveAttribute('aria-pressed', 'false');
});

test('a mended query is judged as it was searched for', async () => {
  const mended = sampleAnswer({ query: 'sdd', corrected: 'ssd' });
  const { calls } = serve(
    server([], {
      'GET /api/v1/indexers/9/search': { body: mended },
      'POST /api/v1/indexers/9/judge': { body: sampleJudged(1, 'ssd', {}) },
    }),
  );
  const { user } = renderApp(`${lab}?q=sdd`);
  await user.click(await screen.findByRole('button', { name: /Exactly/ }));
  await waitFor(() => expect(bodiesTo(calls, '/judge')).toMatchObject([{ query: 'ssd' }]));
});

test('judged queries are measured, and one without a wanted result says what it lacks', async () => {
  serve(server(judged));
  renderApp(`${lab}?tab=measure`);
  const table = await screen.findByRole('table', { name: 'Judged queries' });
  expect(
    await within(table).findByRole('row', { name: /ssd.*1 of them found.*0\.90.*0\.80.*0\.60/ }),
  ).toBeVisible();
  expect(within(table).getByRole('row', { name: /tea.*No wanted result yet/ })).toBeVisible();
  expect(within(table).getByRole('link', { name: 'ssd' })).toHaveAttribute('href', `${lab}?q=ssd`);
  expect(screen.getByText('Do the best results come first?')).toBeVisible();
});

test('the second page of many judged queries is listed, too', async () => {
  const many = Array.from({ length: 500 }, (_, at) => sampleJudged(at + 10, `query ${at}`, { '1': 0 }));
  serve(
    server([], {
      'GET /api/v1/judged-queries': ({ query }: Call) =>
        query.get('page') === '2' ? page([sampleJudged(999, 'zebra', { '1': 0 })], 501) : page(many, 501),
    }),
  );
  renderApp(`${lab}?tab=measure`);
  expect(await screen.findByText('zebra')).toBeVisible();
});

test('a judged query is deleted after a question', async () => {
  const { calls } = serve(server(judged, { 'DELETE /api/v1/judged-queries/1': { status: 204 } }));
  const { user } = renderApp(`${lab}?tab=measure`);
  await user.click(await screen.findByRole('button', { name: 'Delete the judgements of ssd' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await screen.findByText('The judged query is deleted.');
  expect(calls.some(({ method, path }) => method === 'DELETE' && path.endsWith('/1'))).toBe(true);
});

const comparison = {
  first: evaluation,
  second: { ...evaluation, overall: { ndcg_at_10: 0.95, map: 0.7, precision_at_5: 0.6 } },
  differences: [
    { id: 2, query: 'tea', first: 0.5, second: 0.5, difference: 0 },
    { id: 1, query: 'ssd', first: 0.9, second: 0.8, difference: -0.1 },
    { id: 3, query: 'lamp', first: 0.2, second: 0.6, difference: 0.4 },
  ],
  better: 1,
  worse: 1,
  same: 1,
};

test('two settings are compared without saving, and the better one is taken over', async () => {
  const { calls } = serve(
    server(judged, {
      'POST /api/v1/indexers/9/compare': { body: comparison },
      'PATCH /api/v1/indexers/9': { body: indexer },
    }),
  );
  const { user } = renderApp(`${lab}?tab=compare`);
  const b = within(await screen.findByRole('group', { name: 'B' }));
  expect(screen.getByRole('button', { name: 'Compare' })).toBeDisabled();
  const boost = b.getByRole('textbox', { name: 'Boost of name' });
  await user.clear(boost);
  await user.type(boost, '5');
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  const rows = within(await screen.findByRole('table', { name: 'Query by query' })).getAllByRole('row');
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
    'lamp0.200.60better (+0.40)',
    'ssd0.900.80worse (−0.10)',
    'tea0.500.50the same',
  ]);
  expect(screen.getByText('better for 1')).toBeVisible();
  expect(bodiesTo(calls, '/compare')).toEqual([{ first: {}, second: { boosts: { name: 5 } } }]);
  expect(bodiesTo(calls, '/indexers/9')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Use B in the indexer' }));
  await waitFor(() =>
    expect(bodiesTo(calls, '/indexers/9')).toMatchObject([{ columns: [{ name: 'name', boost: 5 }] }]),
  );
});

test('what cannot be tried is said at its field of its side', async () => {
  const refusal = refuse(400, 'invalid', 'Please check.', { 'second.formula': ['“x” is not known.'] });
  serve(server(judged, { 'POST /api/v1/indexers/9/compare': refusal }));
  const { user } = renderApp(`${lab}?tab=compare`);
  const formula = within(await screen.findByRole('group', { name: 'B' })).getByRole('textbox', {
    name: 'Formula',
  });
  await user.type(formula, 'x');
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  await waitFor(() => expect(formula).toHaveAccessibleDescription(/“x” is not known/));
  const other = within(screen.getByRole('group', { name: 'A' })).getByRole('textbox', { name: 'Formula' });
  expect(other).not.toHaveAccessibleDescription();
});

test('a search for settings that waits for another one says so, and can be stopped', async () => {
  const waiting = sampleTuning({ state: 'waiting', progress: 0, trials: 0, result: null as never });
  const { calls } = serve(
    server(judged, {
      'GET /api/v1/tunings': page([waiting]),
      'POST /api/v1/tunings/1/stop': { body: { ...waiting, state: 'stopped' } },
    }),
  );
  const { user } = renderApp(`${lab}?tab=tune`);
  expect(await screen.findByText(/^Waiting: it begins when another search/)).toBeVisible();
  expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Search again' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/tunings/1/stop'))).toBe(true));
});

test('a search for settings is started, watched and stopped', async () => {
  let started = false;
  const running = sampleTuning({ state: 'running', progress: 0.4, trials: 37, result: null as never });
  const { calls } = serve(
    server(judged, {
      'GET /api/v1/tunings': () => page(started ? [running] : []),
      'POST /api/v1/tunings': () => {
        started = true;
        return { status: 201, body: running };
      },
      'POST /api/v1/tunings/1/stop': { body: { ...running, state: 'stopped' } },
    }),
  );
  const { user } = renderApp(`${lab}?tab=tune`);
  await user.click(await screen.findByRole('button', { name: 'Search for better settings' }));
  expect(await screen.findByText('Searching: 37 settings tried so far.')).toBeVisible();
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/tunings/1/stop'))).toBe(true));
  expect(bodiesTo(calls, '/tunings')).toEqual([{ indexer: 9, seconds: 30 }]);
});

test('found settings are taken over at once where nothing speaks against them', async () => {
  const { calls } = serve(
    server(judged, {
      'GET /api/v1/tunings': page([sampleTuning()]),
      'PATCH /api/v1/indexers/9': { body: indexer },
    }),
  );
  const { user } = renderApp(`${lab}?tab=tune`);
  expect(await screen.findByText('Better settings were found among 120 settings')).toBeVisible();
  expect(screen.getByText('0.72')).toBeVisible();
  expect(screen.getByRole('row', { name: 'Repetition (k) 1.75 0.8' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Use these settings' }));
  await waitFor(() =>
    expect(bodiesTo(calls, '/indexers/9')).toMatchObject([{ k: 0.8, columns: [{ name: 'name', boost: 4 }] }]),
  );
});

test('over-fitted settings are taken over only after a second thought', async () => {
  const warnings = ['Over-fitting: judge more queries.'];
  const result = { ...sampleTuning().result, held_out: 0.5, warnings } as never;
  const { calls } = serve(
    server(judged, {
      'GET /api/v1/tunings': page([sampleTuning({ result })]),
      'PATCH /api/v1/indexers/9': { body: indexer },
    }),
  );
  const { user } = renderApp(`${lab}?tab=tune`);
  expect(await screen.findByText(/promises nothing for others/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Use these settings' }));
  const question = await screen.findByRole('dialog');
  expect(within(question).getByText('Over-fitting: judge more queries.')).toBeVisible();
  await user.click(within(question).getByRole('button', { name: 'Keep the stored ones' }));
  expect(bodiesTo(calls, '/indexers/9')).toEqual([]);
});

test('found settings are compared query by query', async () => {
  const { calls } = serve(
    server(judged, {
      'GET /api/v1/tunings': page([sampleTuning()]),
      'POST /api/v1/indexers/9/compare': { body: comparison },
    }),
  );
  const { user } = renderApp(`${lab}?tab=tune`);
  await user.click(await screen.findByRole('button', { name: 'Compare query by query' }));
  expect(await screen.findByRole('table', { name: 'Query by query' })).toBeVisible();
  expect(bodiesTo(calls, '/compare')).toEqual([{ first: {}, second: { k: 0.8, boosts: { name: 4 } } }]);
});

test('viewers see what was judged and are told what they lack', async () => {
  const { calls } = serve(
    server(judged, { 'GET /api/v1/projects/7': { body: sampleProject({ role: 'viewer' }) } }),
  );
  renderApp(lab);
  expect(await screen.findByText(/need the role editor/)).toBeVisible();
  expect(screen.getByRole('table', { name: 'Judged queries' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
  expect(bodiesTo(calls, '/evaluate')).toEqual([]);
});

test('an indexer leads to its lab', async () => {
  serve(server([], { 'GET /api/v1/indexers/9/state': refuse(503, 'busy', 'Later.') }));
  renderApp('/projects/7/indexers/9?tab=settings');
  expect(await screen.findByRole('link', { name: 'Relevance lab' })).toHaveAttribute('href', lab);
});
