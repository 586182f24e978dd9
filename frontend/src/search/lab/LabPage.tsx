import { Alert, Badge, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { $api } from '../../api/client';
import type { Indexer, JudgedQuery } from '../../api/types';
import { EmptyState } from '../../shared/EmptyState';
import { ErrorPanel } from '../../shared/ErrorPanel';
import { LinkButton } from '../../shared/LinkButton';
import { ListSkeleton } from '../../shared/ListSkeleton';
import { useNounLinks } from '../../shared/nouns/useNounActions';
import { PageHeader } from '../../shared/PageHeader';
import { mayEdit, useProject } from '../../shared/useProject';
import { SearchTrouble } from '../SearchTrouble';
import { ComparePanel } from './ComparePanel';
import { JudgePanel } from './JudgePanel';
import classes from './lab.module.css';
import { MeasurePanel, QueryTable } from './MeasurePanel';
import { enoughQueries, wantedIn } from './measures';
import { storedSettings, withTried, type Settings } from './settings';
import { TunePanel, useTuning } from './TunePanel';
import { useJudgedQueries, useSearchedColumns } from './useLab';

const route = getRouteApi('/app/projects/$projectId/indexers/$id/lab');

function NothingJudged() {
  return (
    <EmptyState
      scene="documents"
      title="First say what a good result is"
      actions={<LinkButton link={{ to: '.', search: {} }}>Judge results</LinkButton>}
    >
      Search for something and give at least one result a grade above 0. With about {enoughQueries} judged
      queries, the numbers here can be relied on.
    </EmptyState>
  );
}

interface PanelProps {
  indexer: Indexer;
  children: (stored: Settings, found: Settings | undefined) => ReactNode;
}

/** What needs to know the stored settings, and those that a search has found. */
function WithSettings({ indexer, children }: PanelProps) {
  const searched = useSearchedColumns(indexer.id);
  const tuning = useTuning(indexer.id).data?.results[0];
  if (searched.error && !searched.data)
    return <SearchTrouble error={searched.error} retry={() => void searched.refetch()} />;
  if (!searched.data) return <ListSkeleton rows={3} height={90} />;
  const stored = storedSettings(indexer, searched.data);
  return children(stored, tuning?.result ? withTried(stored, tuning.result.settings) : undefined);
}

function Count({ count }: { count: number }) {
  return (
    <Badge size="sm" variant="light" color="gray">
      {count}
    </Badge>
  );
}

function Lab({ indexer, judged }: { indexer: Indexer; judged: JudgedQuery[] }) {
  const { tab = 'judge' } = route.useSearch();
  const navigate = useNavigate();
  const [compared, setCompared] = useState<Settings>();
  const openTab = (next: string | null) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, tab: next }) as never });
  const compareWith = (settings: Settings) => {
    setCompared(settings);
    openTab('compare');
  };
  const isJudged = judged.some((query) => wantedIn(query) > 0);
  return (
    <Tabs value={tab} onChange={openTab} keepMounted={false} classNames={{ tab: classes.tab }}>
      <Tabs.List mb="lg">
        <Tabs.Tab value="judge">Judge</Tabs.Tab>
        <Tabs.Tab value="measure" rightSection={judged.length > 0 && <Count count={judged.length} />}>
          Measure
        </Tabs.Tab>
        <Tabs.Tab value="compare">Compare</Tabs.Tab>
        <Tabs.Tab value="tune">Tune</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="judge">
        <JudgePanel indexer={indexer} judged={judged} />
      </Tabs.Panel>
      <Tabs.Panel value="measure">
        {judged.length ? <MeasurePanel indexer={indexer} judged={judged} /> : <NothingJudged />}
      </Tabs.Panel>
      <Tabs.Panel value="compare">
        {isJudged ? (
          <WithSettings indexer={indexer}>
            {(stored, found) => (
              <ComparePanel key={indexer.updated_at} {...{ indexer, stored, found }} initial={compared} />
            )}
          </WithSettings>
        ) : (
          <NothingJudged />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="tune">
        {isJudged ? (
          <WithSettings indexer={indexer}>
            {(stored) => <TunePanel {...{ indexer, stored }} onCompare={compareWith} />}
          </WithSettings>
        ) : (
          <NothingJudged />
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

function LookingOnly({ judged }: { judged: JudgedQuery[] }) {
  return (
    <>
      <Alert color="gray" mb="md">
        You may look at what was judged. Judging and measuring need the role editor; an administrator of the
        project can give it to you.
      </Alert>
      {judged.length > 0 && <QueryTable queries={judged} mayEdit={false} />}
    </>
  );
}

/** The relevance lab of an indexer: judge, measure, compare, tune. */
export function LabPage() {
  const id = Number(useParams({ strict: false }).id);
  const links = useNounLinks('indexers');
  const role = useProject().data?.role;
  const indexer = $api.useQuery('get', '/api/v1/indexers/{id}', { params: { path: { id } } });
  const { queries, ...judged } = useJudgedQueries(id);
  const error = indexer.data ? judged.error : indexer.error;
  if (error)
    return (
      <ErrorPanel
        wholePage
        error={error}
        retry={() => {
          void indexer.refetch();
          judged.refetch();
        }}
      />
    );
  return (
    <>
      <PageHeader
        title="Relevance lab"
        crumbs={[
          { label: 'Indexers', link: links.list },
          { label: indexer.data?.name ?? '…', link: links.open({ id }) },
        ]}
        description="Say which results are right, measure the ranking by it, and find better settings."
      />
      {indexer.data && queries && role ? (
        mayEdit(role) ? (
          <Lab key={id} indexer={indexer.data} judged={queries} />
        ) : (
          <LookingOnly judged={queries} />
        )
      ) : (
        <ListSkeleton rows={4} height={90} />
      )}
    </>
  );
}
