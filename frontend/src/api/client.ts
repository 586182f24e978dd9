import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryApi from 'openapi-react-query';
import { apiErrorFrom, networkFailure } from './errors';
import type { CompletePaths } from './complete';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

function csrfToken(): string | null {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith('csrftoken='));
  return pair ? decodeURIComponent(pair.slice('csrftoken='.length)) : null;
}

/** Django's session rules on the way out; one kind of error on the way in. */
const session: Middleware = {
  onRequest({ request }) {
    const token = csrfToken();
    if (token && !safeMethods.has(request.method)) request.headers.set('X-CSRFToken', token);
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await apiErrorFrom(response);
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return networkFailure();
  },
};

export const client = createFetchClient<CompletePaths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
});
client.use(session);

/** Typed hooks over the generated client: `$api.useQuery('get', '/api/v1/projects')`. */
export const $api = createQueryApi(client);
