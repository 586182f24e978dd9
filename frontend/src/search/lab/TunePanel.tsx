import { Alert, Button, Group, List, NumberInput, Progress, Stack, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { $api } from '../../api/client';
import type { Indexer, Tuning } from '../../api/types';
import { ErrorPanel } from '../../shared/ErrorPanel';
import { ListSkeleton } from '../../shared/ListSkeleton';
import { notifyError } from '../../shared/notify';
import { sayCount } from '../../shared/numbers';
import { PlayIcon } from '../../shared/pictures/icons';
import surfaces from '../../shared/surfaces.module.css';
import { Moment } from '../../shared/time';
import { ChangeList } from './ChangeList';
import classes from './lab.module.css';
import { MeasureBar } from './MeasureBar';
import { changesBetween, withTried, type Settings } from './settings';
import { useTakeOver } from './useLab';

const usualSeconds = 30;
const mostSeconds = 300;
type Result = NonNullable<Tuning['result']>;

const isUnderWay = (tuning: Tuning | undefined) => tuning?.state === 'running' || tuning?.state === 'waiting';

/** The newest search for settings of an indexer; asked again until it has ended. */
export function useTuning(indexer: number) {
  const query = { indexer, ordering: '-id', page_size: 1 };
  return $api.useQuery(
    'get',
    '/api/v1/tunings',
    { params: { query } },
    { refetchInterval: ({ state }) => (isUnderWay(state.data?.results[0]) ? 1000 : false) },
  );
}

function StartForm({ indexer, isAgain }: { indexer: Indexer; isAgain: boolean }) {
  const [seconds, setSeconds] = useState<number | string>(usualSeconds);
  const start = $api.useMutation('post', '/api/v1/tunings', { onError: notifyError });
  const startSearch = () =>
    start.mutate({ body: { indexer: indexer.id, seconds: Number(seconds) || usualSeconds } });
  return (
    <Group align="flex-end">
      <NumberInput
        label="Seconds to search"
        w={150}
        min={1}
        max={mostSeconds}
        value={seconds}
        onChange={setSeconds}
      />
      <Button leftSection={<PlayIcon size={16} />} loading={start.isPending} onClick={startSearch}>
        {isAgain ? 'Search again' : 'Search for better settings'}
      </Button>
    </Group>
  );
}

function sayProgress({ state, trials }: Tuning): string {
  if (state === 'waiting') return 'Waiting: it begins when another search for settings has ended.';
  return `Searching: ${sayCount(trials, 'setting')} tried so far.`;
}

function UnderWay({ tuning }: { tuning: Tuning }) {
  const stop = $api.useMutation('post', '/api/v1/tunings/{id}/stop', { onError: notifyError });
  const percent = Math.round(tuning.progress * 100);
  return (
    <section className={`${surfaces.card} ${classes.tuning}`} aria-label="Search for settings">
      <Group justify="space-between" mb="sm">
        <Text role="status">{sayProgress(tuning)}</Text>
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          disabled={stop.isPending}
          onClick={() => stop.mutate({ params: { path: { id: tuning.id } } })}
        >
          Stop
        </Button>
      </Group>
      {tuning.state === 'running' && (
        <Progress value={percent} animated aria-label="Share of the time that has passed" />
      )}
    </section>
  );
}

function Scores({ result }: { result: Result }) {
  const rows = [
    ['The stored settings', result.stored],
    ['The best found, on the queries it was chosen by', result.train],
    ['To expect on other queries (held out)', result.held_out],
  ] as const;
  return (
    <dl className={classes.scores}>
      {rows.map(([label, value]) => (
        <div key={label} style={{ display: 'contents' }}>
          <dt>{label}</dt>
          <dd>
            <MeasureBar value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function sayResult({ is_stored_best, held_out, stored, trials }: Result): string {
  const tried = sayCount(trials, 'setting');
  if (is_stored_best) return `The stored settings are the best of ${tried}`;
  if (held_out > stored) return `Better settings were found among ${tried}`;
  return `The best of ${tried} fits these queries, but promises nothing for others`;
}

/** Ask first when there is a reason for doubt. */
function confirmTakeOver(warnings: string[], takeOver: () => void): void {
  if (!warnings.length) return takeOver();
  modals.openConfirmModal({
    title: 'Use these settings nevertheless?',
    children: (
      <List size="sm" spacing={4}>
        {warnings.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    ),
    labels: { confirm: 'Use them', cancel: 'Keep the stored ones' },
    cancelProps: { 'data-autofocus': true },
    onConfirm: takeOver,
  });
}

interface EndedProps {
  indexer: Indexer;
  tuning: Tuning;
  stored: Settings;
  onCompare: (settings: Settings) => void;
}

function Ended({ indexer, tuning, stored, onCompare }: EndedProps) {
  const { takeOver, isPending } = useTakeOver(indexer);
  const { result } = tuning;
  if (!result) return <Alert color="red">{tuning.reason}</Alert>;
  const found = withTried(stored, result.settings);
  const changes = changesBetween(stored, found);
  return (
    <section className={`${surfaces.card} ${classes.tuning}`} aria-label="Found settings">
      <Stack gap="md">
        <div>
          <Title order={2}>{sayResult(result)}</Title>
          <Text size="sm" c="dimmed">
            nDCG@10 on {sayCount(result.queries, 'judged query', 'judged queries')}. Searched{' '}
            <Moment value={tuning.created_at} />.
          </Text>
        </div>
        <Scores result={result} />
        {result.warnings.length > 0 && (
          <Alert color="wheat" title="Be careful">
            <List size="sm" spacing={4}>
              {result.warnings.map((sentence) => (
                <List.Item key={sentence}>{sentence}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <ChangeList
          changes={changes}
          before="Stored"
          after="Found"
          empty={result.is_stored_best ? 'There is nothing to change.' : 'The indexer has these settings.'}
        />
        {changes.length > 0 && (
          <Group>
            <Button
              variant={result.warnings.length ? 'default' : 'filled'}
              loading={isPending}
              onClick={() => confirmTakeOver(result.warnings, () => takeOver(result.settings))}
            >
              Use these settings
            </Button>
            <Button variant="default" onClick={() => onCompare(found)}>
              Compare query by query
            </Button>
          </Group>
        )}
      </Stack>
    </section>
  );
}

/** A small search over settings, honest about what it proves. */
export function TunePanel(props: Omit<EndedProps, 'tuning'>) {
  const tunings = useTuning(props.indexer.id);
  if (tunings.error && !tunings.data)
    return <ErrorPanel error={tunings.error} retry={() => void tunings.refetch()} />;
  if (!tunings.data) return <ListSkeleton rows={2} height={80} />;
  const [tuning] = tunings.data.results;
  const isSearching = isUnderWay(tuning);
  return (
    <Stack gap="lg">
      <Text c="dimmed" maw={640}>
        Tries many values of k, b, boosts and weights on your judged queries. The best are chosen by one half
        of them and measured on the other half, so that you see what they are worth for queries nobody judged.
        Nothing changes until you say so.
      </Text>
      {tuning && isSearching && <UnderWay tuning={tuning} />}
      {!isSearching && <StartForm indexer={props.indexer} isAgain={tuning !== undefined} />}
      {tuning && !isSearching && <Ended {...props} tuning={tuning} />}
    </Stack>
  );
}
