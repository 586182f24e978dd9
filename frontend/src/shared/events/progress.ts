import type { QueryClient } from '@tanstack/react-query';
import type { Runner } from '../../api/types';

/** What an event tells of a run: enough to show it without asking. */
export interface Progress {
  runner: number;
  status: Runner['status'];
  reason: string;
  statistics: Partial<Runner['statistics']>;
}

function isAnswerAbout(queryKey: readonly unknown[], runner: number): boolean {
  const [, path, asked] = queryKey as [
    unknown,
    unknown,
    { params?: { path?: { id?: unknown } } } | undefined,
  ];
  return path === '/api/v1/runners/{id}' && asked?.params?.path?.id === runner;
}

/** Put what an event tells of a run into the answers that are there; what it does not tell stays. */
export function showProgress(queries: QueryClient, { runner, status, reason, statistics }: Progress): void {
  queries.setQueriesData<Runner>(
    { predicate: ({ queryKey }) => isAnswerAbout(queryKey, runner) },
    (known) => known && { ...known, status, reason, statistics: { ...known.statistics, ...statistics } },
  );
}
