import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { page, refuse, serve } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import { sampleProject, signedIn, signedOut } from '../testing/samples';
import { safeNext } from './session';

const projectAnswers = {
  'GET /api/v1/projects': page([sampleProject()]),
  'GET /api/v1/projects/*': { body: sampleProject() },
  'GET /api/v1/.*': page([]),
};

async function signIn(user: ReturnType<typeof renderApp>['user'], password: string) {
  await fill(user, await screen.findByLabelText('User name'), 'ada');
  await fill(user, screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('a stranger signs in and arrives where they wanted to go', async () => {
  const { calls } = serve({
    'GET /api/v1/auth/me': { body: signedOut },
    'POST /api/v1/auth/login': { body: signedIn },
    ...projectAnswers,
  });
  const { user, router } = renderApp('/projects/7/settings');
  await signIn(user, 'secret');
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/projects/7/settings');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    username: 'ada',
    password: 'secret',
  });
});

test('wrong credentials show the server’s sentence and stay on the page', async () => {
  serve({
    'GET /api/v1/auth/me': { body: signedOut },
    'POST /api/v1/auth/login': refuse(400, 'wrong_credentials', 'User name or password is wrong.'),
  });
  const { user, router } = renderApp('/login');
  await signIn(user, 'guess');
  expect(await screen.findByRole('alert')).toHaveTextContent('User name or password is wrong.');
  expect(router.state.location.pathname).toBe('/login');
});

test('empty fields are asked for without troubling the server', async () => {
  const { calls } = serve({ 'GET /api/v1/auth/me': { body: signedOut } });
  const { user } = renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(screen.getByText('Enter your user name.')).toBeVisible();
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a session that ends leads to the login and remembers the place', async () => {
  serve({
    'GET /api/v1/auth/me': { body: signedIn },
    'PATCH /api/v1/projects/*': refuse(401, 'not_authenticated', 'Please sign in.'),
    ...projectAnswers,
  });
  const { user, router } = renderApp('/projects/7/settings');
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(router.state.location.search).toEqual({ next: '/projects/7/settings' });
});

test('who signs in after somebody’s session has ended sees nothing of theirs', async () => {
  const me = { ...signedIn, user: { ...signedIn.user, id: 2, username: 'bob', is_admin: false } };
  let isOver = false;
  serve({
    'GET /api/v1/auth/me': { body: signedIn },
    'POST /api/v1/auth/login': { body: me },
    'PATCH /api/v1/projects/*': () => {
      isOver = true;
      return refuse(401, 'not_authenticated', 'Please sign in.');
    },
    'GET /api/v1/projects/*': () =>
      isOver ? refuse(404, 'not_found', 'There is nothing here.') : { body: sampleProject() },
    'GET /api/v1/.*': page([]),
  });
  const { user } = renderApp('/projects/7/settings');
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await signIn(user, 'secret');
  expect(await screen.findByText('There is nothing here.')).toBeVisible();
  expect(screen.queryByDisplayValue('Shops')).not.toBeInTheDocument();
});

test('writes carry the CSRF token of the cookie', async () => {
  document.cookie = 'csrftoken=tok%3D1';
  const { calls } = serve({
    'GET /api/v1/auth/me': { body: signedOut },
    'POST /api/v1/auth/login': { body: signedIn },
    ...projectAnswers,
  });
  const { user } = renderApp('/login');
  await signIn(user, 'secret');
  await screen.findByRole('heading', { level: 1, name: 'Projects' });
  expect(calls.find(({ method }) => method === 'POST')?.headers.get('X-CSRFToken')).toBe('tok=1');
  expect(calls.find(({ method }) => method === 'GET')?.headers.get('X-CSRFToken')).toBeNull();
});

test('only paths of this site are followed after signing in', () => {
  expect(safeNext('/projects/1')).toBe('/projects/1');
  expect(safeNext('//evil.example')).toBe('/');
  expect(safeNext('https://evil.example')).toBe('/');
  expect(safeNext('/\\evil.example')).toBe('/');
  expect(safeNext(undefined)).toBe('/');
});
