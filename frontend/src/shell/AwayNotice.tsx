import { Alert } from '@mantine/core';
import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { ApiError } from '../api/errors';

function failedAt({ state }: Query): number {
  const isAway = state.data !== undefined && state.error instanceof ApiError && state.error.isPassing;
  return isAway ? state.errorUpdatedAt : 0;
}

/** Whether what is on the screen could not be asked for again, and nothing has been answered or told since. */
function useIsAway(): boolean {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (listen: () => void) => cache.subscribe(notifyManager.batchCalls(listen)),
    [cache],
  );
  return useSyncExternalStore(subscribe, () => {
    const queries = cache.getAll();
    const answeredAt = Math.max(0, ...queries.map(({ state }) => state.dataUpdatedAt));
    return Math.max(0, ...queries.map(failedAt)) > answeredAt;
  });
}

/** Says that the numbers on the page are old while the server does not answer. */
export function AwayNotice() {
  if (!useIsAway()) return null;
  return (
    <Alert color="wheat" mb="lg" role="status" title="Gleaner cannot be reached right now">
      What you see is from before. It is brought up to date as soon as Gleaner answers again.
    </Alert>
  );
}
