import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { IndexerState } from '../api/types';
import { projectServer } from '../testing/answers';
import { serveEvents } from '../testing/fakeEvents';
import { page, serve, type Handlers } from '../testing/fakeServer';
import { renderApp } from '../testing/renderApp';
import { sampleBuild, sampleIndexer, sampleIndexerState, sampleProject } from '../testing/samples';

async function openPanel(state: Partial<IndexerState>, more: Handlers = {}) {
  const body = sampleIndexerState(state);
  const { calls } = serve(
    projectServer({
      'GET /api/v1/indexers/9': { body: sampleIndexer() },
      'GET /api/v1/indexers/9/state': { body },
      ...more,
    }),
  );
  const app = renderApp('/projects/7/indexers/9');
  const panel = await screen.findByRole('region', { name: 'Index' });
  return { calls, panel: within(panel), ...app };
}

test.each<[string, Partial<IndexerState>, string[]]>([
  ['never built', {}, ['Start']],
  ['at rest', { status: 'completed', served: sampleBuild() }, ['Bring up to date', 'Rebuild']],
  ['following', { served: sampleBuild(), is_at_work: true, is_following: true }, ['Rebuild', 'Stop']],
  ['building', { status: 'indexing', is_at_work: true, building: sampleBuild() }, ['Stop']],
])('an index that is %s offers only what makes sense', async (_, state, offered) => {
  const { panel } = await openPanel(state);
  const names = ['Start', 'Bring up to date', 'Rebuild', 'Stop'];
  expect(names.filter((name) => panel.queryByRole('button', { name }))).toEqual(offered);
});

test('an index is started by its button', async () => {
  const started = sampleIndexerState({ is_at_work: true, status: 'indexing' });
  const { calls, panel, user } = await openPanel({}, { 'POST /api/v1/indexers/9/start': { body: started } });
  await user.click(panel.getByRole('button', { name: 'Start' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ rebuild: false }),
  );
});

test('progress is shown with its speed and what is left', async () => {
  const building = sampleBuild({ done: 100, total: 400, documents_per_second: 50, eta_seconds: 6 });
  const { panel } = await openPanel({ status: 'indexing', is_at_work: true, building });
  expect(panel.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  expect(panel.getByText('100 of 400 documents, 50 a second, about 6 s left')).toBeVisible();
});

test('why a rebuild is needed and what could not be read is told', async () => {
  const { panel } = await openPanel({
    served: sampleBuild(),
    stale: ['Needs a rebuild: Of the column “name”, the language changed.'],
    warnings: ['12 % of the values of “price” are no numbers, such as “on request”.'],
  });
  expect(panel.getByText('Of the column “name”, the language changed.')).toBeVisible();
  expect(panel.getByText(/such as “on request”/)).toBeVisible();
});

const comparison = {
  documents_before: 10,
  documents_after: 4,
  lost: 6,
  new: 0,
  deleted: 0,
  fill: { price: { before: 100, after: 25 } },
  lost_examples: [{ key: '1', title: 'SSD 0', url: 'http://shop.example/0' }],
  emptied_examples: {},
  reasons: ['60 % of the documents were lost.'],
};

test('a build that was held back is shown with its difference, and a person decides', async () => {
  const held = sampleBuild({ state: 'held', comparison });
  const { calls, panel, user } = await openPanel(
    { served: sampleBuild(), held },
    { 'POST /api/v1/indexers/9/accept': { body: sampleIndexerState({ served: sampleBuild() }) } },
  );
  expect(panel.getByText(/60 % of the documents were lost/)).toBeVisible();
  const table = panel.getByRole('table', { name: 'What would change' });
  expect(within(table).getByRole('row', { name: /Documents 10 4/ })).toBeVisible();
  expect(panel.getByRole('link', { name: 'SSD 0' })).toBeVisible();
  await user.click(panel.getByRole('button', { name: 'Use the new build' }));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/accept'))).toBe(true));
});

test('following the crawls is switched at once', async () => {
  const { calls, panel, user } = await openPanel(
    {},
    { 'PATCH /api/v1/indexers/9': { body: sampleIndexer({ live: false }) } },
  );
  await user.click(panel.getByRole('switch', { name: /^Follow the crawls/ }));
  await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ live: false }));
});

test('viewers watch and change nothing', async () => {
  const { panel } = await openPanel(
    { served: sampleBuild() },
    { 'GET /api/v1/projects/7': { body: sampleProject({ role: 'viewer' }) } },
  );
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Rebuild' })).toBeNull());
  expect(panel.getByRole('switch', { name: /^Follow the crawls/ })).toBeDisabled();
});

test('the log tells what happened', async () => {
  const line = { id: 1, at: '2026-03-01T08:00:00Z', level: 'info', message: 'build-1 answers searches now.' };
  const { panel, user } = await openPanel({}, { 'GET /api/v1/indexers/9/log': page([line]) });
  await user.click(panel.getByRole('button', { name: 'Show the log' }));
  expect(await panel.findByText('build-1 answers searches now.')).toBeVisible();
});

test('what events tell of a build and of what is served is shown without asking', async () => {
  const streams = serveEvents();
  const { calls, panel } = await openPanel({
    status: 'indexing',
    is_at_work: true,
    served: sampleBuild(),
    building: sampleBuild({ name: 'build-2', state: 'building', done: 10, total: 400 }),
  });
  act(() => streams[0]?.open());
  const asked = calls.length;
  const build = { name: 'build-2', done: 300, total: 400, documents_per_second: 50, eta_seconds: 2 };
  const told = { indexer: 9, status: 'indexing', reason: '', served: 'build-1', documents: 700, build };
  act(() => streams[0]?.tell('indexer', told));
  expect(await panel.findByText('300 of 400 documents, 50 a second, about 2 s left')).toBeVisible();
  expect(panel.getByText(/^700 documents can be searched/)).toBeVisible();
  act(() => streams[0]?.tell('indexer', { ...told, indexer: 8, documents: 1 }));
  expect(panel.queryByText(/^1 document can/)).not.toBeInTheDocument();
  expect(calls).toHaveLength(asked);
});
