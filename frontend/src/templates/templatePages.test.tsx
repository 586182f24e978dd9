import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TemplateRequest } from '../api/types';
import { projectServer } from '../testing/answers';
import { refuse, serve, type Call } from '../testing/fakeServer';
import { fill } from '../testing/fill';
import { renderApp } from '../testing/renderApp';
import { sampleProject, sampleTemplate } from '../testing/samples';

const address = '/projects/7/templates/3';

function inspectorNames(): string[] {
  const list = screen.getByRole('list', { name: 'Inspectors' });
  return within(list)
    .getAllByRole('button', { name: /^Remove (?!clean-up)/ })
    .map((button) => button.getAttribute('aria-label')?.replace('Remove ', '') ?? '');
}

function sentBody(calls: Call[], method: string): TemplateRequest {
  return calls.find((call) => call.method === method)?.body as TemplateRequest;
}

test('inspectors move up and down, and the new order is what is saved', async () => {
  const { calls } = serve(
    projectServer({
      'PATCH /api/v1/templates/3': ({ body }) => ({ body: { ...sampleTemplate(), ...(body as object) } }),
    }),
  );
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Move price up' }));
  expect(inspectorNames()).toEqual(['price', 'title']);
  expect(screen.getByRole('button', { name: 'Move price up' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Save template' }));
  expect(await screen.findByText('Template saved.')).toBeVisible();
  expect(sentBody(calls, 'PATCH').inspectors?.map(({ id, name }) => [id, name])).toEqual([
    [32, 'price'],
    [31, 'title'],
  ]);
});

test('inspectors are added, duplicated without their identity, and removed', async () => {
  serve(projectServer());
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Duplicate price' }));
  expect(inspectorNames()).toEqual(['title', 'price', 'price copy']);
  await user.click(screen.getByRole('button', { name: 'Remove title' }));
  await user.click(screen.getByRole('button', { name: 'Add inspector' }));
  expect(inspectorNames()).toEqual(['price', 'price copy', 'inspector 3']);
});

test('a refused selector opens its row, shows the sentence there and takes the focus', async () => {
  const fields = { 'inspectors.1.selector': ['This is not an XPath: a bracket is missing at 14.'] };
  serve(
    projectServer({
      'PATCH /api/v1/templates/3': refuse(400, 'invalid', 'Please check the marked fields.', fields),
    }),
  );
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Save template' }));
  expect(await screen.findByText(/a bracket is missing at 14/)).toBeVisible();
  const refused = screen.getByLabelText(/^Selector/);
  expect(refused).toHaveValue('//span[@class="price"]');
  await waitFor(() => expect(refused).toHaveFocus());
});

test('a refusal without a field is a toast with the server’s sentence', async () => {
  serve(
    projectServer({
      'PATCH /api/v1/templates/3': refuse(409, 'in_use', 'A run uses this template just now.'),
    }),
  );
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Save template' }));
  expect(await screen.findByText('A run uses this template just now.')).toBeVisible();
});

test('a new template is sent with what was typed, then opens under its own address', async () => {
  const { calls } = serve(
    projectServer({ 'POST /api/v1/templates': { status: 201, body: sampleTemplate() } }),
  );
  const { user, router } = renderApp('/projects/7/templates/new');
  await fill(user, await screen.findByRole('textbox', { name: 'Name', description: '' }), 'Article');
  await fill(user, screen.getByLabelText(/^Selector/), '//h1');
  await user.click(screen.getByRole('button', { name: 'Add action' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Wait Waits a fixed time/ }));
  await user.click(screen.getByRole('button', { name: 'Create template' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(address));
  expect(sentBody(calls, 'POST')).toMatchObject({
    project: 7,
    name: 'Article',
    inspectors: [{ name: 'title', type: 'text', selector: '//h1' }],
    actions: [{ type: 'wait', seconds: 1 }],
  });
});

test('a chain runs where it is told to, by pattern', async () => {
  const { calls } = serve(
    projectServer({
      'PATCH /api/v1/templates/3': ({ body }) => ({ body: { ...sampleTemplate(), ...(body as object) } }),
    }),
  );
  const { user } = renderApp(address);
  await user.click(await screen.findByRole('radio', { name: /^On addresses like/ }));
  await user.click(screen.getByRole('button', { name: 'Save template' }));
  expect(await screen.findByText(/^Give a piece of the addresses/)).toBeVisible();
  await fill(user, screen.getByLabelText(/^Addresses/), '/list');
  await user.click(screen.getByRole('button', { name: 'Save template' }));
  expect(await screen.findByText('Template saved.')).toBeVisible();
  expect(sentBody(calls, 'PATCH')).toMatchObject({ actions_on: 'matching', actions_pattern: '/list' });
});

test('unsaved changes are asked about before leaving', async () => {
  serve(projectServer());
  const { user, router } = renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Remove title' }));
  await user.click(screen.getByRole('link', { name: 'Crawlers' }));
  expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Stay here' }));
  expect(router.state.location.pathname).toBe(address);
});

test('a viewer reads the form but cannot change it', async () => {
  serve(projectServer({ 'GET /api/v1/projects/7': { body: sampleProject({ role: 'viewer' }) } }));
  renderApp(address);
  expect(await screen.findByRole('list', { name: 'Inspectors' })).toBeVisible();
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Save template' })).not.toBeInTheDocument(),
  );
  expect(screen.getByLabelText(/^Item scope/)).toBeDisabled();
});
