import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectServer } from '../testing/answers';
import { page, refuse, serve } from '../testing/fakeServer';
import { renderApp } from '../testing/renderApp';
import { sampleCrawler, sampleIndexer, sampleIndexerState } from '../testing/samples';

const server = (more = {}) =>
  projectServer({
    'GET /api/v1/indexers/9': { body: sampleIndexer() },
    'GET /api/v1/indexers/9/state': { body: sampleIndexerState() },
    ...more,
  });

test('sources are picked from the inspectors of the project’s templates', async () => {
  serve(server());
  const { user } = renderApp('/projects/7/indexers/9?tab=settings');
  await user.click(await screen.findByRole('combobox', { name: 'Sources' }));
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Product.title', 'Product.price']);
});

test('the formula’s buttons write what can be used, the columns’ own variables among it', async () => {
  const columns = [{ ...sampleIndexer().columns[0], variable: 'votes' }];
  serve(
    server({ 'GET /api/v1/indexers/9': { body: sampleIndexer({ columns: columns as never, formula: '' }) } }),
  );
  const { user } = renderApp('/projects/7/indexers/9?tab=settings');
  const own = await screen.findByRole('group', { name: 'Your columns' });
  await user.click(within(own).getByRole('button', { name: 'votes' }));
  expect(screen.getByRole('textbox', { name: 'Formula' })).toHaveValue('votes');
});

test('hubs and authorities can be weighed and used where they are counted', async () => {
  const { calls } = serve(
    server({ 'PATCH /api/v1/indexers/9': { body: sampleIndexer({ hits: true, weights: { hub: 1 } }) } }),
  );
  const { user } = renderApp('/projects/7/indexers/9?tab=settings');
  const builtIn = await screen.findByRole('group', { name: 'Built in' });
  expect(within(builtIn).queryByRole('button', { name: 'authority' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Count hubs and authorities' }));
  expect(within(builtIn).getByRole('button', { name: 'authority' })).toBeVisible();
  await user.click(screen.getByRole('combobox', { name: 'Add a weight' }));
  await user.click(await screen.findByRole('option', { name: 'hub' }));
  await user.click(screen.getByRole('button', { name: 'Save indexer' }));
  await screen.findByText('Indexer saved.');
  const saved = calls.find(({ method }) => method === 'PATCH')?.body;
  expect(saved).toMatchObject({ hits: true, weights: { pagerank: 0.5, hub: 1 } });
});

test('a refused formula and a refused weight stand at their fields', async () => {
  const fields = { formula: ['“vote” is not known at 5.'], 'weights.pagerank': ['Give a number from 0.'] };
  serve(server({ 'PATCH /api/v1/indexers/9': refuse(400, 'invalid', 'Please check.', fields) }));
  const { user } = renderApp('/projects/7/indexers/9?tab=settings');
  await user.click(await screen.findByRole('button', { name: 'Save indexer' }));
  expect(await screen.findByText('“vote” is not known at 5.')).toBeVisible();
  expect(screen.getByText('Give a number from 0.')).toBeVisible();
});

test('a weight that has no effect says why, until what else was chosen changes', async () => {
  const weights = { formula: 2, headings: 1, title: 3 };
  const body = sampleIndexer({ weights, formula: 'text * 2', page_text: false });
  serve(server({ 'GET /api/v1/indexers/9': { body } }));
  const { user } = renderApp('/projects/7/indexers/9?tab=settings');
  expect(await screen.findByText('no effect: a formula that uses text is the whole score')).toBeVisible();
  expect(
    screen.getByText('words in headings, which count only where whole pages are searched'),
  ).toBeVisible();
  expect(screen.getByText('words in the title')).toBeVisible();
  const formula = screen.getByRole('textbox', { name: 'Formula' });
  await user.clear(formula);
  await user.type(formula, 'context');
  expect(screen.getByText('your own formula')).toBeVisible();
});

test('making an indexer public shows what else there is to decide, and saves it', async () => {
  const { calls } = serve(
    server({ 'PATCH /api/v1/indexers/9': { body: sampleIndexer({ public: true, public_per_minute: 60 }) } }),
  );
  const { user } = renderApp('/projects/7/indexers/9?tab=settings');
  const publicSwitch = await screen.findByRole('switch', { name: /^Public/ });
  expect(screen.queryByRole('textbox', { name: 'Searches a minute' })).toBeNull();
  await user.click(publicSwitch);
  expect(screen.getByRole('textbox', { name: 'Searches a minute' })).toHaveValue('60');
  await user.click(screen.getByRole('button', { name: 'Save indexer' }));
  await screen.findByText('Indexer saved.');
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
    public: true,
    joining: 'and',
  });
});

test('single crawlers are chosen, and saved by their ids', async () => {
  const { calls } = serve(
    server({
      'GET /api/v1/crawlers': page([sampleCrawler(), sampleCrawler({ id: 6, name: 'Outlet' })]),
      'PATCH /api/v1/indexers/9': { body: sampleIndexer({ crawlers: [6] }) },
    }),
  );
  const { user } = renderApp('/projects/7/indexers/9?tab=settings');
  await user.click(await screen.findByRole('combobox', { name: 'Only documents of these crawlers' }));
  await user.click(await screen.findByRole('option', { name: 'Outlet' }));
  await user.click(screen.getByRole('button', { name: 'Save indexer' }));
  await screen.findByText('Indexer saved.');
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ crawlers: [6] });
});
