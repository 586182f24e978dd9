import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectServer } from '../testing/answers';
import { page, refuse, serve } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import { sampleProject } from '../testing/samples';

const names = { templates: [], crawlers: [], indexers: [], dictionaries: [] };

test('without projects the page teaches and makes the first one', async () => {
  const { calls } = serve({
    'POST /api/v1/projects': { status: 201, body: sampleProject() },
    ...projectServer({ 'GET /api/v1/projects': page([]) }),
  });
  const { user, router } = renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Make your first project' }));
  await fill(user, await screen.findByLabelText(/^Name/), 'Shops');
  await user.click(screen.getByRole('button', { name: 'Create project' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/projects/7'));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'Shops', description: '' });
});

test('a taken name is said at the name', async () => {
  const fields = { name: ['You have a project of this name already.'] };
  serve(projectServer({ 'POST /api/v1/projects': refuse(400, 'invalid', 'Please check.', fields) }));
  const { user } = renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'New project' }));
  await fill(user, await screen.findByLabelText(/^Name/), 'Shops');
  await user.click(screen.getByRole('button', { name: 'Create project' }));
  expect(await screen.findByText('You have a project of this name already.')).toBeVisible();
});

test('the project page shows the path and offers the file', async () => {
  serve(projectServer());
  renderApp('/projects/7');
  const path = await screen.findByRole('list', { name: 'Steps of this project' });
  expect(within(path).getByRole('link', { name: 'Make a crawler' })).toHaveAttribute(
    'href',
    '/projects/7/crawlers/new',
  );
  expect(screen.getByRole('link', { name: 'Export' })).toHaveAttribute('href', '/api/v1/projects/7/export');
});

test('deleting a project needs its name', async () => {
  const { calls } = serve(projectServer({ 'DELETE /api/v1/projects/7': { status: 204 } }));
  const { user, router } = renderApp('/projects/7/settings');
  await user.click(await screen.findByRole('button', { name: 'Delete project…' }));
  const confirm = await screen.findByRole('button', { name: 'Delete this project' });
  expect(confirm).toBeDisabled();
  await fill(user, screen.getByLabelText('Type “Shops” to confirm'), 'Shops');
  await user.click(confirm);
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('the settings tell what the project takes, and say what is an estimate', async () => {
  const kinds = [
    { kind: 'documents', rows: 1200, bytes: 2_097_152, is_estimate: false },
    { kind: 'pages', rows: 50_000, bytes: 10_485_760, is_estimate: true },
  ];
  serve(
    projectServer({
      'GET /api/v1/projects/7/storage': { body: { kinds, rows: 51_200, bytes: 12_582_912 } },
    }),
  );
  renderApp('/projects/7/settings');
  const rows = within(await screen.findByRole('table', { name: 'Storage' })).getAllByRole('row');
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    `Documents${(1200).toLocaleString()}2.0 MB`,
    `Pagesabout ${(50_000).toLocaleString()}10 MB`,
    'Together12 MB',
  ]);
});

test('a project file is imported and what it did is told', async () => {
  const report = {
    project: 7,
    created: { ...names, templates: ['Product'] },
    updated: names,
    unchanged: names,
    missing_secrets: ['shop password'],
  };
  const { calls } = serve(projectServer({ 'POST /api/v1/projects/import': { body: report } }));
  const { user } = renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Import' }));
  const file = new File(['{"version": 1}'], 'shops.json', { type: 'application/json' });
  await user.upload(await screen.findByLabelText(/Choose a project file/), file);
  expect(await screen.findByText('templates: Product')).toBeVisible();
  expect(screen.getByText('shop password')).toBeVisible();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ version: 1 });
});

test('a file that is no project file is refused before it is sent', async () => {
  const { calls } = serve(projectServer());
  const { user } = renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Import' }));
  await user.upload(await screen.findByLabelText(/Choose a project file/), new File(['[1]'], 'notes.json'));
  expect(await screen.findByRole('alert')).toHaveTextContent('“notes.json” is not a project file.');
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});
