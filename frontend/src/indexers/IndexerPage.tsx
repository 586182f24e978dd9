import { useNavigate, useParams } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Indexer } from '../api/types';
import { notifyDone } from '../shared/notify';
import { NewNounPage, NounPage } from '../shared/nouns/NounPage';
import { useNounLinks } from '../shared/nouns/useNounActions';
import { useMayEdit, useProjectId } from '../shared/useProject';
import { IndexerForm } from './IndexerForm';
import { emptyIndexer, indexerPayload, indexerValues, type IndexerValues } from './indexerForm';

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
    const body = indexerPayload(values, indexer.project);
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

export function IndexerPage() {
  const { id } = useParams({ strict: false });
  const answer = $api.useQuery('get', '/api/v1/indexers/{id}', { params: { path: { id: Number(id) } } });
  return (
    <NounPage noun="indexers" listTitle="Indexers" answer={answer}>
      {(indexer) => <EditIndexer key={indexer.id} indexer={indexer} />}
    </NounPage>
  );
}
