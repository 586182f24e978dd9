import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../api/types';
import { projectServer } from '../testing/answers';
import { page, refuse, serve, type Handlers } from '../testing/fakeServer';
import { renderApp } from '../testing/renderApp';
import { sampleJob, samplePlacement, sampleProject } from '../testing/samples';

function openQueue(jobs: Job[], more: Handlers = {}, address = '/jobs') {
  const { calls } = serve(projectServer({ 'GET /api/v1/jobs': page(jobs), ...more }));
  return { calls, ...renderApp(address) };
}

const waiting = sampleJob({
  id: 71,
  subject: 'Shop two #3',
  state: 'queued',
  needs_browser: true,
  reason: 'Waiting: no node with a free browser slot.',
  placements: [samplePlacement({ ended_at: '2026-03-01T09:00:00Z' })],
});

async function choose(user: ReturnType<typeof renderApp>['user'], subject: string, action: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${subject}` }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

test('the queue shows open jobs with their workers, their nodes and why each waits', async () => {
  const { calls } = openQueue([sampleJob(), waiting]);
  const running = await screen.findByRole('row', { name: /^Shop one #1/ });
  const queued = screen.getByRole('row', { name: /^Shop two #3/ });
  expect(within(running).getByRole('link', { name: 'Shop one #1' })).toHaveAttribute(
    'href',
    '/projects/7/runners/5',
  );
  expect(within(running).getByText('1 of 2 plain')).toBeVisible();
  expect(within(running).getByText('crawler-2')).toBeVisible();
  expect(within(queued).getByText('Waiting: no node with a free browser slot.')).toBeVisible();
  expect(within(queued).getByText('0 of 2 browser')).toBeVisible();
  const asked = calls.find(({ path }) => path === '/api/v1/jobs');
  expect(asked?.query.getAll('state')).toEqual(['queued', 'held', 'running', 'exiting']);
});

test('a running job is held after a question', async () => {
  const { calls, user } = openQueue([sampleJob()], {
    'POST /api/v1/jobs/70/hold': { body: sampleJob({ state: 'held' }) },
  });
  await choose(user, 'Shop one #1', 'Hold');
  const dialog = await screen.findByRole('dialog', { name: 'Hold “Shop one #1”?' });
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await user.click(within(dialog).getByRole('button', { name: 'Hold it' }));
  expect(await screen.findByText('“Shop one #1” is held.')).toBeVisible();
});

test('a held job is released at once, and offers no other hold', async () => {
  const { calls, user } = openQueue([sampleJob({ state: 'held' })], {
    'POST /api/v1/jobs/70/release': { body: sampleJob({ state: 'queued' }) },
  });
  await choose(user, 'Shop one #1', 'Release');
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/release'))).toBe(true));
});

test('a job is cancelled after a question; a refusal is said in the server’s sentence', async () => {
  const { user } = openQueue([sampleJob({ state: 'exiting' })], {
    'POST /api/v1/jobs/70/cancel': refuse(409, 'conflict', 'It has ended already.'),
  });
  await choose(user, 'Shop one #1', 'Cancel');
  await user.click(await screen.findByRole('button', { name: 'Cancel the job' }));
  expect(await screen.findByText('It has ended already.')).toBeVisible();
});

test('finished jobs, and jobs of projects that one only looks at, offer nothing', async () => {
  const viewed = sampleProject({ id: 8, role: 'viewer' });
  const jobs = [sampleJob({ state: 'finished' }), sampleJob({ id: 72, project: 8, subject: 'Theirs #1' })];
  openQueue(jobs, { 'GET /api/v1/projects': page([sampleProject(), viewed]) }, '/jobs?state=all');
  expect(await screen.findByText('Theirs #1')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Actions for/ })).not.toBeInTheDocument();
});

test('an empty queue leads to what has finished', async () => {
  const { calls, user, router } = openQueue([]);
  await user.click(await screen.findByRole('link', { name: 'Show finished jobs' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ state: 'all' }));
  expect(await screen.findByText('No job yet')).toBeVisible();
  expect(
    calls
      .filter(({ path }) => path === '/api/v1/jobs')
      .at(-1)
      ?.query.getAll('state'),
  ).toEqual([]);
});

test('a job tells its priority and its history: when, from what to what, why and where', async () => {
  const lost = samplePlacement({
    id: 72,
    node_name: 'crawler-3',
    state: 'lost',
    ended_at: '2026-03-01T08:05:00Z',
    note: 'The machine was not heard of any more.',
  });
  const job = sampleJob({
    priority: 7,
    requested_node_name: 'crawler-2',
    transitions: [
      { state: 'queued', reason: 'Submitted.', at: '2026-03-01T08:00:00Z' },
      { state: 'running', reason: 'Placed on crawler-3.', at: '2026-03-01T08:00:10Z' },
      { state: 'queued', reason: 'The machine was lost; it starts again.', at: '2026-03-01T08:05:00Z' },
    ],
    placements: [lost, samplePlacement()],
  });
  const { user } = openQueue([job], { 'GET /api/v1/jobs/70': { body: job } });
  const row = await screen.findByRole('row', { name: /^Shop one #1/ });
  expect(within(row).getByRole('cell', { name: '7' })).toBeVisible();
  await user.click(within(row).getByRole('button', { name: 'History of Shop one #1' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Shop one #1 · job 70' }));
  const changes = within(await drawer.findByRole('list', { name: 'Changes of state' })).getAllByRole(
    'listitem',
  );
  expect(changes.map((item) => item.textContent)).toEqual([
    expect.stringMatching(/QueuedSubmitted\.$/),
    expect.stringMatching(/Queued→RunningPlaced on crawler-3\.$/),
    expect.stringMatching(/Running→QueuedThe machine was lost; it starts again\.$/),
  ]);
  const places = within(drawer.getByRole('list', { name: 'Workers' })).getAllByRole('listitem');
  expect(places[0]).toHaveTextContent(/Worker 1 on crawler-3lost.*The machine was not heard of any more\.$/);
  expect(places[1]).toHaveTextContent(/Worker 1 on crawler-2at work.* to now$/);
  expect(within(drawer.getByRole('table', { name: 'Terms' })).getByText('crawler-2')).toBeVisible();
});
