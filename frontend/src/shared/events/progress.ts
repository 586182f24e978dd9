import type { QueryClient } from '@tanstack/react-query';
import type { Build, IndexerState, Runner } from '../../api/types';

/** What an event tells of a run: enough to show it without asking. */
export interface Progress {
  runner: number;
  status: Runner['status'];
  reason: string;
  statistics: Partial<Runner['statistics']>;
}

/** What an event tells of an index: the build that is served, and the one that is on its way. */
export interface IndexProgress {
  indexer: number;
  status: IndexerState['status'];
  reason: string;
  served: string;
  documents: number;
  build: (Partial<Build> & { name: string }) | null;
}

function isAnswerAbout(queryKey: readonly unknown[], wanted: string, subject: number): boolean {
  const [, path, asked] = queryKey as [
    unknown,
    unknown,
    { params?: { path?: { id?: unknown } } } | undefined,
  ];
  return path === wanted && asked?.params?.path?.id === subject;
}

/** Put what an event tells of a run into the answers that are there; what it does not tell stays. */
export function showProgress(queries: QueryClient, { runner, status, reason, statistics }: Progress): void {
  queries.setQueriesData<Runner>(
    { predicate: ({ queryKey }) => isAnswerAbout(queryKey, '/api/v1/runners/{id}', runner) },
    (known) => known && { ...known, status, reason, statistics: { ...known.statistics, ...statistics } },
  );
}

/** A build as it is told; another one than it was is not known well enough to be shown. */
function withNews(known: Build | null, told: IndexProgress['build']): Build | null {
  return known && told && known.name === told.name ? { ...known, ...told } : known;
}

/** Put what an event tells of an index into the answers that are there. */
export function showIndexProgress(queries: QueryClient, told: IndexProgress): void {
  const { indexer, status, reason, served, documents, build } = told;
  queries.setQueriesData<IndexerState>(
    { predicate: ({ queryKey }) => isAnswerAbout(queryKey, '/api/v1/indexers/{id}/state', indexer) },
    (known) =>
      known && {
        ...known,
        status,
        reason,
        served: withNews(known.served, { name: served, documents }),
        building: withNews(known.building, build),
      },
  );
}
