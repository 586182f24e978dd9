import { Badge, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core';
import { $api } from '../api/client';
import type { Job, JobPlacement } from '../api/types';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { sayCount } from '../shared/numbers';
import { sayStatus, StatusBadge } from '../shared/StatusBadge';
import { sayDuration, sayExactly } from '../shared/time';

/** On which terms it runs; what was left as ever is not worth a line. */
function termsOf(job: Job): [string, string][] {
  const kind = job.needs_browser ? 'with a browser' : 'for plain requests';
  const slots = job.slots_per_worker > 1 ? `, ${job.slots_per_worker} slots each` : '';
  const terms: [string, string | false][] = [
    ['Priority', String(job.priority)],
    ['Workers', `${sayCount(job.requested_workers, 'worker')} ${kind}${slots}`],
    ['Only on', job.requested_node_name],
    ['Time allowed', job.wall_time_seconds !== null && sayDuration(job.wall_time_seconds)],
    ['Not before', job.earliest_start !== null && sayExactly(job.earliest_start)],
    ['Started by', job.owner],
  ];
  return terms.filter((term): term is [string, string] => Boolean(term[1]));
}

function Terms({ job }: { job: Job }) {
  return (
    <Table aria-label="Terms" verticalSpacing={6} layout="fixed">
      <Table.Tbody>
        {termsOf(job).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={140} fw={500} c="dimmed">
              {name}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Each change of state: when, from what to what, and why. */
function Transitions({ transitions }: { transitions: Job['transitions'] }) {
  return (
    <Stack component="ol" gap="md" m={0} p={0} aria-label="Changes of state" style={{ listStyle: 'none' }}>
      {transitions.map(({ state, reason, at }, number) => {
        const before = transitions[number - 1]?.state;
        return (
          <li key={number}>
            <Text component="time" dateTime={at} size="xs" c="dimmed">
              {sayExactly(at)}
            </Text>
            <Group gap={6}>
              {before && (
                <>
                  <Text span size="sm" c="dimmed">
                    {sayStatus(before)}
                  </Text>
                  <Text span size="sm" c="dimmed" aria-label="to">
                    →
                  </Text>
                </>
              )}
              <StatusBadge status={state} />
            </Group>
            {reason && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {reason}
              </Text>
            )}
          </li>
        );
      })}
    </Stack>
  );
}

const placeStates: Record<JobPlacement['state'], string> = {
  placed: 'starting',
  running: 'at work',
  exited: 'ended',
  lost: 'lost',
};

function Place({ placement }: { placement: JobPlacement }) {
  const { worker, node_name, state, placed_at, ended_at, note } = placement;
  return (
    <li>
      <Group gap={8}>
        <Text span size="sm" fw={600}>
          Worker {worker} on {node_name}
        </Text>
        <Badge size="sm" variant="light" tt="none" color={state === 'lost' ? 'red' : 'gray'}>
          {placeStates[state]}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed">
        {sayExactly(placed_at)} to {ended_at ? sayExactly(ended_at) : 'now'}
      </Text>
      {note && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </li>
  );
}

function History({ id }: { id: number }) {
  const newsEveryMs = useNewsInterval();
  const {
    data: job,
    error,
    refetch,
  } = $api.useQuery(
    'get',
    '/api/v1/jobs/{id}',
    { params: { path: { id } } },
    { refetchInterval: newsEveryMs },
  );
  if (error && !job) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (!job) return null;
  return (
    <Stack gap="xl">
      <Terms job={job} />
      <section>
        <Title order={3} mb="sm">
          What happened
        </Title>
        <Transitions transitions={job.transitions} />
      </section>
      <section>
        <Title order={3} mb="sm">
          Where its workers were
        </Title>
        {job.placements.length === 0 && (
          <Text size="sm" c="dimmed">
            No machine has taken it yet.
          </Text>
        )}
        <Stack component="ol" gap="sm" m={0} p={0} aria-label="Workers" style={{ listStyle: 'none' }}>
          {job.placements.map((placement) => (
            <Place key={placement.id} placement={placement} />
          ))}
        </Stack>
      </section>
    </Stack>
  );
}

/** A job from the day it was submitted: its terms, its states and why they changed, and where it worked. */
export function JobHistory({ job, onClose }: { job: Job | null; onClose: () => void }) {
  return (
    <Drawer
      opened={job !== null}
      onClose={onClose}
      position="right"
      size="md"
      title={job ? `${job.subject} · job ${job.id}` : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {job && <History id={job.id} />}
    </Drawer>
  );
}
