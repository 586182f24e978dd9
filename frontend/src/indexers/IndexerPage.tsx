import { Tabs } from '@mantine/core';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Indexer } from '../api/types';
import { LinkButton } from '../shared/LinkButton';
import { notifyDone } from '../shared/notify';
import { NewNounPage, NounPage } from '../shared/nouns/NounPage';
import { useNounLinks } from '../shared/nouns/useNounActions';
import { SearchIcon, TargetIcon } from '../shared/pictures/icons';
import { useMayEdit, useProjectId } from '../shared/useProject';
import { IndexerForm } from './IndexerForm';
import { IndexPanel } from './IndexPanel';
import { emptyIndexer, indexerPayload, indexerValues, type IndexerValues } from './indexerForm';

const route = getRouteApi('/app/projects/$projectId/indexers/$id');

export function NewIndexerPage() {
  const project = useProjectId();
  const navigate = useNavigate();
  const links = useNounLinks('indexers');
  const create = $api.useMutation('post', '/api/v1/indexers');
  const createIndexer = async (values: IndexerValues) => {
    const made = await create.mutateAsync({ body: indexerPayload(values, project) });
    notifyDone(`Indexer “${made.name}” is made.`);
    await navigate({ ...links.open(made), ignoreBlocker: true, replace: true });
    return undefined;
  };
  return (
    <NewNounPage
      noun="indexers"
      listTitle="Indexers"
      title="New indexer"
      description="Choose what can be found, and what comes first."
    >
      <IndexerForm
        isNew
        readOnly={false}
        initial={emptyIndexer()}
        save={{ pending: create.isPending, run: createIndexer }}
      />
    </NewNounPage>
  );
}

function EditIndexer({ indexer }: { indexer: Indexer }) {
  const readOnly = !useMayEdit();
  const change = $api.useMutation('patch', '/api/v1/indexers/{id}');
  const saveIndexer = async (values: IndexerValues) => {
    // Whether it follows the crawls is switched above the form, at once.
    const body = { ...indexerPayload(values, indexer.project), live: indexer.live };
    const saved = await change.mutateAsync({ params: { path: { id: indexer.id } }, body });
    notifyDone('Indexer saved.');
    return indexerValues(saved, values);
  };
  return (
    <IndexerForm
      isNew={false}
      readOnly={readOnly}
      initial={indexerValues(indexer)}
      save={{ pending: change.isPending, run: saveIndexer }}
    />
  );
}

function SearchLink({ indexer }: { indexer: Indexer }) {
  const params = { projectId: String(indexer.project), indexerId: String(indexer.id) };
  return (
    <LinkButton
      variant="default"
      leftSection={<SearchIcon size={16} />}
      link={{ to: '/projects/$projectId/search/$indexerId', params, search: {} }}
    >
      Search
    </LinkButton>
  );
}

function LabLink({ indexer }: { indexer: Indexer }) {
  const params = { projectId: String(indexer.project), id: String(indexer.id) };
  return (
    <LinkButton
      variant="default"
      leftSection={<TargetIcon size={16} />}
      link={{ to: '/projects/$projectId/indexers/$id/lab', params, search: {} }}
    >
      Relevance lab
    </LinkButton>
  );
}

function IndexerTabs({ indexer }: { indexer: Indexer }) {
  const { tab = 'index' } = route.useSearch();
  const navigate = useNavigate();
  const openTab = (next: string | null) =>
    void navigate({ to: '.', search: { tab: next === 'settings' ? next : undefined } as never });
  return (
    <Tabs value={tab} onChange={openTab} keepMounted={false}>
      <Tabs.List mb="lg">
        <Tabs.Tab value="index">Index</Tabs.Tab>
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="index">
        <IndexPanel indexer={indexer} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <EditIndexer indexer={indexer} />
      </Tabs.Panel>
    </Tabs>
  );
}

export function IndexerPage() {
  const { id } = useParams({ strict: false });
  const answer = $api.useQuery('get', '/api/v1/indexers/{id}', { params: { path: { id: Number(id) } } });
  return (
    <NounPage
      noun="indexers"
      listTitle="Indexers"
      answer={answer}
      actions={(indexer) => (
        <>
          <LabLink indexer={indexer} />
          <SearchLink indexer={indexer} />
        </>
      )}
    >
      {(indexer) => <IndexerTabs key={indexer.id} indexer={indexer} />}
    </NounPage>
  );
}
