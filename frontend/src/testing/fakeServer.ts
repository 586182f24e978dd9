import { vi } from 'vitest';

interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

type Handler = Answer | ((call: Call) => Answer | Promise<Answer>);

/** Answers by "METHOD /path"; the first that matches is taken, `*` stands for one segment. */
export type Handlers = Record<string, Handler>;

function matches(pattern: string, { method, path }: Call): boolean {
  const [wantedMethod, wantedPath = ''] = pattern.split(' ');
  const expression = new RegExp(`^${wantedPath.replaceAll('*', '[^/]+')}$`);
  return wantedMethod === method && expression.test(path);
}

async function readCall(request: Request): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  const body: unknown = text ? JSON.parse(text) : undefined;
  return { method: request.method, path: pathname, query: searchParams, body, headers: request.headers };
}

function respond({ status = 200, body, headers = {} }: Answer): Response {
  if (status === 204) return new Response(null, { status });
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

/** A server at the edge of the network: real requests go in, real responses come out, every call is kept. */
export function serve(handlers: Handlers): { calls: Call[] } {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = await readCall(request);
    calls.push(call);
    const found = Object.keys(handlers).find((pattern) => matches(pattern, call));
    const handler = found === undefined ? undefined : handlers[found];
    if (!handler)
      return respond({
        status: 404,
        body: { code: 'not_found', detail: `No ${call.path} here.`, fields: {} },
      });
    return respond(typeof handler === 'function' ? await handler(call) : handler);
  });
  return { calls };
}

/** The answer of a list with these rows. */
export function page(results: unknown[], count = results.length): Answer {
  return { body: { count, next: null, previous: null, results } };
}

export function refuse(
  status: number,
  code: string,
  detail: string,
  fields: Record<string, string[]> = {},
): Answer {
  return { status, body: { code, detail, fields } };
}
