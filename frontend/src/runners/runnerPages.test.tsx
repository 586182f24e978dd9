import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Runner, RunnerStatus } from '../api/types';
import { projectServer } from '../testing/answers';
import { refuse, serve, type Handlers } from '../testing/fakeServer';
import { renderApp } from '../testing/renderApp';
import { sampleRunner } from '../testing/samples';

function openRunner(runner: Runner, more: Handlers = {}) {
  const { calls } = serve(projectServer({ 'GET /api/v1/runners/5': { body: runner }, ...more }));
  return { calls, ...renderApp('/projects/7/runners/5') };
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

test('a run is paused by its button', async () => {
  const runner = sampleRunner({ status: 'running' });
  const { calls, user } = openRunner(runner, { 'POST /api/v1/runners/5/pause': { body: runner } });
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/pause'))).toBe(true));
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
