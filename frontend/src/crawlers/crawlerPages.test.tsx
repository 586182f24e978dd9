import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectServer } from '../testing/answers';
import { page, refuse, serve } from '../testing/fakeServer';
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

test('without a template the page leads to making one', async () => {
  serve(projectServer({ 'GET /api/v1/templates': page([]) }));
  renderApp('/projects/7/crawlers/new');
  const link = await screen.findByRole('link', { name: 'Make a template' });
  expect(link).toHaveAttribute('href', '/projects/7/templates/new');
});
