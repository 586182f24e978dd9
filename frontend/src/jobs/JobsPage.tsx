import { Select, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ColumnDef } from '@tanstack/react-table';
import { $api } from '../api/client';
import type { Job } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { sayCount } from '../shared/numbers';
import { PageHeader } from '../shared/PageHeader';
import { sayStatus, StatusBadge } from '../shared/StatusBadge';
import { DataTable } from '../shared/table/DataTable';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';
import { Moment } from '../shared/time';
import { jobStates } from './states';
import { JobSubject } from './JobSubject';

const route = getRouteApi('/app/jobs');

function sayPlaces(job: Job): string {
  const names = [...new Set(job.placements.map(({ node_name }) => node_name))];
  return names.length ? names.join(', ') : '–';
}

const columns: ColumnDef<Job>[] = [
  { id: 'id', header: 'Job', cell: ({ row }) => <JobSubject job={row.original} /> },
  {
    id: 'state',
    header: 'State',
    cell: ({ row: { original } }) => (
      <>
        <StatusBadge status={original.state} />
        {original.reason && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {original.reason}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'workers',
    header: 'Asked for',
    meta: { hideBelow: 'sm' },
    cell: ({ row }) => sayCount(row.original.requested_workers, 'worker'),
  },
  { id: 'places', header: 'Where', meta: { hideBelow: 'md' }, cell: ({ row }) => sayPlaces(row.original) },
  {
    id: 'created_at',
    header: 'Submitted',
    meta: { hideBelow: 'sm' },
    cell: ({ row }) => <Moment value={row.original.created_at} />,
  },
];

export function JobsPage() {
  const { state: jobState } = route.useSearch();
  const navigate = useNavigate();
  const [state, changeState] = useTableSearch();
  const query = { state: jobState ? [jobState] : undefined, ...listQuery(state) };
  const jobs = $api.useQuery(
    'get',
    '/api/v1/jobs',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const filterByState = (chosen: string | null) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, page: undefined, state: chosen ?? undefined })) as never,
    });
  return (
    <>
      <PageHeader title="Jobs" description="What the head node has to do, is doing, and has done." />
      <DataTable
        label="jobs"
        columns={columns}
        answer={jobs}
        state={state}
        onStateChange={changeState}
        isFiltered={Boolean(jobState)}
        searchable={false}
        filters={
          <Select
            aria-label="State"
            placeholder="Any state"
            w={170}
            clearable
            value={jobState ?? null}
            data={jobStates.map((value) => ({ value, label: sayStatus(value) }))}
            onChange={filterByState}
          />
        }
        empty={
          <EmptyState scene="job" title="The queue is empty">
            Each run of a crawler and each build of an index is a job. The head node finds a machine for it,
            watches it, and starts it again when the machine is lost.
          </EmptyState>
        }
      />
    </>
  );
}
