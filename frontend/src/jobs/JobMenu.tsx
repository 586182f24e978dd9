import { ActionIcon, Menu } from '@mantine/core';
import { $api } from '../api/client';
import type { Job } from '../api/types';
import { confirmStep } from '../shared/confirm';
import { notifyDone, notifyError } from '../shared/notify';
import { DotsIcon } from '../shared/pictures/icons';

function useJobActions({ id, subject, state }: Job) {
  const request = { params: { path: { id } } };
  const told = (sentence: string) => ({ onError: notifyError, onSuccess: () => notifyDone(sentence) });
  const hold = $api.useMutation('post', '/api/v1/jobs/{id}/hold', told(`“${subject}” is held.`));
  const release = $api.useMutation('post', '/api/v1/jobs/{id}/release', told(`“${subject}” goes on.`));
  const cancel = $api.useMutation('post', '/api/v1/jobs/{id}/cancel', told(`“${subject}” is cancelled.`));
  const consequence =
    state === 'running'
      ? 'Its workers finish the pages in their hands and pause. Nothing is lost; release it to go on.'
      : 'Others pass it in the queue until it is released.';
  return {
    holdJob: () =>
      confirmStep({
        title: `Hold “${subject}”?`,
        consequence,
        confirm: 'Hold it',
        cancel: 'Let it be',
        onConfirm: () => hold.mutate(request),
      }),
    releaseJob: () => release.mutate(request),
    cancelJob: () =>
      confirmStep({
        title: `Cancel “${subject}”?`,
        consequence: 'It ends for good. What it has collected stays.',
        confirm: 'Cancel the job',
        cancel: 'Let it be',
        onConfirm: () => cancel.mutate(request),
      }),
  };
}

/** What can be done with a job in its present state. */
export function JobMenu({ job }: { job: Job }) {
  const { holdJob, releaseJob, cancelJob } = useJobActions(job);
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${job.subject}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(job.state === 'queued' || job.state === 'running') && <Menu.Item onClick={holdJob}>Hold</Menu.Item>}
        {job.state === 'held' && <Menu.Item onClick={releaseJob}>Release</Menu.Item>}
        <Menu.Item color="var(--mantine-color-error)" onClick={cancelJob}>
          Cancel
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
