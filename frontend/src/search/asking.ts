import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { client } from '../api/client';
import type { SearchAnswer, SearchBody } from '../api/types';
import { conditionTexts, fieldText } from './searchState';

const path = '/api/v1/indexers/{id}/search';
/** Longer addresses may not get through every proxy; such searches are sent in a body. */
const longestAddress = 1500;

function facetText({ field, size = 10, edges }: NonNullable<SearchBody['facets']>[number]): string {
  return `${fieldText(field)}:${edges ? edges.join(',') : size}`;
}

/** A search as the parameters of an address; null where it must be sent in a body. */
export function addressQuery(body: SearchBody) {
  const { filters = [], facets = [], weights, boosts, word_weights, ...plain } = body;
  if (weights || boosts || word_weights) return null;
  const query = { ...plain, filter: filters.flatMap(conditionTexts), facet: facets.map(facetText) };
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString().length < longestAddress ? query : null;
}

async function ask(id: number, body: SearchBody, signal: AbortSignal): Promise<SearchAnswer> {
  const query = addressQuery(body);
  const { data } = query
    ? await client.GET(path, { params: { path: { id }, query }, signal })
    : await client.POST(path, { params: { path: { id } }, body, signal });
  return data as SearchAnswer;
}

type Options<Data> = Omit<UseQueryOptions<SearchAnswer, Error, Data>, 'queryKey' | 'queryFn'>;

/** Ask an index: with an address while it is short, which the server answers sooner than a body. */
export function useAnswer<Data = SearchAnswer>(indexer: number, body: SearchBody, options: Options<Data>) {
  return useQuery<SearchAnswer, Error, Data>({
    queryKey: ['get', path, { params: { path: { id: indexer } }, body }],
    queryFn: ({ signal }) => ask(indexer, body, signal),
    ...options,
  });
}
