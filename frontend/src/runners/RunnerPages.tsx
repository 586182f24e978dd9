import { Anchor, Box, Group, SegmentedControl, Select, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Page, PageState, Runner } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { ListSkeleton } from '../shared/ListSkeleton';
import { sayBytes } from '../shared/numbers';
import surfaces from '../shared/surfaces.module.css';
import tables from '../shared/table/DataTable.module.css';
import { KeysetPager } from '../shared/table/keyset';
import { Moment } from '../shared/time';
import { hasEnded, isUnderWay, pageStates } from './statuses';

const route = getRouteApi('/app/projects/$projectId/runners/$id');

const stateLabels: Record<PageState, string> = {
  done: 'Done',
  redirected: 'Redirected',
  failed: 'Failed',
  skipped: 'Left out',
  queued: 'Tried again later',
};

const choices = [
  { value: 'all', label: 'All' },
  ...pageStates.map((state) => ({ value: state, label: stateLabels[state] })),
];

/** What became of a page that is not simply done. */
function Fate({ page }: { page: Page }) {
  if (page.state === 'done' && !page.failure) return null;
  const color = page.state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed';
  const why = page.failure || (page.target ? `It leads to ${page.target}` : page.refusal);
  return (
    <Text size="xs" c={color}>
      {page.state !== 'done' && <b>{stateLabels[page.state]}. </b>}
      {why}
    </Text>
  );
}

function PageRow({ page }: { page: Page }) {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor href={page.url} target="_blank" rel="noreferrer" fz="sm">
          {page.url}
        </Anchor>
        <Fate page={page} />
      </Table.Td>
      <Table.Td>{page.http_status ?? '–'}</Table.Td>
      <Table.Td visibleFrom="sm">{page.document_count}</Table.Td>
      <Table.Td visibleFrom="sm">{page.depth}</Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        {sayBytes(page.size_bytes)}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Moment value={page.fetched_at} />
      </Table.Td>
    </Table.Tr>
  );
}

function sayWhyNone({ status, statistics }: Runner): string {
  if (!hasEnded(status))
    return 'Every address this run fetches is listed here, with what the website answered.';
  if (statistics.pages + statistics.failed > 0)
    return 'The pages of this run were deleted to free space. Its documents stay.';
  return 'This run has ended before it fetched a page.';
}

function PageTable({ pages }: { pages: Page[] }) {
  return (
    <Table.ScrollContainer minWidth={320} type="native">
      <Table aria-label="Pages" verticalSpacing="xs" horizontalSpacing="md" className={tables.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Address</Table.Th>
            <Table.Th>Answer</Table.Th>
            <Table.Th visibleFrom="sm">Documents</Table.Th>
            <Table.Th visibleFrom="sm">Depth</Table.Th>
            <Table.Th visibleFrom="sm">Size</Table.Th>
            <Table.Th visibleFrom="md">Fetched</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pages.map((page) => (
            <PageRow key={page.id} page={page} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Which pages to show: by what became of them, and by the website's answer. Kept in the address. */
function PageFilters({ codes }: { codes: string[] }) {
  const { state, answer } = route.useSearch();
  const navigate = useNavigate();
  const filterBy = (changed: { state?: string; answer?: number }) =>
    void navigate({ to: '.', search: { tab: 'pages', state, answer, ...changed } as never });
  return (
    <Group p="md" gap="sm">
      <SegmentedControl
        aria-label="What became of the page"
        size="xs"
        value={state ?? 'all'}
        data={choices}
        onChange={(chosen) => filterBy({ state: chosen === 'all' ? undefined : chosen })}
      />
      {(codes.length > 1 || answer !== undefined) && (
        <Select
          aria-label="Answer of the website"
          placeholder="Any answer"
          size="xs"
          w={140}
          clearable
          value={answer === undefined ? null : String(answer)}
          data={codes}
          onChange={(chosen) => filterBy({ answer: chosen ? Number(chosen) : undefined })}
        />
      )}
    </Group>
  );
}

/** The addresses a run has dealt with, newest first, and why some of them gave nothing. */
export function RunnerPages({ runner }: { runner: Runner }) {
  const { cursor, state, answer } = route.useSearch();
  const newsEveryMs = useNewsInterval();
  const query = { runner: runner.id, cursor, state: state && [state], http_status: answer };
  const pages = $api.useQuery(
    'get',
    '/api/v1/pages',
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: isUnderWay(runner.status) && newsEveryMs },
  );
  if (pages.error && !pages.data)
    return <ErrorPanel error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <ListSkeleton rows={6} />;
  const { results, next, previous } = pages.data;
  const isFiltered = state !== undefined || answer !== undefined;
  if (!results.length && !cursor && !isFiltered) {
    return (
      <EmptyState scene="crawler" title={hasEnded(runner.status) ? 'No pages' : 'No pages yet'}>
        {sayWhyNone(runner)}
      </EmptyState>
    );
  }
  return (
    <Box className={surfaces.card}>
      <PageFilters codes={Object.keys(runner.statistics.http_codes)} />
      {results.length > 0 ? (
        <PageTable pages={results} />
      ) : (
        <Text p="md" pt={0} size="sm" c="dimmed" role="status">
          No page like that. Links that were never fetched are counted in the statistics.
        </Text>
      )}
      <KeysetPager label="Pages of pages" next={next} previous={previous} />
    </Box>
  );
}
