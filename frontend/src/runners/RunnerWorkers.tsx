import { Alert, Anchor, Box, Table, Text, Title } from '@mantine/core';
import { $api } from '../api/client';
import type { Job, JobPlacement, Runner } from '../api/types';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { sayBytes, sayCount, sayNumber } from '../shared/numbers';
import surfaces from '../shared/surfaces.module.css';
import tables from '../shared/table/DataTable.module.css';
import { Moment } from '../shared/time';
import { hasEnded } from './statuses';

const mostUrls = 3;

/** The newest job of a run; undefined until it is known, null when there is none. */
function useJob(runner: Runner) {
  const newsEveryMs = useNewsInterval();
  const query = { runner: runner.id, ordering: '-id', page_size: 1 };
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/v1/jobs',
    { params: { query } },
    { refetchInterval: !hasEnded(runner.status) && newsEveryMs },
  );
  return { job: data && (data.results[0] ?? null), error, refetch };
}

const stages: Record<string, string> = {
  crawling: 'crawling',
  waiting: 'waiting for a page that may be fetched',
  stopping: 'finishing what it has',
};

function sayStage({ state, live }: JobPlacement): string {
  if (state === 'placed') return 'starting';
  return live.stage === undefined ? 'starting' : (stages[live.stage] ?? live.stage);
}

function Urls({ urls }: { urls: string[] }) {
  if (!urls.length) return null;
  return (
    <>
      {urls.slice(0, mostUrls).map((url) => (
        <Anchor key={url} href={url} target="_blank" rel="noreferrer" fz="xs" display="block" lineClamp={1}>
          {url}
        </Anchor>
      ))}
      {urls.length > mostUrls && (
        <Text fz="xs" c="dimmed">
          and {urls.length - mostUrls} more
        </Text>
      )}
    </>
  );
}

function WorkerRow({ placement }: { placement: JobPlacement }) {
  // A worker that has not spoken yet has told nothing of itself.
  const live: Partial<JobPlacement['live']> = placement.live;
  return (
    <Table.Tr>
      <Table.Td>
        <Text fz="sm" fw={600}>
          {placement.worker} on {placement.node_name}
        </Text>
        <Text fz="xs" c="dimmed">
          {sayStage(placement)} · {placement.heartbeat_at ? 'heard of ' : ''}
          <Moment value={placement.heartbeat_at} fallback="not heard of yet" />
        </Text>
        {live.pages !== undefined && (
          <Text fz="xs" c="dimmed" hiddenFrom="sm">
            {sayCount(live.pages, 'page')} · lane {live.lane} · {sayBytes(live.memory_bytes ?? 0)}
          </Text>
        )}
        <Urls urls={live.urls ?? []} />
      </Table.Td>
      <Table.Td ta="right">
        {live.pages_per_minute === undefined ? '–' : Math.round(live.pages_per_minute)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {live.pages === undefined ? '–' : sayNumber(live.pages)}
      </Table.Td>
      <Table.Td visibleFrom="sm">{live.lane ?? '–'}</Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {live.memory_bytes === undefined ? '–' : sayBytes(live.memory_bytes)}
      </Table.Td>
    </Table.Tr>
  );
}

function WorkerTable({ placements }: { placements: JobPlacement[] }) {
  return (
    <Table.ScrollContainer minWidth={300} type="native">
      <Table aria-label="Workers" verticalSpacing="xs" horizontalSpacing="md" className={tables.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Worker</Table.Th>
            <Table.Th ta="right">Pages/min</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              Pages
            </Table.Th>
            <Table.Th visibleFrom="sm">Lane</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              Memory
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {placements.map((placement) => (
            <WorkerRow key={placement.id} placement={placement} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Workers that are no longer there, with why, the latest first. */
function EndedWorkers({ placements }: { placements: JobPlacement[] }) {
  const told = placements
    .filter(({ note }) => note)
    .slice(-5)
    .reverse();
  if (!told.length) return null;
  return (
    <Box p="md">
      <Text fz="sm" c="dimmed" mb={4}>
        {sayCount(placements.length, 'worker')} ended before:
      </Text>
      {told.map(({ id, worker, node_name, note }) => (
        <Text key={id} fz="sm">
          {worker} on {node_name}: {note}
        </Text>
      ))}
    </Box>
  );
}

function sayAsked(job: Job, there: number): string {
  const kind = job.needs_browser ? 'a browser' : 'plain requests';
  return `${there} of ${sayCount(job.requested_workers, 'worker')} at work, for ${kind}.`;
}

/** Who works on an open run and on what, or why nobody does. Nothing once it has ended. */
export function RunnerWorkers({ runner }: { runner: Runner }) {
  const { job, error, refetch } = useJob(runner);
  if (hasEnded(runner.status)) return null;
  if (error && !job) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (!job) return null;
  const there = job.placements.filter(({ ended_at }) => ended_at === null);
  const isWaiting = job.reason !== '' && job.reason !== runner.reason;
  return (
    <>
      {isWaiting && (
        <Alert color="gray" mb="md" role="status">
          {job.reason}
        </Alert>
      )}
      <Box component="section" className={surfaces.card} mb="md" aria-label="Workers">
        <Box p="md">
          <Title order={2}>Workers</Title>
          <Text size="sm" c="dimmed">
            {sayAsked(job, there.filter(({ state }) => state === 'running').length)}
          </Text>
        </Box>
        {there.length > 0 && <WorkerTable placements={there} />}
        <EndedWorkers placements={job.placements.filter(({ ended_at }) => ended_at !== null)} />
      </Box>
    </>
  );
}
