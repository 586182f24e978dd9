import type { Build, IndexerState } from '../api/types';
import { sayCount, sayNumber } from '../shared/numbers';
import { sayDuration } from '../shared/time';

/** What is served and whether it keeps up, in one sentence. */
export function saySituation({ served, is_following, is_at_work, building, held }: IndexerState): string {
  if (!served)
    return is_at_work
      ? 'The first index is being built.'
      : 'There is no index yet. Start it to make it searchable.';
  const found = `${sayCount(served.documents, 'document')} can be searched.`;
  if (building)
    return `${found} A new build is on its way beside it; searches go on as before, and what crawls find meanwhile comes with it.`;
  if (held && is_following)
    return `${found} It follows the crawls, but takes over no great losses until you decide about the new build.`;
  if (held) return `${found} That stays so until you decide about the new build.`;
  if (is_following) return `${found} It follows the crawls: what they find can be searched within seconds.`;
  return `${found} It stays as it is until you start it again.`;
}

/** “1,200 of 5,400 documents, 850 a second, about 5 s left”. */
export function sayProgress({ done, total, documents_per_second, eta_seconds }: Build): string {
  const parts = [`${sayNumber(done)} of ${sayCount(Math.max(total, done), 'document')}`];
  if (documents_per_second > 0) parts.push(`${sayNumber(Math.round(documents_per_second))} a second`);
  if (eta_seconds !== null) parts.push(`about ${sayDuration(eta_seconds)} left`);
  return parts.join(', ');
}

export function shareDone({ done, total }: Build): number {
  return total > 0 ? Math.min(done / total, 1) * 100 : 0;
}

const steps = ['new', 'dictionary', 'indexing', 'completed'] as const;

/** The way of an index, and where on it this one is; one that was stopped ends with “exit”. */
export function pathOf(
  status: IndexerState['status'],
): { status: string; state: 'done' | 'now' | 'later' }[] {
  if (status === 'exit') return [{ status: 'exit', state: 'now' }];
  const at = steps.indexOf(status);
  return steps.map((step, place) => ({
    status: step,
    state: place < at ? 'done' : place === at ? 'now' : 'later',
  }));
}
