import { $api } from '../api/client';
import { useProjectId } from '../shared/useProject';

interface SourceGroup {
  group: string;
  items: { value: string; label: string }[];
}

/** Every inspector of the project as a source `template.inspector`, grouped by its template. */
export function useSources(): SourceGroup[] {
  const query = { project: useProjectId(), page_size: 500, ordering: 'name' };
  const templates = $api.useQuery('get', '/api/v1/templates', { params: { query } }).data?.results ?? [];
  return templates.map((template) => ({
    group: template.name,
    items: template.inspectors.map(({ name }) => ({
      value: `${template.name}.${name}`,
      label: `${template.name}.${name}`,
    })),
  }));
}
