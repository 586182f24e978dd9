import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isStatus } from './errors';

const maxRetries = 3;

function shouldRetry(failures: number, error: unknown): boolean {
  return error instanceof ApiError && error.isPassing && failures < maxRetries;
}

/**
 * A cache for one page load. `onSessionEnd` is told whenever any call answers 401.
 *
 * After every successful write all that is on the screen is asked for again: one rule, and nothing is ever stale.
 */
export function createQueryClient(onSessionEnd: () => void, retryDelay?: number): QueryClient {
  const watchSession = (error: unknown) => {
    if (isStatus(error, 401)) onSessionEnd();
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: watchSession }),
    mutationCache: new MutationCache({
      onError: watchSession,
      onSuccess: () => void queryClient.invalidateQueries(),
    }),
    // A browser that calls itself offline may still reach a Gleaner on its own machine. Where it does not, people are
    // told at once; nothing that they have asked for happens much later.
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 15_000, retryDelay, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  return queryClient;
}
