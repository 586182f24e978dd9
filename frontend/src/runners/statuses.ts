import type { LogLevel, PageState, RunnerStatus } from '../api/types';

export const runnerStatuses: RunnerStatus[] = [
  'new',
  'queued',
  'running',
  'paused',
  'completed',
  'exit',
  'lost',
];
export const logLevels: LogLevel[] = ['debug', 'info', 'warning', 'error'];
/** What became of a page, as far as people look for it. */
export const pageStates: PageState[] = ['done', 'failed', 'skipped'];

/** Runs that still change; their pages ask for news by themselves. A lost one waits for its next worker. */
export function isUnderWay(status: RunnerStatus): boolean {
  return status === 'queued' || status === 'running' || status === 'lost';
}

export function hasEnded(status: RunnerStatus): boolean {
  return status === 'completed' || status === 'exit';
}

/** Read a choice out of the address; anything else counts as absent. */
export function readChoice<Choice extends string>(raw: unknown, choices: Choice[]): Choice | undefined {
  return choices.find((choice) => choice === raw);
}
