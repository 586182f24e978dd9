import type { Trace, TraceStep } from '../../api/types';

type StepName = TraceStep['name'];

/** What a step is called when it was taken, when the way ended at it, and when it was not reached. */
const titles: Record<StepName, Record<TraceStep['state'], string>> = {
  discovered: { passed: 'Discovered', stopped: 'Not discovered', 'not reached': 'Discovery' },
  filtered: { passed: 'Let through the filters', stopped: 'Filtered out', 'not reached': 'Filters' },
  fetched: { passed: 'Fetched', stopped: 'Not fetched', 'not reached': 'Fetching' },
  extracted: { passed: 'Extracted', stopped: 'Nothing extracted', 'not reached': 'Extraction' },
  deduplicated: { passed: 'Not a duplicate', stopped: 'A duplicate', 'not reached': 'Duplicates' },
  indexed: { passed: 'Indexed', stopped: 'Not indexed', 'not reached': 'Index' },
  ranked: { passed: 'Ranked', stopped: 'Not in the results', 'not reached': 'Rank' },
};

/** What a step that was not reached would have told. */
const questions: Record<StepName, string> = {
  discovered: 'Does the crawler know the address?',
  filtered: 'Do the crawler’s rules let it pass?',
  fetched: 'Did the website answer?',
  extracted: 'Did the template find documents on it?',
  deduplicated: 'Does it repeat another document?',
  indexed: 'Is it in an index?',
  ranked: 'At which place is it for the query?',
};

export const sayState: Record<TraceStep['state'], string> = {
  passed: 'passed',
  stopped: 'it stopped here',
  'not reached': 'not reached',
};

export function titleOf({ name, state }: TraceStep): string {
  return titles[name][state];
}

export function sentenceOfStep({ name, sentence }: TraceStep): string {
  return sentence || questions[name];
}

/** The outcome in a few words, above the path that explains it. */
export function sayOutcome({ stopped_at, steps }: Trace): string {
  if (stopped_at) return titles[stopped_at].stopped;
  return steps.some(({ name }) => name === 'ranked') ? 'It is in the results' : 'It can be found';
}
