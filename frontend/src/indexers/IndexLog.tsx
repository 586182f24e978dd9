import { Text } from '@mantine/core';
import { $api } from '../api/client';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { ListSkeleton } from '../shared/ListSkeleton';
import { sayExactly } from '../shared/time';
import classes from './indexers.module.css';

interface IndexLogProps {
  indexerId: number;
  isAtWork: boolean;
}

/** What the jobs of an index did, newest first, in sentences. */
export function IndexLog({ indexerId, isAtWork }: IndexLogProps) {
  const params = { path: { parent_pk: indexerId }, query: { page_size: 50 } };
  const newsEveryMs = useNewsInterval();
  const log = $api.useQuery(
    'get',
    '/api/v1/indexers/{parent_pk}/log',
    { params },
    { refetchInterval: isAtWork && newsEveryMs },
  );
  if (log.error && !log.data) return <ErrorPanel error={log.error} retry={() => void log.refetch()} />;
  if (!log.data) return <ListSkeleton rows={4} height={22} />;
  if (!log.data.results.length) return <Text c="dimmed">Nothing has happened yet.</Text>;
  return (
    <ol className={classes.log} aria-label="Log">
      {log.data.results.map((line) => (
        <li key={line.id} data-level={line.level}>
          <Text component="time" dateTime={line.at} fz="inherit" c="dimmed">
            {sayExactly(line.at)}
          </Text>
          <span>{line.message}</span>
        </li>
      ))}
    </ol>
  );
}
