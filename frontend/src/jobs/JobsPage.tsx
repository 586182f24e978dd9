import { Anchor, Select, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ColumnDef } from '@tanstack/react-table';
import { useState } from 'react';
import { $api } from '../api/client';
import type { Job } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { useNewsInterval } from '../shared/events/live';
import { LinkButton } from '../shared/LinkButton';
import { PageHeader } from '../shared/PageHeader';
import { sayStatus, StatusBadge } from '../shared/StatusBadge';
import { actionsColumn } from '../shared/table/actionsColumn';
import { DataTable } from '../shared/table/DataTable';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';
import { Moment } from '../shared/time';
import { mayEdit } from '../shared/useProject';
import { JobHistory } from './JobHistory';
import { JobMenu } from './JobMenu';
import { JobSubject } from './JobSubject';
import { jobStates, statesOf } from './states';

const route = getRouteApi('/app/jobs');

function liveOf(job: Job) {
  return job.placements.filter(({ ended_at }) => ended_at === null);
}

function sayPlaces(job: Job): string {
  const names = [...new Set(liveOf(job).map(({ node_name }) => node_name))];
  if (names.length) return names.join(', ');
  return job.requested_node_name ? `wants ${job.requested_node_name}` : '–';
}

function sayWorkers(job: Job): string {
  const kind = job.needs_browser ? 'browser' : 'plain';
  if (job.state === 'finished') return `${job.requested_workers} ${kind}`;
  return `${liveOf(job).length} of ${job.requested_workers} ${kind}`;
}

/** The projects in which the person may decide about jobs. */
function useEditableProjects(): Set<number> {
  const params = { query: { page_size: 500 } };
  const projects = $api.useQuery('get', '/api/v1/projects', { params }).data?.results ?? [];
  return new Set(projects.filter(({ role }) => mayEdit(role)).map(({ id }) => id));
}

function columnsFor(editable: Set<number>, openHistory: (job: Job) => void): ColumnDef<Job>[] {
  return [
    { id: 'id', header: 'Job', cell: ({ row }) => <JobSubject job={row.original} /> },
    {
      id: 'state',
      header: 'State',
      cell: ({ row: { original } }) => (
        <>
          <StatusBadge status={original.state} />
          {original.reason && (
            <Text size="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }} lineClamp={6}>
              {original.reason}
            </Text>
          )}
          <Anchor
            component="button"
            type="button"
            fz="xs"
            display="block"
            aria-label={`History of ${original.subject}`}
            onClick={() => openHistory(original)}
          >
            History
          </Anchor>
        </>
      ),
    },
    {
      id: 'priority',
      header: 'Priority',
      enableSorting: true,
      meta: { hideBelow: 'sm' },
      cell: ({ row }) => row.original.priority,
    },
    {
      id: 'workers',
      header: 'Workers',
      meta: { hideBelow: 'sm' },
      cell: ({ row }) => sayWorkers(row.original),
    },
    { id: 'places', header: 'Where', meta: { hideBelow: 'sm' }, cell: ({ row }) => sayPlaces(row.original) },
    {
      id: 'created_at',
      header: 'Submitted',
      meta: { hideBelow: 'md' },
      cell: ({ row }) => <Moment value={row.original.created_at} />,
    },
    actionsColumn((job) =>
      job.state !== 'finished' && editable.has(job.project) ? <JobMenu job={job} /> : null,
    ),
  ];
}

const choices = [
  { value: 'open', label: 'Open jobs' },
  ...jobStates.map((value) => ({ value, label: sayStatus(value) })),
  { value: 'all', label: 'All jobs' },
];

function NoJobs({ isEverything }: { isEverything: boolean }) {
  return (
    <EmptyState
      scene="job"
      title={isEverything ? 'No job yet' : 'The queue is empty'}
      actions={
        !isEverything && (
          <LinkButton variant="default" link={{ to: '/jobs', search: { state: 'all' } }}>
            Show finished jobs
          </LinkButton>
        )
      }
    >
      Each run of a crawler and each build of an index is a job. The head node finds a machine for it, watches
      it, and starts it again when the machine is lost.
    </EmptyState>
  );
}

export function JobsPage() {
  const { state: choice } = route.useSearch();
  const navigate = useNavigate();
  const [state, changeState] = useTableSearch();
  const [opened, setOpened] = useState<Job | null>(null);
  const columns = columnsFor(useEditableProjects(), setOpened);
  const query = { state: statesOf(choice), ...listQuery(state) };
  const jobs = $api.useQuery(
    'get',
    '/api/v1/jobs',
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: useNewsInterval() },
  );
  const filterByState = (chosen: string | null) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({
        ...before,
        page: undefined,
        state: chosen === 'open' ? undefined : (chosen ?? undefined),
      })) as never,
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
        isFiltered={choice !== undefined && choice !== 'all'}
        searchable={false}
        filters={
          <Select
            aria-label="State"
            w={170}
            allowDeselect={false}
            value={choice ?? 'open'}
            data={choices}
            onChange={filterByState}
          />
        }
        empty={<NoJobs isEverything={choice === 'all'} />}
      />
      <JobHistory job={opened} onClose={() => setOpened(null)} />
    </>
  );
}
