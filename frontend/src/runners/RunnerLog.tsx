import { Anchor, Box, Group, Select, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { $api } from '../api/client';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { ListSkeleton } from '../shared/ListSkeleton';
import surfaces from '../shared/surfaces.module.css';
import { KeysetPager } from '../shared/table/keyset';
import { sayExactly } from '../shared/time';
import classes from './runners.module.css';
import { logLevels } from './statuses';

const route = getRouteApi('/app/projects/$projectId/runners/$id');

interface RunnerLogProps {
  runnerId: number;
  isUnderWay: boolean;
}

/** What happened in a run, newest first, in sentences. */
export function RunnerLog({ runnerId, isUnderWay }: RunnerLogProps) {
  const { cursor, level } = route.useSearch();
  const navigate = useNavigate();
  const newsEveryMs = useNewsInterval();
  const params = { path: { parent_pk: runnerId }, query: { cursor, level: level ? [level] : undefined } };
  const log = $api.useQuery(
    'get',
    '/api/v1/runners/{parent_pk}/log',
    { params },
    { refetchInterval: isUnderWay && newsEveryMs },
  );
  if (log.error && !log.data) return <ErrorPanel error={log.error} retry={() => void log.refetch()} />;
  if (!log.data) return <ListSkeleton rows={8} height={22} />;
  const filterByLevel = (chosen: string | null) =>
    void navigate({ to: '.', search: { tab: 'log', level: chosen ?? undefined } as never });
  if (!log.data.results.length && !level && !cursor) {
    return (
      <EmptyState scene="runner" title={isUnderWay ? 'Nothing to tell yet' : 'Nothing to tell'}>
        {isUnderWay
          ? 'What does not go as expected is written here.'
          : 'What does not go as expected is written here. In this run there was nothing.'}
      </EmptyState>
    );
  }
  return (
    <Box className={surfaces.card}>
      <Group p="md">
        <Select
          aria-label="Level"
          placeholder="Every level"
          w={160}
          clearable
          value={level ?? null}
          data={logLevels}
          onChange={filterByLevel}
        />
      </Group>
      <ol className={classes.log} aria-label="Log">
        {log.data.results.map((line) => (
          <li key={line.id} className={classes.logLine} data-level={line.level}>
            <Text component="time" dateTime={line.at} fz="inherit" c="dimmed">
              {sayExactly(line.at)}
            </Text>
            <Text component="span" fz="inherit" fw={600}>
              {line.level}
            </Text>
            <span className={classes.logMessage}>
              {line.message}{' '}
              {line.url && (
                <Anchor href={line.url} target="_blank" rel="noreferrer" fz="inherit" underline="always">
                  {line.url}
                </Anchor>
              )}
            </span>
          </li>
        ))}
      </ol>
      {!log.data.results.length && (
        <Text p="md" pt={0} size="sm" c="dimmed" role="status">
          {level ? 'No line of this level.' : 'No more lines.'}
        </Text>
      )}
      <KeysetPager label="Pages of the log" next={log.data.next} previous={log.data.previous} />
    </Box>
  );
}
