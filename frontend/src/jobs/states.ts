import type { JobState } from '../api/types';

export const jobStates: JobState[] = ['queued', 'held', 'running', 'exiting', 'finished'];
export const openStates: JobState[] = ['queued', 'held', 'running', 'exiting'];

/** Which jobs a list shows: without a choice those that are open. */
export type JobChoice = JobState | 'all';
export const jobChoices: JobChoice[] = [...jobStates, 'all'];

export function statesOf(choice: JobChoice | undefined): JobState[] | undefined {
  if (choice === 'all') return undefined;
  return choice ? [choice] : openStates;
}
