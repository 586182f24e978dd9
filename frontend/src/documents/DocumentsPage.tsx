import { Group, Select } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { $api } from '../api/client';
import { PageHeader } from '../shared/PageHeader';
import { useProjectId } from '../shared/useProject';
import { DocumentTable } from './DocumentTable';

const route = getRouteApi('/app/projects/$projectId/documents');

export function DocumentsPage() {
  const project = useProjectId();
  const { crawler, cursor } = route.useSearch();
  const navigate = useNavigate();
  const query = { project, page_size: 500, ordering: 'name' };
  const crawlers = $api.useQuery('get', '/api/v1/crawlers', { params: { query } }).data?.results ?? [];
  const filterByCrawler = (chosen: string | null) =>
    void navigate({ to: '.', search: { crawler: chosen ? Number(chosen) : undefined } as never });
  return (
    <>
      <PageHeader title="Documents" description="Everything that was collected in this project." />
      {crawlers.length > 0 && (
        <Group mb="md">
          <Select
            aria-label="Crawler"
            placeholder="Every crawler"
            clearable
            searchable
            w={260}
            value={crawler ? String(crawler) : null}
            data={crawlers.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={filterByCrawler}
          />
        </Group>
      )}
      <DocumentTable query={{ project, crawler, cursor }} />
    </>
  );
}
