import { Button } from '@mantine/core';
import { notifyError } from '../shared/notify';
import { PlayIcon } from '../shared/pictures/icons';
import { useStartRun } from './useStartRun';

interface StartRunProps {
  crawler: number;
  project: number;
  label?: string;
}

/** Starts a run of a crawler as the crawler says, and leads to it. */
export function StartRun({ crawler, project, label = 'Start a run' }: StartRunProps) {
  const { isPending, startRun } = useStartRun(project, notifyError);
  return (
    <Button leftSection={<PlayIcon />} loading={isPending} onClick={() => startRun({ crawler })}>
      {label}
    </Button>
  );
}
