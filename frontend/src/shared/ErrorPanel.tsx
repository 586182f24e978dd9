import { Button } from '@mantine/core';
import { isStatus, sentenceOf } from '../api/errors';
import { EmptyState } from './EmptyState';
import { RefreshIcon } from './pictures/icons';

interface ErrorPanelProps {
  error: unknown;
  retry?: () => void;
}

/** A page or table that could not be loaded: the server's sentence and, where it can help, another try. */
export function ErrorPanel({ error, retry }: ErrorPanelProps) {
  const isMissing = isStatus(error, 404);
  const tryAgain = retry && !isMissing && (
    <Button variant="default" leftSection={<RefreshIcon />} onClick={retry}>
      Try again
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState
        scene="trouble"
        title={isMissing ? 'Nothing here' : 'This could not be loaded'}
        actions={tryAgain}
      >
        {sentenceOf(error)}
      </EmptyState>
    </div>
  );
}
