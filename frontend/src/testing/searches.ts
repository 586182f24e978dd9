import type { SearchBody } from '../api/types';
import type { Call } from './fakeServer';

const readFlag = (text: string | null) => (text === null ? undefined : text === 'true');

/** The search that was asked for by an address or in a body; an address's conditions of values are joined by field. */
export function wishOf({ method, query, body }: Call): SearchBody {
  if (method === 'POST') return body as SearchBody;
  const filters = new Map<string, string[]>();
  for (const text of query.getAll('filter')) {
    const [field = '', value = ''] = text.split(/:(.*)/s);
    filters.set(field, [...(filters.get(field) ?? []), value]);
  }
  const flags = ['safe', 'group', 'correct', 'explain'].filter((name) => query.has(name));
  return {
    q: query.get('q') ?? '',
    page: Number(query.get('page')),
    ...(query.has('sort') ? { sort: query.get('sort') ?? '' } : {}),
    ...Object.fromEntries(flags.map((name) => [name, readFlag(query.get(name))])),
    filters: [...filters].map(([field, values]) => ({ field, values, with_low: true, with_high: false })),
  } as SearchBody;
}

/** Every search that was asked for, in order. */
export function wishesOf(calls: Call[]): SearchBody[] {
  return calls.filter(({ path }) => path.endsWith('/search')).map(wishOf);
}
