import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '../api/client';
import type { Dictionary } from '../api/types';
import { notifyDone } from '../shared/notify';
import { NewNounPage, NounPage } from '../shared/nouns/NounPage';
import { useNounLinks } from '../shared/nouns/useNounActions';
import { useMayEdit, useProjectId } from '../shared/useProject';
import { DictionaryForm } from './DictionaryForm';
import {
  changedPayload,
  dictionaryPayload,
  dictionaryValues,
  emptyDictionary,
  mostShown,
  type DictionaryValues,
} from './dictionaryForm';

const inPart = { max_entries: mostShown };

export function NewDictionaryPage() {
  const project = useProjectId();
  const navigate = useNavigate();
  const links = useNounLinks('dictionaries');
  const create = $api.useMutation('post', '/api/v1/dictionaries');
  const createDictionary = async (values: DictionaryValues) => {
    const made = await create.mutateAsync({
      params: { query: inPart },
      body: dictionaryPayload(values, project),
    });
    notifyDone(`Dictionary “${made.name}” is made.`);
    await navigate({ ...links.open(made), ignoreBlocker: true, replace: true });
    return undefined;
  };
  return (
    <NewNounPage
      noun="dictionaries"
      listTitle="Dictionaries"
      title="New dictionary"
      description="Names, scores and synonyms."
    >
      <DictionaryForm
        isNew
        readOnly={false}
        initial={emptyDictionary}
        save={{ pending: create.isPending, run: createDictionary }}
      />
    </NewNounPage>
  );
}

function EditDictionary({ dictionary }: { dictionary: Dictionary }) {
  const readOnly = !useMayEdit();
  const change = $api.useMutation('patch', '/api/v1/dictionaries/{id}');
  // What the form was filled with, whatever others save meanwhile: its first entries must never replace all of them.
  const [stored, setStored] = useState(dictionary);
  const saveDictionary = async (values: DictionaryValues) => {
    const body = changedPayload(values, stored);
    const params = { path: { id: dictionary.id }, query: inPart };
    const saved = await change.mutateAsync({ params, body });
    setStored(saved);
    notifyDone('Dictionary saved.');
    return dictionaryValues(saved);
  };
  return (
    <DictionaryForm
      isNew={false}
      readOnly={readOnly}
      initial={dictionaryValues(dictionary)}
      stored={stored}
      save={{ pending: change.isPending, run: saveDictionary }}
    />
  );
}

export function DictionaryPage() {
  const { id } = useParams({ strict: false });
  const answer = $api.useQuery('get', '/api/v1/dictionaries/{id}', {
    params: { path: { id: Number(id) }, query: inPart },
  });
  return (
    <NounPage noun="dictionaries" listTitle="Dictionaries" answer={answer}>
      {(dictionary) => <EditDictionary key={dictionary.id} dictionary={dictionary} />}
    </NounPage>
  );
}
