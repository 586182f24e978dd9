import { Alert, Button, Group, List, Progress, Switch, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { $api } from '../api/client';
import type { Indexer, IndexerState } from '../api/types';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { ListSkeleton } from '../shared/ListSkeleton';
import { notifyError } from '../shared/notify';
import { PlayIcon, RefreshIcon } from '../shared/pictures/icons';
import { sayStatus, StatusBadge } from '../shared/StatusBadge';
import surfaces from '../shared/surfaces.module.css';
import { Moment } from '../shared/time';
import { useMayEdit } from '../shared/useProject';
import { HeldBuild } from './HeldBuild';
import { IndexLog } from './IndexLog';
import classes from './indexers.module.css';
import { pathOf, sayProgress, saySituation, shareDone } from './indexState';

function useIndexActions(id: number) {
  const options = { onError: notifyError };
  const request = { params: { path: { id } } };
  const start = $api.useMutation('post', '/api/v1/indexers/{id}/start', options);
  const stop = $api.useMutation('post', '/api/v1/indexers/{id}/stop', options);
  const change = $api.useMutation('patch', '/api/v1/indexers/{id}', options);
  return {
    isPending: start.isPending || stop.isPending || change.isPending,
    startIndexer: (rebuild: boolean) => start.mutate({ ...request, body: { rebuild } }),
    stopIndexer: () => stop.mutate(request),
    followCrawls: (live: boolean) => change.mutate({ ...request, body: { live } }),
  };
}

type Actions = ReturnType<typeof useIndexActions>;

/** New → Dictionary → Indexing → Completed, and where it is. */
function StatusPath({ state }: { state: IndexerState }) {
  return (
    <ol className={classes.path} aria-label="Progress of the index">
      {pathOf(state.status).map((step) => (
        <li
          key={step.status}
          data-state={step.state}
          aria-current={step.state === 'now' ? 'step' : undefined}
        >
          {sayStatus(step.status)}
        </li>
      ))}
    </ol>
  );
}

function Controls({ state, actions }: { state: IndexerState; actions: Actions }) {
  return (
    <Group gap="xs">
      {!state.is_at_work && (
        <Button
          leftSection={<PlayIcon size={16} />}
          loading={actions.isPending}
          onClick={() => actions.startIndexer(false)}
        >
          {state.served ? 'Bring up to date' : 'Start'}
        </Button>
      )}
      {state.served && !state.building && (
        <Button
          variant="default"
          leftSection={<RefreshIcon size={16} />}
          disabled={actions.isPending}
          onClick={() => actions.startIndexer(true)}
        >
          Rebuild
        </Button>
      )}
      {state.is_at_work && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          disabled={actions.isPending}
          onClick={actions.stopIndexer}
        >
          Stop
        </Button>
      )}
    </Group>
  );
}

function BuildProgress({ state }: { state: IndexerState }) {
  const { building } = state;
  if (!building || !state.is_at_work) return null;
  return (
    <div>
      <Progress
        value={shareDone(building)}
        animated
        aria-label="Share of the documents that is indexed"
        mb={6}
      />
      <Text size="sm" c="dimmed">
        {building.total > 0 ? sayProgress(building) : state.reason || 'Preparing.'}
      </Text>
    </div>
  );
}

function Sentences({ title, sentences, color }: { title: string; sentences: string[]; color: string }) {
  if (!sentences.length) return null;
  return (
    <Alert color={color} title={title}>
      <List size="sm" spacing={4}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

const rebuildPrefix = /^Needs a rebuild: /;

function PanelBody({ indexer, state }: { indexer: Indexer; state: IndexerState }) {
  const mayEdit = useMayEdit();
  const actions = useIndexActions(indexer.id);
  const [logShown, { toggle }] = useDisclosure(false);
  const hasEnded = state.status === 'exit' || (!state.is_at_work && state.reason !== '');
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="sm" mb={6}>
            <Title order={2}>Index</Title>
            <StatusBadge status={state.status} />
          </Group>
          <StatusPath state={state} />
        </div>
        {mayEdit && <Controls state={state} actions={actions} />}
      </Group>
      <Text role="status">{saySituation(state)}</Text>
      {state.served?.finished_at && (
        <Text size="sm" c="dimmed">
          Built <Moment value={state.served.finished_at} /> as {state.served.name}.
        </Text>
      )}
      <BuildProgress state={state} />
      {hasEnded && state.reason && (
        <Alert color={state.status === 'exit' ? 'red' : 'gray'}>{state.reason}</Alert>
      )}
      {state.held && <HeldBuild indexer={indexer} build={state.held} />}
      <Sentences
        title="Needs a rebuild"
        color="wheat"
        sentences={state.stale.map((sentence) => sentence.replace(rebuildPrefix, ''))}
      />
      <Sentences title="Worth a look" color="wheat" sentences={state.warnings} />
      <Group justify="space-between">
        <Switch
          label="Follow the crawls"
          description="New, changed and gone documents are taken over by themselves."
          checked={indexer.live}
          disabled={!mayEdit || actions.isPending}
          onChange={({ currentTarget }) => actions.followCrawls(currentTarget.checked)}
        />
        <Button variant="subtle" size="xs" onClick={toggle} aria-expanded={logShown}>
          {logShown ? 'Hide the log' : 'Show the log'}
        </Button>
      </Group>
      {logShown && <IndexLog indexerId={indexer.id} isAtWork={state.is_at_work} />}
    </>
  );
}

/** How the index is doing, what it needs, and what can be done with it. */
export function IndexPanel({ indexer }: { indexer: Indexer }) {
  const params = { path: { id: indexer.id } };
  const newsEveryMs = useNewsInterval();
  const state = $api.useQuery(
    'get',
    '/api/v1/indexers/{id}/state',
    { params },
    { refetchInterval: (query) => (query.state.data?.is_at_work ? newsEveryMs : false) },
  );
  if (state.error && !state.data)
    return <ErrorPanel error={state.error} retry={() => void state.refetch()} />;
  if (!state.data) return <ListSkeleton rows={1} height={160} />;
  return (
    <section aria-label="Index" className={`${surfaces.card} ${classes.panel}`}>
      <PanelBody indexer={indexer} state={state.data} />
    </section>
  );
}
