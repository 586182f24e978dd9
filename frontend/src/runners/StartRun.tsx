import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { $api } from '../api/client';
import { notifyDone, notifyError } from '../shared/notify';
import { PlayIcon } from '../shared/pictures/icons';

interface StartRunProps {
  crawler: number;
  project: number;
  label?: string;
  variant?: 'filled' | 'default';
}

/** Starts a run of a crawler and leads to it. */
export function StartRun({ crawler, project, label = 'Start a run', variant = 'filled' }: StartRunProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const start = $api.useMutation('post', '/api/v1/runners', { onError: notifyError });
  const startRun = () =>
    start.mutate(
      { body: { crawler } },
      {
        onSuccess: async (runner) => {
          notifyDone(`Run ${runner.number} of “${runner.crawler_name}” is on its way.`);
          await queries.invalidateQueries();
          await navigate({
            to: '/projects/$projectId/runners/$id',
            params: { projectId: String(project), id: String(runner.id) },
            search: {},
          });
        },
      },
    );
  return (
    <Button variant={variant} leftSection={<PlayIcon />} loading={start.isPending} onClick={startRun}>
      {label}
    </Button>
  );
}
