import type { LinkProps } from '@tanstack/react-router';
import { $api } from '../../api/client';
import type { Crawler, SearchResult } from '../../api/types';
import { useProjectId } from '../../shared/useProject';

function traceLink({ id, project }: Crawler, search: { url?: string; q?: string }): LinkProps {
  return {
    to: '/projects/$projectId/crawlers/$id/trace',
    params: { projectId: String(project), id: String(id) },
    search,
  };
}

/** Ways from a search to the pages that tell why something is in its results, or is not. */
export function useTraceLinks(q: string | undefined) {
  const query = { project: useProjectId(), page_size: 500, ordering: 'name' };
  const crawlers = $api.useQuery('get', '/api/v1/crawlers', { params: { query } }).data?.results ?? [];
  const [first] = crawlers;
  return {
    /** The way of a result; a result names its crawler. */
    whyHere: ({ crawler, url }: SearchResult): LinkProps | undefined => {
      const found = crawlers.find(({ name }) => name === crawler);
      return found && traceLink(found, { url, q });
    },
    /** For a page that is missed; the crawler can be chosen there. */
    whyNot: first && traceLink(first, { q }),
  };
}
