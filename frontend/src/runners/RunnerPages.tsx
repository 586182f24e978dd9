import { Anchor, Box, Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { $api } from '../api/client';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { ListSkeleton } from '../shared/ListSkeleton';
import { sayBytes } from '../shared/numbers';
import surfaces from '../shared/surfaces.module.css';
import tables from '../shared/table/DataTable.module.css';
import { KeysetPager } from '../shared/table/keyset';
import { Moment } from '../shared/time';

const route = getRouteApi('/app/projects/$projectId/runners/$id');

/** The addresses a run has fetched, newest first. */
export function RunnerPages({ runnerId }: { runnerId: number }) {
  const { cursor } = route.useSearch();
  const pages = $api.useQuery('get', '/api/v1/pages', { params: { query: { runner: runnerId, cursor } } });
  if (pages.error && !pages.data)
    return <ErrorPanel error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <ListSkeleton rows={6} />;
  if (!pages.data.results.length && !cursor) {
    return (
      <EmptyState scene="crawler" title="No pages yet">
        Every address this run fetches is listed here, with what the website answered.
      </EmptyState>
    );
  }
  return (
    <Box className={surfaces.card}>
      <Table.ScrollContainer minWidth={320} type="native">
        <Table aria-label="Pages" verticalSpacing="xs" horizontalSpacing="md" className={tables.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Address</Table.Th>
              <Table.Th>Answer</Table.Th>
              <Table.Th visibleFrom="sm">Depth</Table.Th>
              <Table.Th visibleFrom="sm">Size</Table.Th>
              <Table.Th visibleFrom="md">Fetched</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pages.data.results.map((page) => (
              <Table.Tr key={page.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Anchor href={page.url} target="_blank" rel="noreferrer" fz="sm">
                    {page.url}
                  </Anchor>
                  {page.failure && (
                    <Text size="xs" c="var(--mantine-color-error)">
                      {page.failure}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{page.http_status ?? '–'}</Table.Td>
                <Table.Td visibleFrom="sm">{page.depth}</Table.Td>
                <Table.Td visibleFrom="sm">{sayBytes(page.size_bytes)}</Table.Td>
                <Table.Td visibleFrom="md">
                  <Moment value={page.fetched_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <KeysetPager label="Pages of pages" next={pages.data.next} previous={pages.data.previous} />
    </Box>
  );
}
