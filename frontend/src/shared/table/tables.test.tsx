import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { projectServer } from '../../testing/answers';
import { page, refuse, serve } from '../../testing/fakeServer';
import { fill } from '../../testing/fill';
import { renderApp } from '../../testing/renderApp';
import { sampleProject, sampleTemplate } from '../../testing/samples';
import { cursorOf } from './keyset';
import { nextOrdering } from './SortableHeader';
import { readTableSearch } from './tableSearch';

const address = '/projects/7/templates';

test('rows link to their pages', async () => {
  serve(projectServer());
  renderApp(address);
  const link = await screen.findByRole('link', { name: 'Product' });
  expect(link).toHaveAttribute('href', '/projects/7/templates/3');
});

test('with nothing at all, the page teaches how to begin', async () => {
  serve(projectServer({ 'GET /api/v1/templates': page([]) }));
  renderApp(address);
  expect(await screen.findByRole('heading', { name: 'Describe your first document' })).toBeVisible();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

test('with nothing found, the table stays and says so', async () => {
  serve(
    projectServer({
      'GET /api/v1/templates': ({ query }) => page(query.get('search') ? [] : [sampleTemplate()]),
    }),
  );
  const { user, router } = renderApp(address);
  await fill(user, await screen.findByRole('searchbox', { name: 'Search templates' }), 'zebra');
  expect(await screen.findByText('Nothing matches “zebra”.')).toBeVisible();
  expect(router.state.location.search).toEqual({ search: 'zebra' });
});

test('sorting and paging go to the server and into the address', async () => {
  const rows = Array.from({ length: 25 }, (_, at) => sampleTemplate({ id: at + 100, name: `T${at}` }));
  const { calls } = serve(projectServer({ 'GET /api/v1/templates': page(rows, 60) }));
  const { user, router } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Name' }));
  await waitFor(() =>
    expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending'),
  );
  await user.click(screen.getByRole('button', { name: 'Page 3' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ ordering: 'name', page: 3 }));
  await waitFor(() => {
    const last = calls.filter(({ path }) => path === '/api/v1/templates').at(-1);
    expect(Object.fromEntries(last?.query ?? [])).toMatchObject({
      project: '7',
      ordering: 'name',
      page: '3',
    });
  });
});

test('a page beyond the end, as when its last row is gone, leads back to the first', async () => {
  serve(
    projectServer({
      'GET /api/v1/templates': ({ query }) =>
        query.get('page') === '1'
          ? page([sampleTemplate()])
          : refuse(404, 'not_found', 'There is nothing here.'),
    }),
  );
  const { router } = renderApp(`${address}?page=2&ordering=name`);
  expect(await screen.findByRole('link', { name: 'Product' })).toBeVisible();
  expect(router.state.location.search).toEqual({ ordering: 'name' });
});

test('a failed load shows the server’s sentence and can be tried again', async () => {
  let isDown = true;
  const answer = () =>
    isDown ? refuse(500, 'error', 'The database is being repaired.') : page([sampleTemplate()]);
  serve(projectServer({ 'GET /api/v1/templates': answer }));
  const { user } = renderApp(address);
  expect(await screen.findByText('The database is being repaired.')).toBeVisible();
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Product' })).toBeVisible();
});

test('a network failure is tried again by itself', async () => {
  let tries = 0;
  const answer = () => {
    tries += 1;
    if (tries < 3) throw new TypeError('Failed to fetch');
    return page([sampleTemplate()]);
  };
  serve(projectServer({ 'GET /api/v1/templates': answer }));
  renderApp(address);
  expect(await screen.findByRole('link', { name: 'Product' })).toBeVisible();
  expect(tries).toBe(3);
});

test('a browser that calls itself offline still asks, and says at once what could not be done', async () => {
  onTestFinished(() => onlineManager.setOnline(true));
  const { calls } = serve(
    projectServer({
      'POST /api/v1/templates/3/duplicate': () => {
        throw new TypeError('Failed to fetch');
      },
    }),
  );
  onlineManager.setOnline(false);
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Actions for Product' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  expect(await screen.findByText(/^Gleaner cannot be reached/)).toBeVisible();
  onlineManager.setOnline(true);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('deleting asks first, then deletes and says so', async () => {
  const { calls } = serve(projectServer({ 'DELETE /api/v1/templates/3': { status: 204 } }));
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Actions for Product' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete the template “Product”?' });
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('The template is deleted.')).toBeVisible();
  expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('duplicating opens the copy', async () => {
  const copy = sampleTemplate({ id: 4, name: 'Product 2' });
  serve(
    projectServer({
      'POST /api/v1/templates/3/duplicate': { status: 201, body: copy },
      'GET /api/v1/templates/4': { body: copy },
    }),
  );
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Actions for Product' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Product 2' })).toBeVisible();
});

test('viewers get no buttons they may not use', async () => {
  serve(projectServer({ 'GET /api/v1/projects/7': { body: sampleProject({ role: 'viewer' }) } }));
  renderApp(address);
  expect(await screen.findByRole('link', { name: 'Product' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'New template' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Actions for/ })).not.toBeInTheDocument();
});

test('nextOrdering goes up, down and back to none', () => {
  expect([undefined, 'name', '-name', 'other'].map((ordering) => nextOrdering('name', ordering))).toEqual([
    'name',
    '-name',
    undefined,
    'name',
  ]);
});

test('readTableSearch takes what is sensible and drops the rest', () => {
  expect(readTableSearch({ search: 'x', ordering: '-name', page: '4' })).toEqual({
    search: 'x',
    ordering: '-name',
    page: 4,
  });
  expect(readTableSearch({ search: '', ordering: 5, page: 'many' })).toEqual({});
  expect(readTableSearch({ search: 42 })).toEqual({ search: '42' });
});

test('cursorOf finds the cursor in the address of a page', () => {
  expect(cursorOf('http://x.example/api/v1/documents?cursor=cD0x&project=1')).toBe('cD0x');
  expect(cursorOf('/api/v1/documents?project=1')).toBeNull();
  expect(cursorOf(null)).toBeNull();
});
