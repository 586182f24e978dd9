import { expect, test } from 'vitest';
import { concerns, type News } from './concerns';

function key(path: string, params: object = {}): unknown[] {
  return ['get', path, { params }];
}

const runner5 = key('/api/v1/runners/{id}', { path: { id: 5 } });
const runner6 = key('/api/v1/runners/{id}', { path: { id: 6 } });
const runners = key('/api/v1/runners', { query: { project: 7 } });
const jobs = key('/api/v1/jobs', { query: { state: ['queued'] } });
const jobsOf5 = key('/api/v1/jobs', { query: { runner: 5 } });
const job70 = key('/api/v1/jobs/{id}', { path: { id: 70 } });
const jobsOf6 = key('/api/v1/jobs', { query: { runner: 6 } });
const log5 = key('/api/v1/runners/{parent_pk}/log', { path: { parent_pk: 5 } });
const log6 = key('/api/v1/runners/{parent_pk}/log', { path: { parent_pk: 6 } });
const minutes5 = key('/api/v1/runners/{parent_pk}/minutes', { path: { parent_pk: 5 } });
const nodes = key('/api/v1/nodes');
const state9 = key('/api/v1/indexers/{id}/state', { path: { id: 9 } });
const indexLog9 = key('/api/v1/indexers/{parent_pk}/log', { path: { parent_pk: 9 } });
const documents = key('/api/v1/documents', { query: { project: 7 } });
const documents5 = key('/api/v1/documents', { query: { runner: 5 } });
const documents6 = key('/api/v1/documents', { query: { runner: 6 } });
const pages5 = key('/api/v1/pages', { query: { runner: 5, state: ['failed'] } });
const templates = key('/api/v1/templates');
const all = {
  runner5,
  runner6,
  runners,
  jobs,
  job70,
  jobsOf5,
  jobsOf6,
  log5,
  log6,
  minutes5,
  nodes,
  state9,
  indexLog9,
  documents,
  documents5,
  documents6,
  pages5,
  templates,
};

function concerned(news: News): string[] {
  return Object.entries(all)
    .filter(([, queryKey]) => concerns(news, queryKey))
    .map(([name]) => name);
}

const ofRunner5 = [
  'runner5',
  'runners',
  'jobs',
  'job70',
  'jobsOf5',
  'minutes5',
  'documents',
  'documents5',
  'pages5',
];

test.each<[News, string[]]>([
  [{ kind: 'runner', runner: 5 }, ofRunner5],
  [{ kind: 'job', runner: 5 }, ofRunner5],
  [{ kind: 'job', runner: null, indexer: 9 }, ['jobs', 'job70', 'jobsOf5', 'jobsOf6', 'state9']],
  [{ kind: 'indexer', indexer: 9 }, ['state9']],
  [{ kind: 'indexer', indexer: 8 }, []],
  [{ kind: 'log', indexer: 9 }, ['indexLog9']],
  [{ kind: 'log', runner: 5 }, ['log5']],
  [{ kind: 'node' }, ['jobs', 'job70', 'jobsOf5', 'jobsOf6', 'nodes']],
])('%o concerns %o', (news, names) => {
  expect(concerned(news)).toEqual(names);
});

test('after too much was missed everything that lives is asked for again, and nothing else', () => {
  expect(concerned({ kind: 'reset' })).toEqual(Object.keys(all).filter((name) => name !== 'templates'));
});

test('a question that is none of the API is left alone', () => {
  expect(concerns({ kind: 'reset' }, [{ other: 1 }])).toBe(false);
});
