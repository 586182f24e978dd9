import { Badge } from '@mantine/core';

/** Every status and state the API knows, in words for people, and how it feels. */
const looks: Record<string, { label: string; color: string }> = {
  new: { label: 'New', color: 'gray' },
  queued: { label: 'Queued', color: 'wheat' },
  held: { label: 'Held', color: 'wheat' },
  running: { label: 'Running', color: 'fern' },
  dictionary: { label: 'Reading dictionary', color: 'fern' },
  indexing: { label: 'Indexing', color: 'fern' },
  paused: { label: 'Paused', color: 'wheat' },
  exiting: { label: 'Stopping', color: 'wheat' },
  completed: { label: 'Completed', color: 'fern' },
  finished: { label: 'Finished', color: 'fern' },
  exit: { label: 'Stopped', color: 'gray' },
  lost: { label: 'Lost', color: 'red' },
  online: { label: 'Online', color: 'fern' },
  busy: { label: 'Busy', color: 'wheat' },
  draining: { label: 'Draining', color: 'wheat' },
  offline: { label: 'Offline', color: 'gray' },
};

const moving = new Set(['running', 'dictionary', 'indexing', 'exiting']);

export function sayStatus(status: string): string {
  return looks[status]?.label ?? status;
}

export function StatusBadge({ status }: { status: string }) {
  const color = looks[status]?.color ?? 'gray';
  return (
    <Badge variant={moving.has(status) ? 'dot' : 'light'} color={color} tt="none" fw={600}>
      {sayStatus(status)}
    </Badge>
  );
}
