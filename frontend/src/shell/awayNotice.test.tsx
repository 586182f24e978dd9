import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectServer } from '../testing/answers';
import { page, serve } from '../testing/fakeServer';
import { renderApp } from '../testing/renderApp';
import { sampleJob } from '../testing/samples';

test('while the server is away the page says that it is old, until it answers again', async () => {
  let isAway = false;
  const answer = () => {
    if (isAway) throw new TypeError('Failed to fetch');
    return page([sampleJob()]);
  };
  serve(projectServer({ 'GET /api/v1/jobs': answer }));
  const { queryClient } = renderApp('/jobs');
  expect(await screen.findByRole('link', { name: 'Shop one #1' })).toBeVisible();
  expect(screen.queryByText('Gleaner cannot be reached right now')).not.toBeInTheDocument();
  const askAgain = () => void queryClient.invalidateQueries({ queryKey: ['get', '/api/v1/jobs'] });
  isAway = true;
  askAgain();
  expect(await screen.findByText('Gleaner cannot be reached right now')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Shop one #1' })).toBeVisible();
  isAway = false;
  askAgain();
  await waitFor(() =>
    expect(screen.queryByText('Gleaner cannot be reached right now')).not.toBeInTheDocument(),
  );
});
