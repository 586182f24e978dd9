/** What an event of the server is about. Only these parts are read. */
export interface News {
  kind: 'job' | 'runner' | 'indexer' | 'node' | 'log' | 'reset';
  runner?: number | null;
  indexer?: number | null;
}

export const kinds: News['kind'][] = ['job', 'runner', 'indexer', 'node', 'log', 'reset'];

interface Asked {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
}

function isAbout(asked: Asked | undefined, names: string[], wanted: number | null | undefined): boolean {
  const { path = {}, query = {} } = asked?.params ?? {};
  const named = names.map((name) => path[name] ?? query[name]).find((value) => value !== undefined);
  return named === undefined || named === wanted;
}

const collected = ['/api/v1/documents', '/api/v1/pages'];
const live = ['/api/v1/jobs', '/api/v1/nodes', '/api/v1/runners', '/api/v1/indexers', ...collected];

/** Whether the answer to a question may be another one after this news. */
export function concerns(news: News, queryKey: readonly unknown[]): boolean {
  const [, path, asked] = queryKey as [string, unknown, Asked | undefined];
  if (typeof path !== 'string') return false;
  switch (news.kind) {
    case 'reset':
      return live.some((each) => path.startsWith(each));
    case 'node':
      return path.startsWith('/api/v1/nodes') || isOfJobs(path);
    case 'log':
      return news.indexer
        ? path === '/api/v1/indexers/{parent_pk}/log' && isAbout(asked, ['parent_pk'], news.indexer)
        : path === '/api/v1/runners/{parent_pk}/log' && isAbout(asked, ['parent_pk'], news.runner);
    case 'indexer':
      return isOfIndexer(path, asked, news.indexer);
    case 'runner':
      return isOfRunner(path, asked, news.runner);
    case 'job':
      return news.indexer
        ? isOfJobs(path) || isOfIndexer(path, asked, news.indexer)
        : isOfRunner(path, asked, news.runner);
  }
}

/** The list of jobs, or one of them: which run it is of is not known before it is asked. */
function isOfJobs(path: string): boolean {
  return path === '/api/v1/jobs' || path === '/api/v1/jobs/{id}';
}

function isOfIndexer(path: string, asked: Asked | undefined, indexer: number | null | undefined): boolean {
  if (path === '/api/v1/indexers') return true;
  return path === '/api/v1/indexers/{id}/state' && isAbout(asked, ['id'], indexer);
}

function isOfRunner(path: string, asked: Asked | undefined, runner: number | null | undefined): boolean {
  if (isOfJobs(path) || collected.includes(path)) return isAbout(asked, ['runner'], runner);
  if (path === '/api/v1/runners') return true;
  const isFollowed = path === '/api/v1/runners/{id}' || path === '/api/v1/runners/{parent_pk}/minutes';
  return isFollowed && isAbout(asked, ['id', 'parent_pk'], runner);
}
