import { $api } from '../../api/client';
import type { Indexer, TriedSettings } from '../../api/types';
import { notifyDone, notifyError } from '../../shared/notify';
import { useAnswer } from '../asking';
import { searchBody } from '../searchState';
import { takeOverBody } from './settings';

const perPage = 500;

function useJudgedPage(indexer: number, page: number, enabled: boolean) {
  const query = { indexer, page, page_size: perPage, ordering: 'text' };
  return $api.useQuery('get', '/api/v1/judged-queries', { params: { query } }, { enabled });
}

/** All judged queries of an indexer by their text: an indexer has at most two pages of them. */
export function useJudgedQueries(indexer: number) {
  const first = useJudgedPage(indexer, 1, true);
  const needsSecond = (first.data?.count ?? 0) > perPage;
  const second = useJudgedPage(indexer, 2, needsSecond);
  const isComplete = first.data !== undefined && (!needsSecond || second.data !== undefined);
  return {
    queries: isComplete ? [...first.data.results, ...(second.data?.results ?? [])] : undefined,
    error: isComplete ? null : (first.error ?? second.error),
    refetch: () => {
      void first.refetch();
      if (needsSecond) void second.refetch();
    },
  };
}

/** The columns whose words are searched, which are those that can be boosted. */
export function useSearchedColumns(indexer: number) {
  const anything = { ...searchBody({}, []), page_size: 1 };
  return useAnswer(indexer, anything, {
    staleTime: 60_000,
    select: ({ columns }) => columns.filter(({ is_searched }) => is_searched).map(({ name }) => name),
  });
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
