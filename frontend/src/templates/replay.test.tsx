import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Replay, ReplayStep } from '../api/types';
import { projectServer } from '../testing/answers';
import { page, refuse, serve, type Handlers } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import { sampleCrawler, sampleProject } from '../testing/samples';
import { sayMilliseconds } from './ReplayStrip';

const picture = 'data:image/jpeg;base64,AAAA';

function sampleStep(place: number, changes: Partial<ReplayStep> = {}): ReplayStep {
  return {
    place,
    type: place ? 'click' : 'open',
    sentence: `Step ${place} told.`,
    outcome: 'ok',
    optional: false,
    milliseconds: 120.4,
    picture,
    ...changes,
  };
}

function sampleReplay(changes: Partial<Replay> = {}): Replay {
  return {
    failure: '',
    milliseconds: 4210,
    steps: [
      sampleStep(0, { sentence: 'Opened the page.' }),
      sampleStep(1, { outcome: 'failed', sentence: 'The button is not there.', optional: true }),
      sampleStep(2, { outcome: 'skipped', picture: '', type: 'wait' }),
    ],
    preview: {
      url: 'https://shop.example.org/',
      http_status: 200,
      size_bytes: 1000,
      failure: '',
      title: 'Shop',
      canonical: '',
      items: 1,
      documents: [{ values: { title: 'A red drill' }, missing: [], fired: { title: 0 } }],
      misses: [],
      notices: [],
      links: [],
      link_count: 12,
      milliseconds: { fetch: 1, parse: 1, extract: 1, links: 1 },
    },
    ...changes,
  };
}

function openTemplate(more: Handlers = {}) {
  const { calls } = serve(
    projectServer({ 'POST /api/v1/templates/3/replay': { body: sampleReplay() }, ...more }),
  );
  return { calls, ...renderApp('/projects/7/templates/3') };
}

async function tryOn(user: ReturnType<typeof renderApp>['user'], url: string) {
  await fill(user, await screen.findByLabelText(/^Address to try/), url);
  await user.click(screen.getByRole('button', { name: 'Try the steps' }));
}

test('every step is a card with its picture, sentence, outcome and time', async () => {
  const { user, calls } = openTemplate();
  await tryOn(user, 'https://shop.example.org/');
  expect(await screen.findByText('3 steps in 4.2 s: 1 ok, 1 failed, 1 skipped.')).toBeVisible();
  const cards = within(screen.getByRole('list', { name: 'Steps' })).getAllByRole('listitem');
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    'Open the pageOKOpened the page.120 ms',
    '1. ClickFailedThe button is not there.120 ms · optional, so the chain went on',
    'No picture2. WaitSkippedStep 2 told.',
  ]);
  expect(screen.getByRole('img', { name: 'The page after “1. Click”' })).toHaveAttribute('src', picture);
  expect(screen.getByText('A red drill')).toBeVisible();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    url: 'https://shop.example.org/',
    actions: [{ type: 'wait', seconds: 2, optional: false, timeout_seconds: 10 }],
    crawler: null,
  });
});

test('notices of the reading are listed with their field and how often', async () => {
  const replay = sampleReplay();
  const preview = {
    ...(replay.preview as NonNullable<Replay['preview']>),
    notices: [
      { field: 'price', sentence: 'There are several prices; the first was taken.', count: 12 },
      { field: '', sentence: 'The page says it is UTF-8, but it is not; it was read as latin-1.', count: 1 },
    ],
  };
  const { user } = openTemplate({
    'POST /api/v1/templates/3/replay': { body: sampleReplay({ preview }) },
  });
  await tryOn(user, 'https://shop.example.org/');
  const notices = within(await screen.findByRole('list', { name: 'Notices' })).getAllByRole('listitem');
  expect(notices.map(({ textContent }) => textContent)).toEqual([
    'price: There are several prices; the first was taken. (12 times)',
    'The page says it is UTF-8, but it is not; it was read as latin-1.',
  ]);
});

test('the steps are tried as they stand in the form, unsaved', async () => {
  const { user, calls } = openTemplate();
  await user.click(await screen.findByRole('button', { name: 'Remove step 1, Wait' }));
  await tryOn(user, 'https://shop.example.org/');
  await screen.findByRole('list', { name: 'Steps' });
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ actions: [] });
  expect(calls.some(({ method }) => method === 'PATCH')).toBe(false);
});

test('a crawler of the template suggests its seed', async () => {
  const { user, calls } = openTemplate({ 'GET /api/v1/crawlers': page([sampleCrawler()]) });
  await waitFor(() =>
    expect(screen.getByLabelText(/^Address to try/)).toHaveValue('https://shop.example.org/'),
  );
  await user.type(screen.getByLabelText(/^Address to try/), '{Enter}');
  await screen.findByRole('list', { name: 'Steps' });
  expect(calls.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([
    '/api/v1/templates/3/replay',
  ]);
});

test('while it runs it says so, and cannot be started twice', async () => {
  let finish: (answer: { body: Replay }) => void = () => undefined;
  const { user } = openTemplate({
    'POST /api/v1/templates/3/replay': () => new Promise((resolve) => (finish = resolve)),
  });
  await tryOn(user, 'https://shop.example.org/');
  expect(await screen.findByText(/^A browser opens the page/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try the steps' })).toBeDisabled();
  finish({ body: sampleReplay({ failure: 'The page did not answer.', steps: [], preview: null }) });
  expect(await screen.findByText('The page did not answer.')).toBeVisible();
});

test('refusals stand where they belong: at the address, at the step, or as a sentence', async () => {
  const answers = [
    refuse(400, 'invalid', 'Please check.', { url: ['Begin with http:// or https://.'] }),
    refuse(400, 'invalid', 'Please check the marked fields.', { 'actions.0.seconds': ['At most 300.'] }),
    refuse(429, 'busy', 'Another replay is under way here.'),
  ];
  const { user } = openTemplate({ 'POST /api/v1/templates/3/replay': () => answers.shift() ?? {} });
  await tryOn(user, 'shop');
  expect(await screen.findByText('Begin with http:// or https://.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try the steps' }));
  expect(await screen.findByText('At most 300.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try the steps' }));
  expect(await screen.findByText('Another replay is under way here.')).toBeVisible();
});

test('a picture opens large', async () => {
  const { user } = openTemplate();
  await tryOn(user, 'https://shop.example.org/');
  await user.click(await screen.findByRole('button', { name: 'Enlarge: Open the page' }));
  const dialog = await screen.findByRole('dialog', { name: 'Open the page' });
  expect(within(dialog).getByText('Opened the page.')).toBeVisible();
});

test('those who only look are not offered a replay', async () => {
  openTemplate({ 'GET /api/v1/projects/7': { body: sampleProject({ role: 'viewer' }) } });
  await screen.findByRole('list', { name: 'Actions' });
  await waitFor(() => expect(screen.queryByLabelText(/^Address to try/)).not.toBeInTheDocument());
});

test('times are told in the unit that reads well', () => {
  expect([sayMilliseconds(0.4), sayMilliseconds(999), sayMilliseconds(1500)]).toEqual([
    '0 ms',
    '999 ms',
    '1.5 s',
  ]);
});
