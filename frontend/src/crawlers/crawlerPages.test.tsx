import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CrawlerRequest } from '../api/types';
import { projectServer } from '../testing/answers';
import { page, refuse, serve, type Call } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import { sampleCrawler } from '../testing/samples';

test('the only template is chosen already, and a name and a seed are enough', async () => {
  const { calls } = serve(
    projectServer({
      'POST /api/v1/crawlers': { status: 201, body: sampleCrawler() },
      'GET /api/v1/crawlers/5': { body: sampleCrawler() },
    }),
  );
  const { user, router } = renderApp('/projects/7/crawlers/new');
  await fill(user, await screen.findByLabelText(/^Name/), 'Shop one');
  await fill(user, screen.getByLabelText(/^Seeds/), 'https://shop.example.org/');
  await user.click(screen.getByRole('button', { name: 'Create crawler' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/projects/7/crawlers/5'));
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    name: 'Shop one',
    template: 3,
  });
});

test('a refused seed is quoted at the seeds', async () => {
  const fields = { 'seeds.1': ['Begin with http:// or https://.'] };
  serve(
    projectServer({
      'GET /api/v1/crawlers/5': { body: sampleCrawler({ seeds: ['https://a.example', 'ftp://b.example'] }) },
      'PATCH /api/v1/crawlers/5': refuse(400, 'invalid', 'Please check the marked fields.', fields),
    }),
  );
  const { user } = renderApp('/projects/7/crawlers/5');
  await user.click(await screen.findByRole('button', { name: 'Save crawler' }));
  expect(await screen.findByText('“ftp://b.example”: Begin with http:// or https://.')).toBeVisible();
  expect(screen.getByLabelText(/^Seeds/)).toHaveAttribute('aria-invalid', 'true');
});

test('whoever deletes a crawler is told that its runs and documents go with it', async () => {
  serve(projectServer({ 'GET /api/v1/crawlers': page([sampleCrawler()]) }));
  const { user } = renderApp('/projects/7/crawlers');
  await user.click(await screen.findByRole('button', { name: 'Actions for Shop one' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the crawler “Shop one”?' }));
  expect(dialog.getByText(/^All its runs go with it, and all documents/)).toBeVisible();
});

test('without a template the page leads to making one', async () => {
  serve(projectServer({ 'GET /api/v1/templates': page([]) }));
  renderApp('/projects/7/crawlers/new');
  const link = await screen.findByRole('link', { name: 'Make a template' });
  expect(link).toHaveAttribute('href', '/projects/7/templates/new');
});

function saved(calls: Call[]): CrawlerRequest {
  return calls.find(({ method }) => method === 'PATCH')?.body as CrawlerRequest;
}

function openCrawler(crawler = sampleCrawler()) {
  const { calls } = serve(
    projectServer({
      'GET /api/v1/crawlers/5': { body: crawler },
      'PATCH /api/v1/crawlers/5': { body: crawler },
    }),
  );
  return { calls, ...renderApp('/projects/7/crawlers/5') };
}

test('signing in begins with the usual steps, and what is typed is dots', async () => {
  const { calls, user } = openCrawler();
  await user.click(await screen.findByRole('switch', { name: /^Sign in first/ }));
  await fill(user, screen.getByLabelText(/^Login page/), 'https://shop.example.org/login');
  await fill(user, screen.getByLabelText(/^Logged out when/), '//form');
  const steps = screen.getByRole('list', { name: 'Login steps' });
  await user.click(within(steps).getByRole('button', { name: /^2\.\s*Type/ }));
  const typed = await within(steps).findByLabelText(/^Text/);
  expect(typed).toHaveAttribute('type', 'password');
  await fill(user, typed, 'hunter2');
  await user.click(screen.getByRole('button', { name: 'Save crawler' }));
  expect(await screen.findByText('Crawler saved.')).toBeVisible();
  expect(saved(calls).login).toMatchObject({
    url: 'https://shop.example.org/login',
    logged_out: '//form',
    actions: [{ type: 'type' }, { type: 'type', text: 'hunter2', submit: true }],
  });
});

test('a refused login step opens and says why', async () => {
  const login = { url: '', actions: [{ type: 'click', selector: '//[' }], logged_out: '' };
  serve(
    projectServer({
      'GET /api/v1/crawlers/5': { body: sampleCrawler({ login }) },
      'PATCH /api/v1/crawlers/5': refuse(400, 'invalid', 'Please check the marked fields.', {
        'login.actions.0.selector': ['This is not an XPath.'],
      }),
    }),
  );
  const { user } = renderApp('/projects/7/crawlers/5');
  await user.click(await screen.findByRole('button', { name: 'Save crawler' }));
  expect(await screen.findByText('This is not an XPath.')).toBeVisible();
});

test('pasted cookies are listed without their values, and sent', async () => {
  const { calls, user } = openCrawler();
  const pasted = JSON.stringify([{ name: 'sid', value: 'very-secret', domain: '.shop.example.org' }]);
  await fill(user, await screen.findByLabelText(/^Paste cookies/), pasted);
  await user.click(screen.getByRole('button', { name: 'Add cookies' }));
  const table = await screen.findByRole('table', { name: 'Cookies' });
  expect(within(table).getByText('sid')).toBeVisible();
  expect(within(table).getByText('Not saved yet')).toBeVisible();
  expect(screen.getByLabelText(/^Paste cookies/)).toHaveValue('');
  expect(document.body.textContent).not.toContain('very-secret');
  await user.click(screen.getByRole('button', { name: 'Save crawler' }));
  expect(await screen.findByText('Crawler saved.')).toBeVisible();
  expect(saved(calls).cookies).toEqual([
    {
      name: 'sid',
      value: 'very-secret',
      domain: '.shop.example.org',
      path: '/',
      secure: false,
      expires: null,
    },
  ]);
});

test('what is no cookie is refused in a sentence, and stays to be mended', async () => {
  const { user } = openCrawler();
  const box = await screen.findByLabelText(/^Paste cookies/);
  await fill(user, box, 'sid=1; other=2');
  await user.click(screen.getByRole('button', { name: 'Add cookies' }));
  expect(await screen.findByText(/^Line 1 is not a cookie/)).toBeVisible();
  expect(box).toHaveValue('sid=1; other=2');
});

test('a stored cookie is a secret that can be removed', async () => {
  const cookies = [
    {
      name: 'sid',
      value: '${cookie shop sid}',
      domain: 'shop.example.org',
      path: '/',
      secure: true,
      expires: null,
    },
  ];
  const { calls, user } = openCrawler(sampleCrawler({ cookies }));
  expect(await screen.findByText('Secret')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove the cookie sid of shop.example.org' }));
  await user.click(screen.getByRole('button', { name: 'Save crawler' }));
  await waitFor(() => expect(saved(calls)?.cookies).toEqual([]));
});

test('each lane says what it costs; without a browser a login is warned about', async () => {
  const { user } = openCrawler();
  await user.click(await screen.findByRole('switch', { name: /^Sign in first/ }));
  expect(screen.queryByText(/it never signs in/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('radio', { name: /^Without a browser/ }));
  expect(screen.getByText(/it never signs in/)).toBeVisible();
  expect(screen.queryByRole('switch', { name: /^Show the browser/ })).not.toBeInTheDocument();
});
