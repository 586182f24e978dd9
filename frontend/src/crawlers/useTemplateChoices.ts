import { $api } from '../api/client';
import { useProjectId } from '../shared/useProject';

/** The templates of the project as choices of a list; undefined until they are known. */
export function useTemplateChoices(): { value: string; label: string }[] | undefined {
  const query = { project: useProjectId(), page_size: 500, ordering: 'name' };
  const templates = $api.useQuery('get', '/api/v1/templates', { params: { query } }).data?.results;
  return templates?.map(({ id, name }) => ({ value: String(id), label: name }));
}
