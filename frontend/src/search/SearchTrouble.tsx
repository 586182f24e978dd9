import { Alert } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { ApiError, isStatus, sentenceOf } from '../api/errors';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { sayCount } from '../shared/numbers';
import { waitMs } from './useSearchAnswer';

function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useInterval(() => setLeft((before) => Math.max(before - 1, 0)), 1000, { autoInvoke: true });
  return left > 0 ? `in ${sayCount(left, 'second')}` : 'now';
}

function whyWaiting(hindrance: unknown): string {
  if (isStatus(hindrance, 429)) return 'Too many searches at once.';
  return isStatus(hindrance, 503) ? 'The search is getting ready.' : 'The server does not answer.';
}

/** While we wait for another try: why, and when it comes. */
export function WaitingNote({ hindrance, failures }: { hindrance: unknown; failures: number }) {
  const seconds = Math.ceil(waitMs(failures - 1, hindrance) / 1000);
  return (
    <Alert color="wheat" mb="md" role="status">
      {whyWaiting(hindrance)} Trying again <Countdown key={failures} seconds={seconds} />.
    </Alert>
  );
}

interface SearchTroubleProps {
  error: unknown;
  retry: () => void;
  /** What a member of the project can do when there is no index yet. */
  buildAction?: ReactNode;
}

/** What stands in the place of results when the index cannot be asked. */
export function SearchTrouble({ error, retry, buildAction }: SearchTroubleProps) {
  if (error instanceof ApiError && error.code === 'no_index') {
    return (
      <EmptyState scene="indexer" title="There is nothing to search yet" actions={buildAction}>
        {buildAction ? error.message : 'Its owner has not built this search yet. Please come back later.'}
      </EmptyState>
    );
  }
  if (isStatus(error, 400)) {
    const sentences = Object.values((error as ApiError).fields).flat();
    return (
      <Alert color="red" role="alert" title="This cannot be searched for">
        {sentences.length ? sentences.join(' ') : sentenceOf(error)}
      </Alert>
    );
  }
  return <ErrorPanel error={error} retry={retry} />;
}
