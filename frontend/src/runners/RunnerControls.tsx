import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Runner } from '../api/types';
import { confirmDeletion } from '../shared/confirm';
import { notifyDone, notifyError } from '../shared/notify';
import { sayCount } from '../shared/numbers';
import { DotsIcon } from '../shared/pictures/icons';
import { useMayEdit } from '../shared/useProject';
import { RunChoicesDialog } from './RunChoicesDialog';
import { StartRun } from './StartRun';
import { hasEnded, isUnderWay } from './statuses';

const exportFormats = { csv: 'CSV', xlsx: 'Excel', json: 'JSON', jsonl: 'JSON lines', parquet: 'Parquet' };

/** What was collected, as a file: plain links, so that the browser saves the stream as it comes. */
function ExportMenu({ runner }: { runner: Runner }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" disabled={runner.statistics.documents === 0}>
          Export documents
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(exportFormats).map(([format, label]) => (
          <Menu.Item
            key={format}
            component="a"
            href={`/api/v1/runners/${runner.id}/export?format=${format}`}
            download
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What goes with a run, as far as it is known. */
function sayFreed({ pages, documents }: Runner['statistics']): string {
  return `Its ${sayCount(pages, 'page')}, its queue and its log go, and those of its ${sayCount(documents, 'document')} that no other run has found. The space is freed in the background. This cannot be undone.`;
}

function useDeletion(runner: Runner) {
  const navigate = useNavigate();
  const what = `run ${runner.number} of “${runner.crawler_name}”`;
  const remove = $api.useMutation('delete', '/api/v1/runners/{id}', {
    onError: notifyError,
    onSuccess: () => {
      notifyDone(`Run ${runner.number} of “${runner.crawler_name}” is deleted.`);
      const params = { projectId: String(runner.project) };
      void navigate({ to: '/projects/$projectId/runners', params, replace: true });
    },
  });
  return () =>
    confirmDeletion({
      what,
      consequence: sayFreed(runner.statistics),
      onConfirm: () => remove.mutate({ params: { path: { id: runner.id } } }),
    });
}

/** What is done rarely with a run that is over. */
function MoreMenu({ runner }: { runner: Runner }) {
  const [opened, dialog] = useDisclosure(false);
  const deleteRunner = useDeletion(runner);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <DotsIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={dialog.open}>Run again with choices…</Menu.Item>
          <Menu.Item color="var(--mantine-color-error)" onClick={deleteRunner}>
            Delete this run…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RunChoicesDialog
        crawler={runner.crawler}
        project={runner.project}
        opened={opened}
        onClose={dialog.close}
      />
    </>
  );
}

function useRunnerActions(runner: Runner) {
  const queries = useQueryClient();
  const options = { onError: notifyError, onSettled: () => void queries.invalidateQueries() };
  const request = { params: { path: { id: runner.id } } };
  const pause = $api.useMutation('post', '/api/v1/runners/{id}/pause', options);
  const resume = $api.useMutation('post', '/api/v1/runners/{id}/resume', options);
  const stop = $api.useMutation('post', '/api/v1/runners/{id}/stop', options);
  const retry = $api.useMutation('post', '/api/v1/runners/{id}/retry', options);
  return {
    isPending: pause.isPending || resume.isPending || stop.isPending || retry.isPending,
    pauseRunner: () => pause.mutate(request),
    resumeRunner: () => resume.mutate(request),
    stopRunner: () => stop.mutate(request),
    retryFailedPages: () =>
      retry.mutate(request, {
        onSuccess: ({ pages }) => notifyDone(`Trying ${sayCount(pages, 'failed page')} again.`),
      }),
  };
}

/** Failed pages that may be tried again, or that wait since a retry was stopped: each retry is a job of its own. */
function useMayRetry({ id, status, statistics }: Runner): boolean {
  const mayWait = hasEnded(status) && statistics.failed === 0 && statistics.queued > 0;
  const query = { runner: id, ordering: '-id', page_size: 1 };
  const jobs = $api.useQuery('get', '/api/v1/jobs', { params: { query } }, { enabled: mayWait });
  return mayWait ? (jobs.data?.count ?? 0) > 1 : hasEnded(status) && statistics.failed > 0;
}

/** What a person may do with a run now: only what its state allows. */
export function RunnerControls({ runner }: { runner: Runner }) {
  const mayEdit = useMayEdit();
  const actions = useRunnerActions(runner);
  const mayRetry = useMayRetry(runner);
  const mayStop = isUnderWay(runner.status) || runner.status === 'paused';
  return (
    <>
      {mayEdit && isUnderWay(runner.status) && (
        <Button variant="default" disabled={actions.isPending} onClick={actions.pauseRunner}>
          Pause
        </Button>
      )}
      {mayEdit && runner.status === 'paused' && (
        <Button disabled={actions.isPending} onClick={actions.resumeRunner}>
          Resume
        </Button>
      )}
      {mayEdit && mayStop && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          disabled={actions.isPending}
          onClick={actions.stopRunner}
        >
          Stop
        </Button>
      )}
      {mayEdit && mayRetry && (
        <Button variant="default" disabled={actions.isPending} onClick={actions.retryFailedPages}>
          Try failed pages again
        </Button>
      )}
      <ExportMenu runner={runner} />
      {mayEdit && hasEnded(runner.status) && (
        <StartRun crawler={runner.crawler} project={runner.project} label="Run again" />
      )}
      {mayEdit && hasEnded(runner.status) && <MoreMenu runner={runner} />}
    </>
  );
}
