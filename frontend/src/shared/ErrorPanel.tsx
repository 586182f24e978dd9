import { Button } from '@mantine/core';
import { isStatus, sentenceOf } from '../api/errors';
import { EmptyState } from './EmptyState';
import { RefreshIcon } from './pictures/icons';

interface ErrorPanelProps {
  error: unknown;
  retry?: () => void;
  /** It stands for the whole page, which has no other heading. */
  wholePage?: boolean;
}

/** A page or table that could not be loaded: the server's sentence and, where it can help, another try. */
export function ErrorPanel({ error, retry, wholePage = false }: ErrorPanelProps) {
  const isMissing = isStatus(error, 404);
  const tryAgain = retry && !isMissing && (
    <Button variant="default" leftSection={<RefreshIcon />} onClick={retry}>
      Try again
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState
        order={wholePage ? 1 : 2}
        scene="trouble"
        title={isMissing ? 'Nothing here' : 'This could not be loaded'}
        actions={tryAgain}
      >
        {sentenceOf(error)}
      </EmptyState>
    </div>
  );
}
