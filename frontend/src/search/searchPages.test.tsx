import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectServer } from '../testing/answers';
import { page, refuse, serve, type Call, type Handlers } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import { sampleAnswer, sampleIndexer, sampleResult, signedOut } from '../testing/samples';
import { wishesOf, wishOf } from '../testing/searches';

const facets = [
  {
    field: 'brand',
    values: [
      { value: 'Acme', count: 7 },
      { value: 'Samsung', count: 3 },
    ],
    ranges: [],
  },
];

/** A server for visitors; it answers every search with what `more` says. */
function publicServer(more: Handlers = {}): Handlers {
  return {
    'GET /api/v1/auth/me': { body: signedOut },
    'GET /api/v1/indexers/9/search': (call: Call) => ({
      body: sampleAnswer({ query: wishOf(call).q, facets }),
    }),
    'GET /api/v1/indexers/9/suggest': { body: { suggestions: [], is_ready: true, ms: 1 } },
    ...more,
  };
}

test('a visitor searches a public index without signing in', async () => {
  serve(publicServer());
  renderApp('/search/9?q=ssd');
  const results = await screen.findByRole('region', { name: 'Results' });
  const link = within(results).getByRole('link', { name: /Samsung\s*SSD\s*1TB/ });
  expect(link).toHaveAttribute('href', 'http://shop.example/p/1-ssd');
  expect(within(results).getByText('SSD').tagName).toBe('MARK');
  expect(within(results).getByText(/1 result of 622 in 3.2 ms/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('a search that needs signing in leads there and back', async () => {
  serve(publicServer({ 'GET /api/v1/indexers/9/search': refuse(401, 'not_authenticated', 'Sign in.') }));
  const { router } = renderApp('/search/9?q=ssd');
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(router.state.location.search).toEqual({ next: '/search/9?q=ssd' });
});

test('what is typed is searched for, and the address keeps it', async () => {
  const { calls } = serve(publicServer());
  const { user, router } = renderApp('/search/9');
  await fill(user, await screen.findByRole('combobox', { name: 'Search' }), 'fast drive');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'fast drive' }));
  await waitFor(() => expect(wishesOf(calls).at(-1)?.q).toBe('fast drive'));
});

test('suggestions are walked with the arrow keys and taken with Enter', async () => {
  const suggestions = [
    { text: 'samsung fold', matched: 'samsung fold' },
    { text: 'laptop', matched: 'notebook' },
  ];
  serve(
    publicServer({
      'GET /api/v1/indexers/9/suggest': { body: { suggestions, is_ready: true, ms: 1 } },
    }),
  );
  const { user, router } = renderApp('/search/9');
  await fill(user, await screen.findByRole('combobox', { name: 'Search' }), 'sam');
  expect(await screen.findByRole('option', { name: /laptop.*notebook/ })).toBeVisible();
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'samsung fold' }));
});

test('suggestions are as safe as the search is', async () => {
  const { calls } = serve(publicServer());
  const { user } = renderApp('/search/9?q=ssd&safe=false');
  await fill(user, await screen.findByRole('combobox', { name: 'Search' }), 'sam');
  const asked = () =>
    calls.filter(({ path }) => path.endsWith('/suggest')).map(({ query }) => query.get('safe'));
  await waitFor(() => expect(asked().at(-1)).toBe('false'));
});

