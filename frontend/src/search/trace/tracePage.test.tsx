import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Trace } from '../../api/types';
import { projectServer } from '../../testing/answers';
import { page, refuse, serve } from '../../testing/fakeServer';
import { fill } from '../../testing/fill';
import { renderApp } from '../../testing/renderApp';
import { sampleAnswer, sampleCrawler, sampleIndexer, sampleResult, sampleTrace } from '../../testing/samples';

const address = '/projects/7/crawlers/5/trace';

const server = (more = {}) =>
  projectServer({
    'GET /api/v1/crawlers/5': { body: sampleCrawler() },
    'GET /api/v1/crawlers': page([sampleCrawler(), sampleCrawler({ id: 6, name: 'Shop two' })]),
    'GET /api/v1/crawlers/5/trace': { body: sampleTrace() },
    ...more,
  });

const stopped: Partial<Trace> = {
  stopped_at: 'filtered',
  reason: 'The crawler excludes it: “/sale/” fits it.',
  steps: [
    { name: 'discovered', state: 'passed', sentence: 'Run 3 found it.', at: '2026-03-01T08:00:00Z' },
    { name: 'filtered', state: 'stopped', sentence: 'The crawler excludes it: “/sale/” fits it.', at: null },
    { name: 'fetched', state: 'not reached', sentence: '', at: null },
  ],
  found_on: [{ url: 'http://shop.example/list', anchor: 'Cheap SSD' }],
};

test('before anything is asked, the page tells what can be asked', async () => {
  const { calls } = serve(server());
  renderApp(address);
  expect(await screen.findByText('Follow an address through the crawl')).toBeVisible();
  expect(calls.some(({ path }) => path.endsWith('/trace'))).toBe(false);
});

test('an address and a query are followed, and the address bar keeps them', async () => {
  const { calls } = serve(server());
  const { user, router } = renderApp(address);
  await fill(user, await screen.findByRole('textbox', { name: /^Address/ }), 'http://shop.example/p/1-ssd');
  await fill(user, screen.getByRole('textbox', { name: /^Query/ }), 'fast drive');
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('heading', { name: 'It can be found' })).toBeVisible();
  expect(router.state.location.search).toEqual({ url: 'http://shop.example/p/1-ssd', q: 'fast drive' });
  const [asked] = calls.filter(({ path }) => path.endsWith('/trace'));
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({
    url: 'http://shop.example/p/1-ssd',
    q: 'fast drive',
  });
});

test('where it stopped, the reason is told, and what came before and would come after', async () => {
  serve(server({ 'GET /api/v1/crawlers/5/trace': { body: sampleTrace(stopped) } }));
  renderApp(`${address}?url=http://shop.example/sale/1`);
  await screen.findByRole('heading', { name: 'Filtered out' });
  const outcome = screen.getByRole('status');
  expect(within(outcome).getByText(/“\/sale\/” fits it/)).toBeVisible();
  const headings = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(headings[0]).toMatch(/^Discovered: passed/);
  expect(headings.slice(1)).toEqual(['Filtered out: it stopped here', 'Fetching: not reached']);
  expect(screen.getByText('Did the website answer?')).toBeVisible();
  expect(screen.getByRole('link', { name: 'shop.example/list' })).toBeVisible();
  expect(screen.getByText(/with the words “Cheap SSD”/)).toBeVisible();
});

test('the selectors that fired stand beside the values they found', async () => {
  const selectors = [
    { field: 'title', selector: '//h2', is_fallback: true, is_required: true },
    { field: 'price', selector: null, is_fallback: false, is_required: true },
  ];
  const document = {
    id: 11,
    url: 'http://shop.example/p/1-ssd',
    values: { title: 'Samsung SSD' },
    version: 1,
    duplicate_of: null,
    gone_at: null,
    last_seen_at: '2026-03-01T08:00:00Z',
    selectors,
  };
  serve(
    server({ 'GET /api/v1/crawlers/5/trace': { body: sampleTrace({ documents: [document as never] }) } }),
  );
  const { user } = renderApp(`${address}?url=http://shop.example/p/1-ssd`);
  await user.click(await screen.findByText('Samsung SSD', { selector: 'summary' }));
  expect(screen.getByText('//h2')).toBeVisible();
  expect(screen.getByText('fallback')).toBeVisible();
  expect(screen.getByText('No selector found anything.')).toBeVisible();
});

test('a refused address says so at its field', async () => {
  const refusal = refuse(400, 'invalid', 'Please check.', { url: ['This is no web address.'] });
  serve(server({ 'GET /api/v1/crawlers/5/trace': refusal }));
  renderApp(`${address}?url=nonsense`);
  const field = await screen.findByRole('textbox', { name: /^Address/ });
  await waitFor(() => expect(field).toHaveAccessibleDescription(/This is no web address/));
});

test('another crawler is asked for the same address', async () => {
  serve(
    server({
      'GET /api/v1/crawlers/6': { body: sampleCrawler({ id: 6, name: 'Shop two' }) },
      'GET /api/v1/crawlers/6/trace': { body: sampleTrace(stopped) },
    }),
  );
  const { user, router } = renderApp(`${address}?url=http://shop.example/p/1-ssd`);
  await user.click(await screen.findByRole('combobox', { name: 'Crawler' }));
  await user.click(await screen.findByRole('option', { name: 'Shop two' }));
  expect(await screen.findByRole('heading', { name: 'Filtered out' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/projects/7/crawlers/6/trace');
});

test('a result leads to its way, and a missing page to the question why', async () => {
  const result = sampleResult({ crawler: 'Shop two' });
  serve(
    server({
      'GET /api/v1/indexers': page([sampleIndexer({ status: 'completed' })]),
      'GET /api/v1/indexers/9/search': { body: sampleAnswer({ query: 'ssd', results: [result] }) },
    }),
  );
  renderApp('/projects/7/search/9?q=ssd');
  const why = await screen.findByRole('link', { name: /^Why is it here: Samsung SSD/ });
  const target = new URL(why.getAttribute('href') ?? '', 'http://here');
  expect(target.pathname).toBe('/projects/7/crawlers/6/trace');
  expect(target.searchParams.get('url')).toBe('http://shop.example/p/1-ssd');
  expect(target.searchParams.get('q')).toBe('ssd');
  expect(screen.getByRole('link', { name: 'Find out why it is not there' })).toHaveAttribute(
    'href',
    '/projects/7/crawlers/5/trace?q=ssd',
  );
  expect(screen.getByRole('link', { name: 'Judge these results' })).toHaveAttribute(
    'href',
    '/projects/7/indexers/9/lab?q=ssd',
  );
});

test('the quality of the page is one number with the signs it is made of', async () => {
  const fetched: Trace['page'] = {
    ...{ id: 3, url: 'http://shop.example/p/1-ssd', http_status: 200, content_type: 'text/html' },
    ...{ size_bytes: 900, load_ms: 12, processing_ms: 3, lane: 'http', target: '' },
    fetched_at: '2026-03-01T08:00:00Z',
    quality: { score: 0.42, parts: [{ name: 'length', value: 0.1, weight: 2, reason: '30 words' }] },
  };
  serve(server({ 'GET /api/v1/crawlers/5/trace': { body: sampleTrace({ page: fetched }) } }));
  const { user } = renderApp(`${address}?url=http://shop.example/p/1-ssd`);
  await user.click(await screen.findByText('Page quality 42 %'));
  expect(screen.getByText('length (counts 2)')).toBeVisible();
  expect(screen.getByText('10 %: 30 words')).toBeVisible();
});
