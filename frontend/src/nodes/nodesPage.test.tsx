import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ClusterNode } from '../api/types';
import { projectServer } from '../testing/answers';
import { page, refuse, serve, type Handlers } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import { sampleNode, signedIn } from '../testing/samples';
import { metersOf } from './nodeFacts';

function openNodes(nodes: ClusterNode[], more: Handlers = {}) {
  const { calls } = serve(projectServer({ 'GET /api/v1/nodes': page(nodes), ...more }));
  return { calls, ...renderApp('/nodes') };
}

const head = sampleNode({ id: 1, name: 'localhost', is_invited: false });

test('a node tells its state, its workers, load, memory, disk and when it was last heard of', async () => {
  openNodes([sampleNode()]);
  const card = await screen.findByRole('listitem');
  expect(within(card).getByRole('heading', { name: 'crawler-2' })).toBeVisible();
  expect(within(card).getByText('Online')).toBeVisible();
  expect(within(card).getByText('3 of 12 slots')).toBeVisible();
  expect(within(card).getByText('1.5 on 4 cores')).toBeVisible();
  expect(within(card).getByText('6.0 GB free of 8.0 GB')).toBeVisible();
  expect(within(card).getByText(/^100 GB of disk free/)).toBeVisible();
  expect(screen.getByText('1 of 1 node at work, 3 workers in 12 slots.')).toBeVisible();
});

test('what a node said before it was lost is not told as if it were so', async () => {
  openNodes([sampleNode(), sampleNode({ id: 3, name: 'crawler-3', state: 'lost' })]);
  expect(await screen.findByText('1 of 2 nodes at work, 3 workers in 12 slots.')).toBeVisible();
  expect(screen.getAllByText('3 of 12 slots')).toHaveLength(1);
});

test('a node is drained, and gets jobs again', async () => {
  const draining = sampleNode({ is_draining: true, state: 'draining' });
  const { calls, user } = openNodes([sampleNode(), { ...draining, id: 3, name: 'crawler-3' }], {
    'POST /api/v1/nodes/2/drain': { body: draining },
    'POST /api/v1/nodes/3/undrain': { body: sampleNode({ id: 3 }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Drain crawler-2' }));
  await user.click(screen.getByRole('button', { name: 'Undrain crawler-3' }));
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/v1/nodes/2/drain',
      '/api/v1/nodes/3/undrain',
    ]),
  );
});

test('revoking asks first; the head’s own machine is never offered for it', async () => {
  const { calls, user } = openNodes([head, sampleNode()], {
    'POST /api/v1/nodes/2/revoke': { body: sampleNode({ is_invited: false, state: 'offline' }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Revoke crawler-2' }));
  const dialog = await screen.findByRole('dialog', { name: 'Revoke the node “crawler-2”?' });
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('“crawler-2” cannot connect any more.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Revoke localhost' })).not.toBeInTheDocument();
});

test('a node that is away is forgotten; one that is there and the head’s own machine are not offered for it', async () => {
  const away = sampleNode({ id: 4, name: 'crawler-4', state: 'offline', is_invited: false });
  const { calls, user } = openNodes([{ ...head, state: 'lost' }, sampleNode(), away], {
    'DELETE /api/v1/nodes/4': { status: 204 },
  });
  await user.click(await screen.findByRole('button', { name: 'Forget crawler-4' }));
  expect(await screen.findByText('“crawler-4” is forgotten.')).toBeVisible();
  expect(calls.some(({ method, path }) => method === 'DELETE' && path === '/api/v1/nodes/4')).toBe(true);
  expect(screen.getAllByRole('button', { name: /^Forget/ })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Revoke crawler-4' })).not.toBeInTheDocument();
});

test('an invitation is shown once, with a button that copies it', async () => {
  const { calls, user } = openNodes([head], {
    'POST /api/v1/nodes/invite': {
      status: 201,
      body: { name: 'crawler-2', command: './gleaner node --join gleaner1.abc', is_local_only: true },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Invite a machine' }));
  await fill(user, await screen.findByLabelText(/^Name/), ' crawler-2 ');
  await user.click(screen.getByRole('button', { name: 'Make the invitation' }));
  expect(await screen.findByLabelText(/^Command/)).toHaveValue('./gleaner node --join gleaner1.abc');
  expect(screen.getByText(/listens on this machine only/)).toBeVisible();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'crawler-2', host: '' });
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe('./gleaner node --join gleaner1.abc');
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByLabelText(/^Command/)).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Invite a machine' }));
  expect(await screen.findByLabelText(/^Name/)).toHaveValue('');
});

test('why nobody can be invited is said in the server’s sentence', async () => {
  const { user } = openNodes([head], {
    'POST /api/v1/nodes/invite': refuse(409, 'conflict', 'A cluster needs Redis.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Invite a machine' }));
  await fill(user, await screen.findByLabelText(/^Name/), 'crawler-2');
  await user.click(screen.getByRole('button', { name: 'Make the invitation' }));
  expect(await screen.findByText('A cluster needs Redis.')).toBeVisible();
});

test('those who are no administrators look only', async () => {
  const body = { ...signedIn, user: { ...signedIn.user, is_admin: false } };
  openNodes([sampleNode()], { 'GET /api/v1/auth/me': { body } });
  expect(await screen.findByText('crawler-2')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Drain|Revoke|Forget|Invite/ })).not.toBeInTheDocument();
});

test('the head’s own machine is away while no head runs, and what to do is said', async () => {
  const reason = 'No head node runs, so nothing is started here. Start Gleaner with ./gleaner up.';
  openNodes([{ ...head, state: 'lost', reason }]);
  const card = await screen.findByRole('listitem');
  expect(within(card).getByText('Lost')).toBeVisible();
  expect(within(card).getByText(reason)).toBeVisible();
  expect(screen.getByText('0 of 1 node at work, 3 workers in 0 slots.')).toBeVisible();
});

test('meters stay within their bounds', () => {
  const [, load, memory] = metersOf(sampleNode({ load: 40, memory_bytes: 0, memory_free_bytes: 0 }));
  expect(load).toMatchObject({ percent: 100, isHigh: true });
  expect(memory).toMatchObject({ percent: 0, isHigh: false });
});
