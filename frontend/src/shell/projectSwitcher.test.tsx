import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectServer } from '../testing/answers';
import { page, serve } from '../testing/fakeServer';
import { renderApp } from '../testing/renderApp';
import { sampleProject } from '../testing/samples';

test('one of very many projects is known by its name, though the menu lists only the newest', async () => {
  const newest = page([sampleProject({ id: 8, name: 'Newer' })], 400);
  serve(projectServer({ 'GET /api/v1/projects': newest, 'GET /api/v1/runners': page([]) }));
  renderApp('/projects/7/runners');
  expect(await screen.findByRole('button', { name: /^Project: .*\. Change project$/ })).toBeVisible();
});

test('where no project is chosen, what is said is what is seen', async () => {
  serve(projectServer({ 'GET /api/v1/projects': page([]), 'GET /api/v1/jobs': page([]) }));
  renderApp('/jobs');
  expect(await screen.findByRole('button', { name: 'Choose a project' })).toBeVisible();
});
