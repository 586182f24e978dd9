import type { JobState } from '../api/types';

export const jobStates: JobState[] = ['queued', 'held', 'running', 'exiting', 'finished'];
