import { Anchor, Select, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ColumnDef } from '@tanstack/react-table';
import { $api } from '../api/client';
import type { Runner, RunnerStatus } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { LinkButton } from '../shared/LinkButton';
import { useNounLinks } from '../shared/nouns/useNounActions';
import { sayNumber } from '../shared/numbers';
import { PageHeader } from '../shared/PageHeader';
import { sayStatus, StatusBadge } from '../shared/StatusBadge';
import { DataTable } from '../shared/table/DataTable';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';
import { Moment } from '../shared/time';
import { useMayEdit, useProject, useProjectId } from '../shared/useProject';
import { runnerStatuses } from './statuses';

const route = getRouteApi('/app/projects/$projectId/runners');

function figure(runner: Runner, name: keyof Runner['statistics']): string {
  const value = runner.statistics[name];
  return typeof value === 'number' ? sayNumber(value) : '–';
}

const columns: ColumnDef<Runner>[] = [
  {
    id: 'id',
    header: 'Run',
    enableSorting: true,
    cell: ({ row: { original } }) => (
      <Anchor
        fw={600}
        fz="sm"
        renderRoot={(props) => (
          <Link
            to="/projects/$projectId/runners/$id"
            params={{ projectId: String(original.project), id: String(original.id) }}
            {...props}
          />
        )}
      >
        {original.crawler_name} #{original.number}
      </Anchor>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    enableSorting: true,
    cell: ({ row: { original } }) => (
      <>
        <StatusBadge status={original.status} />
        {original.reason && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            {original.reason}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'pages',
    header: 'Pages',
    meta: { hideBelow: 'sm' },
    cell: ({ row }) => figure(row.original, 'pages'),
  },
  {
    id: 'documents',
    header: 'Documents',
    meta: { hideBelow: 'sm' },
    cell: ({ row }) => figure(row.original, 'documents'),
  },
  {
    id: 'started_at',
    header: 'Started',
    enableSorting: true,
    meta: { hideBelow: 'md' },
    cell: ({ row }) => <Moment value={row.original.started_at} fallback="not yet" />,
  },
];

function NoRunners() {
  const hasCrawlers = (useProject().data?.counts.crawlers ?? 0) > 0;
  const mayMake = useMayEdit() && !hasCrawlers;
  const crawlers = useNounLinks('crawlers');
  return (
    <EmptyState
      scene="runner"
      title="Nothing has run yet"
      actions={mayMake && <LinkButton link={crawlers.create}>Make a crawler</LinkButton>}
    >
      Each run of a crawler appears here as a runner, with what it is doing, what it found, and everything
      worth knowing about how it went.
    </EmptyState>
  );
}

export function RunnerListPage() {
  const project = useProjectId();
  const { status, crawler } = route.useSearch();
  const navigate = useNavigate();
  const [state, changeState] = useTableSearch();
  const query = { project, crawler, status: status ? [status] : undefined, ...listQuery(state) };
  const runners = $api.useQuery(
    'get',
    '/api/v1/runners',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const filterByStatus = (chosen: string | null) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({
        ...before,
        page: undefined,
        status: (chosen as RunnerStatus) ?? undefined,
      })) as never,
    });
  return (
    <>
      <PageHeader title="Runners" description="Every run of every crawler of this project." />
      <DataTable
        label="runners"
        columns={columns}
        answer={runners}
        state={state}
        onStateChange={changeState}
        isFiltered={Boolean(status ?? crawler)}
        filters={
          <Select
            aria-label="Status"
            placeholder="Any status"
            w={170}
            clearable
            value={status ?? null}
            data={runnerStatuses.map((value) => ({ value, label: sayStatus(value) }))}
            onChange={filterByStatus}
          />
        }
        empty={<NoRunners />}
      />
    </>
  );
}
