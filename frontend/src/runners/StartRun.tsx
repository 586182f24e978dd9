import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifyError } from '../shared/notify';
import { PlayIcon } from '../shared/pictures/icons';
import { RunChoicesDialog } from './RunChoicesDialog';
import { useStartRun } from './useStartRun';

interface StartRunProps {
  crawler: number;
  project: number;
  label?: string;
  choicesLabel?: string;
}

/** Starts a run of a crawler and leads to it: at once as the crawler says, or on terms of its own. */
export function StartRun({
  crawler,
  project,
  label = 'Start a run',
  choicesLabel = 'Start with choices…',
}: StartRunProps) {
  const [opened, dialog] = useDisclosure(false);
  const start = useStartRun(project, notifyError);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {choicesLabel}
      </Button>
      <Button
        leftSection={<PlayIcon />}
        loading={start.isPending}
        onClick={() => start.startRun({ crawler })}
      >
        {label}
      </Button>
      <RunChoicesDialog crawler={crawler} project={project} opened={opened} onClose={dialog.close} />
    </>
  );
}
