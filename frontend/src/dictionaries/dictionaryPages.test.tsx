import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Dictionary } from '../api/types';
import { projectServer } from '../testing/answers';
import { serve, type Call } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';

const lines = (count: number, name = 'Name') =>
  Array.from({ length: count }, (_, number) => `${name} ${number}`).join('\n');

const large: Dictionary = {
  id: 4,
  project: 7,
  name: 'Brands',
  description: '',
  entries: lines(1000),
  entry_count: 2_600_000,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

function server(dictionary = large) {
  return serve(
    projectServer({
      'GET /api/v1/dictionaries/4': { body: dictionary },
      'PATCH /api/v1/dictionaries/4': ({ body }: Call) => ({
        body: { ...dictionary, ...(body as object), entries: lines(1000, 'New') },
      }),
    }),
  );
}

const saved = (calls: Call[]) => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

test('of a large dictionary the first entries are shown, and saving does not touch the rest', async () => {
  const { calls } = server();
  const { user } = renderApp('/projects/7/dictionaries/4');
  expect(await screen.findByText(/The first 1,000 of 2,600,000 entries/)).toBeVisible();
  expect(calls.find(({ path }) => path === '/api/v1/dictionaries/4')?.query.get('max_entries')).toBe('1000');
  expect(screen.getByRole('textbox', { name: 'Entries' })).toHaveAttribute('readonly');
  const file = screen.getByRole('link', { name: 'Download' });
  expect(file).toHaveAttribute('href', '/api/v1/dictionaries/4/entries');
  await fill(user, screen.getByRole('textbox', { name: 'Name' }), ' and makers');
  await user.click(screen.getByRole('button', { name: 'Save dictionary' }));
  await waitFor(() =>
    expect(saved(calls)).toEqual([{ project: 7, name: 'Brands and makers', description: '' }]),
  );
});

test('a file takes the place of all entries, and what is saved next leaves them alone', async () => {
  const { calls } = server();
  const { user } = renderApp('/projects/7/dictionaries/4');
  await screen.findByText(/The first 1,000 of 2,600,000 entries/);
  const text = lines(1500, 'Filed');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await user.upload(input as HTMLInputElement, new File([text], 'names.txt', { type: 'text/plain' }));
  expect(await screen.findByText(/The first 1,000 of 1,500 entries/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save dictionary' }));
  await waitFor(() => expect(saved(calls)).toMatchObject([{ entries: text }]));
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Entries' })).toHaveValue(lines(1000, 'New')),
  );
  await fill(user, screen.getByRole('textbox', { name: 'Name' }), ' and makers');
  await user.click(screen.getByRole('button', { name: 'Save dictionary' }));
  await waitFor(() => expect(saved(calls)).toHaveLength(2));
  expect(saved(calls)[1]).not.toHaveProperty('entries');
});

test('a small dictionary is edited in the page', async () => {
  const { calls } = server({ ...large, entries: 'Acme', entry_count: 1 });
  const { user } = renderApp('/projects/7/dictionaries/4');
  const entries = await screen.findByRole('textbox', { name: 'Entries' });
  await fill(user, entries, ', 5');
  await user.click(screen.getByRole('button', { name: 'Save dictionary' }));
  await waitFor(() => expect(saved(calls)).toMatchObject([{ entries: 'Acme, 5' }]));
});
