import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Role, Runner, RunnerStatus } from '../api/types';
import { projectServer } from '../testing/answers';
import { serveEvents } from '../testing/fakeEvents';
import { page, refuse, serve, type Handlers } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import {
  sampleDocument,
  sampleJob,
  sampleNode,
  samplePage,
  samplePlacement,
  sampleProject,
  sampleRunner,
  sampleStatistics,
} from '../testing/samples';

function openRunner(runner: Runner, more: Handlers = {}, tab = '') {
  const { calls } = serve(projectServer({ 'GET /api/v1/runners/5': { body: runner }, ...more }));
  return { calls, ...renderApp(`/projects/7/runners/5${tab && `?tab=${tab}`}`) };
}

test.each<[RunnerStatus, string[]]>([
  ['queued', ['Pause', 'Stop']],
  ['running', ['Pause', 'Stop']],
  ['paused', ['Resume', 'Stop']],
  ['completed', ['Run again']],
  ['exit', ['Run again']],
])('a %s run offers only what its state allows', async (status, offered) => {
  openRunner(sampleRunner({ status }));
  await screen.findByRole('button', { name: offered[0] });
  const names = ['Pause', 'Resume', 'Stop', 'Run again', 'Try failed pages again'];
  expect(names.filter((name) => screen.queryByRole('button', { name }))).toEqual(offered);
});

test.each([
  [1, false],
  [2, true],
])('an ended run of %i jobs whose pages wait may go on with a retry: %s', async (jobs, isOffered) => {
  const runner = sampleRunner({ status: 'exit', statistics: sampleStatistics({ pages: 9, queued: 3 }) });
  const { calls, user } = openRunner(runner, {
    'GET /api/v1/jobs': page([sampleJob({ state: 'finished' })], jobs),
    'POST /api/v1/runners/5/retry': { body: { pages: 3 } },
  });
  await screen.findByRole('button', { name: 'Run again' });
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/v1/jobs')).toBe(true));
  if (isOffered) {
    await user.click(await screen.findByRole('button', { name: 'Try failed pages again' }));
    expect(await screen.findByText('Trying 3 failed pages again.')).toBeVisible();
  } else expect(screen.queryByRole('button', { name: 'Try failed pages again' })).toBeNull();
});

