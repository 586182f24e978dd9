import { Alert, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Runner } from '../api/types';
import { DocumentTable } from '../documents/DocumentTable';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { ListSkeleton } from '../shared/ListSkeleton';
import { PageHeader } from '../shared/PageHeader';
import { StatusBadge } from '../shared/StatusBadge';
import { RunnerControls } from './RunnerControls';
import { RunnerFacts } from './RunnerFacts';
import { RunnerLog } from './RunnerLog';
import { RunnerPages } from './RunnerPages';
import { RunnerWorkers } from './RunnerWorkers';
import { isUnderWay } from './statuses';

const route = getRouteApi('/app/projects/$projectId/runners/$id');

function RunnerTabs({ runner }: { runner: Runner }) {
  const { tab = 'statistics', cursor } = route.useSearch();
  const navigate = useNavigate();
  const openTab = (next: string | null) =>
    void navigate({ to: '.', search: { tab: next ?? undefined } as never, replace: true });
  return (
    <Tabs value={tab} onChange={openTab} keepMounted={false}>
      <Tabs.List mb="lg">
        <Tabs.Tab value="statistics">Statistics</Tabs.Tab>
        <Tabs.Tab value="log">Log</Tabs.Tab>
        <Tabs.Tab value="documents">Documents</Tabs.Tab>
        <Tabs.Tab value="pages">Pages</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="statistics">
        <RunnerWorkers runner={runner} />
        <RunnerFacts runner={runner} />
      </Tabs.Panel>
      <Tabs.Panel value="log">
        <RunnerLog runnerId={runner.id} isUnderWay={isUnderWay(runner.status)} />
      </Tabs.Panel>
      <Tabs.Panel value="documents">
        <DocumentTable query={{ runner: runner.id, cursor }} isGrowing={isUnderWay(runner.status)} />
      </Tabs.Panel>
      <Tabs.Panel value="pages">
        <RunnerPages runner={runner} />
      </Tabs.Panel>
    </Tabs>
  );
}

export function RunnerPage() {
  const { id, projectId = '' } = useParams({ strict: false });
  const newsEveryMs = useNewsInterval();
  const {
    data: runner,
    error,
    refetch,
  } = $api.useQuery(
    'get',
    '/api/v1/runners/{id}',
    { params: { path: { id: Number(id) } } },
    {
      refetchInterval: (query) =>
        query.state.data && isUnderWay(query.state.data.status) ? newsEveryMs : false,
    },
  );
  if (error && !runner) return <ErrorPanel wholePage error={error} retry={() => void refetch()} />;
  return (
    <>
      <PageHeader
        title={runner ? `${runner.crawler_name} #${runner.number}` : '…'}
        crumbs={[{ label: 'Runners', link: { to: '/projects/$projectId/runners', params: { projectId } } }]}
        badge={runner && <StatusBadge status={runner.status} />}
        actions={runner && <RunnerControls runner={runner} />}
      />
      {runner?.reason && (
        <Alert mb="lg" color={runner.status === 'lost' ? 'red' : 'gray'}>
          {runner.reason}
        </Alert>
      )}
      {runner ? <RunnerTabs runner={runner} /> : <ListSkeleton rows={3} height={120} />}
    </>
  );
}
