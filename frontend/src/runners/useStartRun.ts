import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { NewRunnerRequest } from '../api/types';
import { notifyDone } from '../shared/notify';

/** Starts a run and leads to it; what the server refuses goes to `onError`. */
export function useStartRun(project: number, onError: (error: unknown) => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const start = $api.useMutation('post', '/api/v1/runners', {
    onError,
    onSuccess: async (runner) => {
      notifyDone(`Run ${runner.number} of “${runner.crawler_name}” is on its way.`);
      await queries.invalidateQueries();
      await navigate({
        to: '/projects/$projectId/runners/$id',
        params: { projectId: String(project), id: String(runner.id) },
        search: {},
      });
    },
  });
  return { isPending: start.isPending, startRun: (body: NewRunnerRequest) => start.mutate({ body }) };
}