test('a log without a line of the chosen level says so', async () => {
  openRunner(sampleRunner(), { 'GET /api/v1/runners/5/log': page([]) }, 'log&level=error');
  expect(await screen.findByText('No line of this level.')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Level' })).toBeVisible();
});

test.each<[RunnerStatus, string]>([
  ['running', 'Nothing to tell yet'],
  ['completed', 'Nothing to tell'],
])('the empty log of a %s run promises no lines of what goes well: %s', async (status, title) => {
  const log = { 'GET /api/v1/runners/5/log': page([]) };
  openRunner(sampleRunner({ status, statistics: sampleStatistics({ pages: 9 }) }), log, 'log');
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  expect(screen.getByText(/^What does not go as expected is written here\./)).toBeVisible();
});

test.each([
  [{ price: { amount: 9.5, currency: 'EUR' }, title: 'SSD' }, '9.5 EUR'],
  [{ year: 2024, title: 'SSD' }, '2024'],
  [{ title: '', price: null }, 'Document 61'],
])('a document is called by its first value: %o', async (values, name) => {
  const found = page([sampleDocument({ values })]);
  openRunner(sampleRunner(), { 'GET /api/v1/documents': found }, 'documents');
  expect(await screen.findByRole('button', { name })).toBeVisible();
});

test('a run is paused by its button', async () => {
  const runner = sampleRunner({ status: 'running' });
  const { calls, user } = openRunner(runner, { 'POST /api/v1/runners/5/pause': { body: runner } });
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/pause'))).toBe(true));
});

test('the word Stop can be read in light and dark', async () => {
  openRunner(sampleRunner({ status: 'running' }));
  const stop = await screen.findByRole('button', { name: 'Stop' });
  expect(stop.style.color).toBe('var(--mantine-color-error)');
});

test('what the server refuses is said in its own sentence', async () => {
  const { user } = openRunner(sampleRunner({ status: 'running' }), {
    'POST /api/v1/runners/5/stop': refuse(409, 'conflict', 'It has ended already.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('It has ended already.')).toBeVisible();
});

test('a new run is started and opened', async () => {
  const ended = sampleRunner({ status: 'completed' });
  const { calls, user, router } = openRunner(ended, {
    'POST /api/v1/runners': { status: 201, body: sampleRunner({ id: 6, number: 2, status: 'queued' }) },
    'GET /api/v1/runners/6': { body: sampleRunner({ id: 6, number: 2, status: 'queued' }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Run again' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/projects/7/runners/6'));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ crawler: 4 });
});

test('a run is started on terms of its own; what the server refuses stands at its field', async () => {
  const sentence = 'Ensure this value is less than or equal to 64.';
  let answer = refuse(400, 'invalid', 'Some values cannot be used.', { workers: [sentence] });
  const queued = sampleRunner({ id: 6, number: 2, status: 'queued' });
  const { calls, user, router } = openRunner(sampleRunner({ status: 'completed' }), {
    'GET /api/v1/nodes': page([sampleNode()]),
    'POST /api/v1/runners': () => answer,
    'GET /api/v1/runners/6': { body: queued },
  });
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Run again with choices…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Start with choices' }));
  await fill(user, dialog.getByLabelText('Workers'), '900');
  await fill(user, dialog.getByLabelText('Priority'), '7');
  await user.click(dialog.getByRole('combobox', { name: 'Machine' }));
  await user.click(await screen.findByRole('option', { name: 'crawler-2' }));
  await user.click(dialog.getByRole('switch', { name: /^Hold it/ }));
  await user.click(dialog.getByRole('button', { name: 'Start the run' }));
  expect(await dialog.findByText(sentence)).toBeVisible();
  expect(dialog.getByLabelText('Workers')).toHaveAccessibleDescription(expect.stringContaining(sentence));
  answer = { status: 201, body: queued } as never;
  await user.clear(dialog.getByLabelText('Workers'));
  await user.click(dialog.getByRole('button', { name: 'Start the run' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/projects/7/runners/6'));
  const bodies = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(bodies).toEqual([
    { crawler: 4, workers: 900, priority: 7, node: 2, hold: true },
    { crawler: 4, priority: 7, node: 2, hold: true },
  ]);
});

test('each worker tells what it does right now', async () => {
  const job = sampleJob({
    placements: [
      samplePlacement({ id: 70, ended_at: '2026-03-01T08:00:30Z', note: 'Its process is gone.' }),
      samplePlacement(),
      samplePlacement({ id: 72, worker: 2, state: 'placed', heartbeat_at: null, live: {} as never }),
    ],
  });
  openRunner(sampleRunner(), { 'GET /api/v1/jobs': page([job]) });
  const table = await screen.findByRole('table', { name: 'Workers' });
  const [, first, second] = within(table).getAllByRole('row');
  expect(first).toHaveTextContent(/1 on crawler-2crawling/);
  expect(within(first as HTMLElement).getByRole('link')).toHaveAttribute(
    'href',
    'https://shop.example.org/p/1',
  );
  expect(first).toHaveTextContent(/61120auto90 MB$/);
  expect(second).toHaveTextContent(/2 on crawler-2starting/);
  expect(screen.getByText('1 on crawler-2: Its process is gone.')).toBeVisible();
  expect(screen.getByText('1 of 2 workers at work, for plain requests.')).toBeVisible();
});

test('a run that lost its worker waits for the next: it can be paused and stopped, not started again', async () => {
  const reason = 'The node n1 was lost. It goes on with another worker.';
  const placement = samplePlacement({ state: 'placed', heartbeat_at: null, live: {} as never });
  const job = sampleJob({ state: 'queued', reason, requested_workers: 1, placements: [placement] });
  openRunner(sampleRunner({ status: 'lost', reason }), { 'GET /api/v1/jobs': page([job]) });
  expect(await screen.findByText('0 of 1 worker at work, for plain requests.')).toBeVisible();
  expect(screen.getByText(reason)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
});

test('a run that waits says why', async () => {
  const reason = 'Waiting: no node with a free browser slot.';
  const job = sampleJob({ state: 'queued', reason, placements: [] });
  openRunner(sampleRunner({ status: 'queued', reason: 'Waiting for its turn.' }), {
    'GET /api/v1/jobs': page([job]),
  });
  expect(await screen.findByText(reason)).toBeVisible();
});

test('a run that has ended has no workers to show', async () => {
  openRunner(sampleRunner({ status: 'completed' }), { 'GET /api/v1/jobs': page([sampleJob()]) });
  await screen.findByRole('button', { name: 'Run again' });
  expect(screen.queryByRole('region', { name: 'Workers' })).not.toBeInTheDocument();
});

test('the page follows what happens without being asked', async () => {
  const streams = serveEvents();
  let runner = sampleRunner({ status: 'running' });
  openRunner(runner, { 'GET /api/v1/runners/5': () => ({ body: runner }) });
  await screen.findByRole('button', { name: 'Pause' });
  act(() => streams[0]?.open());
  runner = sampleRunner({ status: 'completed', reason: 'All pages are done.' });
  const told = { runner: 5, crawler: 4, status: 'completed', reason: '', statistics: { pages: 1234 } };
  act(() => streams[0]?.tell('runner', told));
  expect(await screen.findByText((1234).toLocaleString())).toBeVisible();
  expect(await screen.findByText('All pages are done.')).toBeVisible();
});

test('documents come into the list while the run collects them', async () => {
  const streams = serveEvents();
  let documents = page([]);
  openRunner(sampleRunner(), { 'GET /api/v1/documents': () => documents }, 'documents');
  await screen.findByText('No documents yet');
  act(() => streams[0]?.open());
  documents = page([sampleDocument({ values: { title: 'A new one' } })]);
  act(() => streams[0]?.tell('runner', { runner: 5, status: 'running', reason: '', statistics: {} }));
  expect(await screen.findByRole('button', { name: 'A new one' })).toBeVisible();
});

test('pages that failed are found from the statistics, with the sentence that says why', async () => {
  const runner = sampleRunner({
    status: 'completed',
    statistics: sampleStatistics({ pages: 2, failed: 1, http_codes: { '200': 2, '404': 1 } }),
  });
  const failed = samplePage({
    id: 52,
    state: 'failed',
    http_status: 404,
    failure: 'The website has no such page.',
  });
  const { calls, user, router } = openRunner(runner, {
    'GET /api/v1/pages': ({ query }) =>
      page(query.getAll('state')[0] === 'failed' ? [failed] : [samplePage()]),
  });
  await user.click(await screen.findByRole('link', { name: 'Failed: show them' }));
  expect(await screen.findByText('The website has no such page.')).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Failed' })).toBeChecked();
  await user.click(screen.getByRole('combobox', { name: 'Answer of the website' }));
  await user.click(await screen.findByRole('option', { name: '404' }));
  await waitFor(() =>
    expect(router.state.location.search).toMatchObject({ tab: 'pages', state: 'failed', answer: 404 }),
  );
  await waitFor(() =>
    expect(
      calls.some(({ query }) => query.get('state') === 'failed' && query.get('http_status') === '404'),
    ).toBe(true),
  );
  await user.click(screen.getByRole('radio', { name: 'All' }));
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('state'));
});

test('a page that was left out says why', async () => {
  const failure = 'The website’s robots.txt asks crawlers not to visit it.';
  const left = samplePage({ state: 'skipped', http_status: null, refusal: 'robots', failure });
  openRunner(sampleRunner(), { 'GET /api/v1/pages': page([left]) }, 'pages');
  const row = await screen.findByRole('row', { name: /shop.example.org/ });
  expect(row).toHaveTextContent(`Left out. ${failure}`);
});

test.each<[RunnerStatus, number, string]>([
  ['running', 0, 'Every address this run fetches is listed here, with what the website answered.'],
  ['completed', 240, 'The pages of this run were deleted to free space. Its documents stay.'],
  ['exit', 0, 'This run has ended before it fetched a page.'],
])('where a %s run that read %i pages has none, it says why: %s', async (status, pages, sentence) => {
  const runner = sampleRunner({ status, statistics: sampleStatistics({ pages }) });
  openRunner(runner, { 'GET /api/v1/pages': page([]) }, 'pages');
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('a filter is taken away by keyboard, too', async () => {
  serve(projectServer({ 'GET /api/v1/runners': page([sampleRunner()]) }));
  const { user, router } = renderApp('/projects/7/runners?status=running');
  (await screen.findByRole('combobox', { name: 'Status' })).focus();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Clear the choice' })).toHaveFocus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('status'));
});

test.each<[Role, boolean]>([
  ['editor', true],
  ['viewer', false],
])('where nothing has run, a %s is offered to make a crawler: %s', async (role, isOffered) => {
  serve(projectServer({ 'GET /api/v1/projects/7': { body: sampleProject({ role }) } }));
  renderApp('/projects/7/runners');
  await screen.findByRole('heading', { name: 'Nothing has run yet' });
  if (isOffered) expect(await screen.findByRole('link', { name: 'Make a crawler' })).toBeVisible();
  else expect(screen.queryByRole('link', { name: 'Make a crawler' })).not.toBeInTheDocument();
});

test('a run that is over is deleted after a question that tells what goes', async () => {
  const statistics = sampleStatistics({ pages: 120, documents: 30 });
  const { calls, user, router } = openRunner(sampleRunner({ status: 'completed', statistics }), {
    'DELETE /api/v1/runners/5': { status: 204 },
  });
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete this run…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete run 1 of “Shop one”?' }));
  expect(dialog.getByText(/^Its 120 pages, .* 30 documents that no other run has found\./)).toBeVisible();
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/projects/7/runners'));
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
    '/api/v1/runners/5',
  ]);
});

test('what deletes is written in the red that can be read', async () => {
  const { user } = openRunner(sampleRunner({ status: 'completed' }));
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  const item = await screen.findByRole('menuitem', { name: 'Delete this run…' });
  expect(item.style.getPropertyValue('--menu-item-color')).toBe('var(--mantine-color-error)');
});

test('a run that works cannot be deleted', async () => {
  openRunner(sampleRunner({ status: 'running' }));
  await screen.findByRole('button', { name: 'Stop' });
  expect(screen.queryByRole('button', { name: 'More actions' })).not.toBeInTheDocument();
});
