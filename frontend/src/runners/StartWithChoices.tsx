import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { RunChoicesDialog } from './RunChoicesDialog';

/** Starts a run of a crawler on terms of its own. */
export function StartWithChoices({ crawler, project }: { crawler: number; project: number }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Start with choices…
      </Button>
      <RunChoicesDialog crawler={crawler} project={project} opened={opened} onClose={dialog.close} />
    </>
  );
}