test('ticking two brands asks for either, and unticking asks for all again', async () => {
  const { calls } = serve(publicServer());
  const { user, router } = renderApp('/search/9?q=ssd&page=2');
  await user.click(await screen.findByRole('checkbox', { name: 'Acme 7' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ facets: { brand: ['Acme'] } }));
  await user.click(await screen.findByRole('checkbox', { name: 'Samsung 3' }));
  await waitFor(() =>
    expect(wishesOf(calls).at(-1)).toMatchObject({
      page: 1,
      filters: [{ field: 'brand', values: ['Acme', 'Samsung'] }],
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Remove every filter' }));
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('facets.brand'));
});

test('a mended query can be insisted on', async () => {
  const { calls } = serve(
    publicServer({
      'GET /api/v1/indexers/9/search': { body: sampleAnswer({ query: 'samsang', corrected: 'samsung' }) },
    }),
  );
  const { user } = renderApp('/search/9?q=samsang');
  await user.click(await screen.findByRole('button', { name: 'samsang' }));
  await waitFor(() => expect(wishesOf(calls).at(-1)).toMatchObject({ q: 'samsang', correct: false }));
});

test('what the query language made of it is told', async () => {
  const notices = [{ message: 'This quote is not closed.', position: 3, hint: 'Close it with ".' }];
  const answer = sampleAnswer({ query: 'a "b', notices, did_you_mean: 'a bee' });
  serve(publicServer({ 'GET /api/v1/indexers/9/search': { body: answer } }));
  const { user, router } = renderApp('/search/9?q=a');
  expect(await screen.findByText(/This quote is not closed/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'a bee' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'a bee' }));
});

test('when too many search at once it says so and tries again by itself', async () => {
  let asked = 0;
  serve(
    publicServer({
      'GET /api/v1/indexers/9/search': () =>
        ++asked === 1
          ? { ...refuse(429, 'busy', 'Too many searches at once.'), headers: { 'Retry-After': '1' } }
          : { body: sampleAnswer() },
    }),
  );
  renderApp('/search/9');
  expect(await screen.findByText(/Too many searches at once. Trying again/)).toBeVisible();
  expect(await screen.findByRole('link', { name: /Samsung\s*SSD\s*1TB/ })).toBeVisible();
  expect(screen.queryByText(/Trying again/)).toBeNull();
});

test('nothing found says what to do', async () => {
  serve(
    publicServer({
      'GET /api/v1/indexers/9/search': { body: sampleAnswer({ query: 'zzz', total: 0, results: [] }) },
    }),
  );
  renderApp('/search/9?q=zzz');
  expect(await screen.findByRole('heading', { name: 'Nothing was found' })).toBeVisible();
});

test('pages end where the results end, and the last one says what is hidden', async () => {
  const { calls } = serve(
    publicServer({
      'GET /api/v1/indexers/9/search': (call: Call) => ({
        body: sampleAnswer({
          page: wishOf(call).page,
          ...(wishOf(call).group === false
            ? { total: 300, reachable: 300 }
            : { total: 12, hidden: 288, reachable: 12 }),
        }),
      }),
    }),
  );
  const { user } = renderApp('/search/9?q=ssd');
  const pages = await screen.findByRole('navigation', { name: 'Pages of results' });
  expect(within(pages).queryByRole('button', { name: 'Page 3' })).toBeNull();
  expect(screen.queryByText(/near-duplicates are hidden/)).toBeNull();
  await user.click(within(pages).getByRole('button', { name: 'Page 2' }));
  expect(await screen.findByText(/288 near-duplicates are hidden/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show them too' }));
  await waitFor(() => expect(wishesOf(calls).at(-1)).toMatchObject({ page: 1, group: false }));
  expect(await screen.findByRole('button', { name: 'Page 30' })).toBeVisible();
});

test('while not all were looked through, one more page is offered and the number is about right', async () => {
  const answer = sampleAnswer({ query: 'ssd', page: 10, total: 5900, hidden: 100, reachable: 101 });
  serve(publicServer({ 'GET /api/v1/indexers/9/search': { body: answer } }));
  renderApp('/search/9?q=ssd&page=10');
  expect(await screen.findByRole('button', { name: 'Page 11' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Page 12' })).toBeNull();
  expect(screen.getByText(/About 5,900 results/)).toBeVisible();
});

test('a page behind the last one says so and leads back', async () => {
  const empty = sampleAnswer({ total: 12, reachable: 12, page: 40, results: [] });
  serve(publicServer({ 'GET /api/v1/indexers/9/search': { body: empty } }));
  const { user, router } = renderApp('/search/9?q=ssd&page=40&view=table');
  expect(await screen.findByRole('heading', { name: 'This page is empty' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Go to the first page' }));
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('page'));
});

test('a refused query is answered with the server’s sentence', async () => {
  const refusal = refuse(400, 'invalid', 'Please check.', { sort: ['“name” has no numbers or dates.'] });
  serve(publicServer({ 'GET /api/v1/indexers/9/search': refusal }));
  renderApp('/search/9?sort=name');
  expect(await screen.findByText('“name” has no numbers or dates.')).toBeVisible();
});

test('results are sorted by a column of words as in the alphabet', async () => {
  serve(publicServer());
  const { user, router } = renderApp('/search/9?q=ssd');
  await user.click(await screen.findByRole('combobox', { name: 'Order' }));
  await user.click(await screen.findByRole('option', { name: 'brand, Z to A' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ sort: '-brand' }));
});

test('why a result has its rank is shown as parts that add up', async () => {
  const explanation = {
    key: '11',
    score: 7.45,
    text: 14.9,
    parts: [
      {
        label: 'word ssd',
        score: 10,
        weight: 1,
        df: 14,
        idf: 5,
        fields: [{ field: 'name', tf: 2, length: 5, average_length: 6.1, alpha: 1, boost: 2, weighted: 4 }],
      },
      { label: 'bonus whole query', score: 4.9, weight: 1, df: null, idf: null, fields: [] },
    ],
    documents: 622,
    formula: 'text / 2',
    variables: { price: null },
  };
  serve(
    publicServer({
      'GET /api/v1/indexers/9/search': (call: Call) => ({
        body: sampleAnswer({
          results: [sampleResult({ explanation: wishOf(call).explain ? explanation : null })],
        }),
      }),
    }),
  );
  const { user } = renderApp('/search/9?q=ssd');
  await user.click(await screen.findByRole('button', { name: 'Why this rank: Samsung SSD 1TB' }));
  const drawer = await screen.findByRole('dialog', { name: 'Why this rank' });
  const parts = await within(drawer).findByRole('list', { name: 'Parts of the score' });
  expect(within(parts).getAllByRole('listitem')).toHaveLength(2);
  expect(within(drawer).getByText(/2 times/)).toBeVisible();
  expect(within(drawer).getByText('text / 2')).toBeVisible();
  expect(within(drawer).getByText('missing')).toBeVisible();
});

test('inside a project the first built index is asked, and an unbuilt one says how to build it', async () => {
  const indexer = sampleIndexer();
  serve(
    projectServer({
      'GET /api/v1/indexers': page([indexer]),
      'GET /api/v1/indexers/9/search': refuse(409, 'no_index', 'There is no index yet. Start it.'),
    }),
  );
  renderApp('/projects/7/search');
  expect(await screen.findByText('There is no index yet. Start it.')).toBeVisible();
  const link = screen.getByRole('link', { name: 'Open the indexer and start it' });
  expect(link).toHaveAttribute('href', '/projects/7/indexers/9');
});

test('a project without indexers says what to make', async () => {
  serve(projectServer());
  renderApp('/projects/7/search');
  expect(await screen.findByRole('link', { name: 'Make an indexer' })).toBeVisible();
});

test('results are also shown as a table whose columns follow the inspectors', async () => {
  serve(publicServer());
  renderApp('/search/9?view=table');
  const table = await screen.findByRole('table', { name: 'Results' });
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    '#',
    'name',
    'brand',
    'price',
    'since',
    'picture',
    'Why',
  ]);
});

test('without anything to narrow down by, no room is left for it', async () => {
  serve(publicServer({ 'GET /api/v1/indexers/9/search': { body: sampleAnswer({ query: 'ssd' }) } }));
  renderApp('/search/9?q=ssd');
  await screen.findByRole('region', { name: 'Results' });
  expect(screen.queryByRole('complementary', { name: 'Narrow down' })).toBeNull();
});

test('safe search shows how the index has it, and can be switched for a search', async () => {
  const { calls } = serve(
    publicServer({
      'GET /api/v1/indexers/9/search': (call: Call) => ({
        body: sampleAnswer({ is_safe: wishOf(call).safe ?? true }),
      }),
    }),
  );
  const { user, router } = renderApp('/search/9?q=ssd');
  const safely = await screen.findByRole('switch', { name: 'Safe search' });
  expect(safely).toBeChecked();
  expect(wishesOf(calls).at(-1)).not.toHaveProperty('safe');
  await user.click(safely);
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'ssd', safe: false }));
  await waitFor(() => expect(screen.getByRole('switch', { name: 'Safe search' })).not.toBeChecked());
  expect(wishesOf(calls).at(-1)?.safe).toBe(false);
});
