import { $api } from '../../api/client';
import type { Indexer, TriedSettings } from '../../api/types';
import { notifyDone, notifyError } from '../../shared/notify';
import { searchBody } from '../searchState';
import { takeOverBody } from './settings';

const listed = 500;

/** The judged queries of an indexer by their text; as many as one answer holds. */
export function useJudgedQueries(indexer: number) {
  const query = { indexer, page_size: listed, ordering: 'text' };
  return $api.useQuery('get', '/api/v1/judged-queries', { params: { query } });
}

/** The columns whose words are searched, which are those that can be boosted. */
export function useSearchedColumns(indexer: number) {
  return $api.useQuery(
    'post',
    '/api/v1/indexers/{id}/search',
    { params: { path: { id: indexer } }, body: { ...searchBody({}, []), page_size: 1 } },
    {
      staleTime: 60_000,
      select: ({ columns }) => columns.filter(({ is_searched }) => is_searched).map(({ name }) => name),
    },
  );
}

/** Makes tried settings those of the indexer; searches use them at once. */
export function useTakeOver(indexer: Indexer) {
  const change = $api.useMutation('patch', '/api/v1/indexers/{id}', {
    onError: notifyError,
    onSuccess: () => notifyDone('The indexer has these settings now. Searches use them at once.'),
  });
  return {
    isPending: change.isPending,
    takeOver: (tried: TriedSettings) =>
      change.mutate({ params: { path: { id: indexer.id } }, body: takeOverBody(indexer, tried) }),
  };
}
