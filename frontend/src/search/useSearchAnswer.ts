import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../api/errors';
import { useAnswer } from './asking';
import { facetWishes } from './facets';
import { searchBody, type SearchState } from './searchState';

const mostTries = 5;

/** A refusal because of too much at once, or a passing trouble, is worth another try. */
function shouldTryAgain(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (error.status === 429 || error.isPassing) && failures < mostTries;
}

/** As long as the server asks us to wait; otherwise a little longer after every try. */
export function waitMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
  return asked === null ? Math.min(1000 * 2 ** failures, 8000) : asked * 1000;
}

const patience = { retry: shouldTryAgain, retryDelay: waitMs };

/** Ask the index: first what columns it has, then the search with every facet those columns allow. */
export function useSearchAnswer(indexer: number, state: SearchState) {
  const anything = { ...searchBody({}, []), page_size: 1 };
  const about = useAnswer(indexer, anything, { staleTime: 60_000, ...patience });
  const wishes = useMemo(() => facetWishes(about.data?.columns ?? [], new Date()), [about.data?.columns]);
  const answer = useAnswer(indexer, searchBody(state, wishes), {
    enabled: about.data !== undefined,
    placeholderData: keepPreviousData,
    // Right after a start, corrections are still being prepared: an empty answer may be a typing error.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && data.total === 0 && !data.index.suggests && dataUpdateCount < 5 ? 1000 : false,
    ...patience,
  });
  const refused = about.error ? about : answer;
  return {
    wishes,
    answer: answer.data,
    isPending: about.isPending || answer.isPending,
    isFetching: about.isFetching || answer.isFetching,
    error: about.error ?? answer.error,
    /** Why we are waiting for another try; null while all is well. */
    hindrance: refused.failureReason ?? about.failureReason,
    failures: about.failureCount + answer.failureCount,
    retry: () => void refused.refetch(),
  };
}
