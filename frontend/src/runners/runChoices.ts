import type { NewRunnerRequest } from '../api/types';

/** What a person may choose for one run, as the controls hold it; named as the API names it. Empty: as ever. */
export interface RunChoices {
  workers: number | '';
  slots_per_worker: number | '';
  priority: number | '';
  node: string | null;
  /** In minutes, as people count it. */
  wall_time_seconds: number | '';
  /** As the browser's own control writes it, in the person's time zone. */
  earliest_start: string;
  hold: boolean;
}

export const noChoices: RunChoices = {
  workers: '',
  slots_per_worker: '',
  priority: '',
  node: null,
  wall_time_seconds: '',
  earliest_start: '',
  hold: false,
};

/** Only what was chosen is sent; the rest is the crawler's own. */
export function runRequest(crawler: number, choices: RunChoices): NewRunnerRequest {
  const { workers, slots_per_worker, priority, node, wall_time_seconds, earliest_start, hold } = choices;
  return {
    crawler,
    ...(workers !== '' && { workers }),
    ...(slots_per_worker !== '' && { slots_per_worker }),
    ...(priority !== '' && { priority }),
    ...(node && { node: Number(node) }),
    ...(wall_time_seconds !== '' && { wall_time_seconds: Math.round(wall_time_seconds * 60) }),
    ...(earliest_start && { earliest_start: new Date(earliest_start).toISOString() }),
    ...(hold && { hold }),
  };
}
