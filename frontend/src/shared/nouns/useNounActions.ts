import { useNavigate, useParams, type LinkProps } from '@tanstack/react-router';
import { $api } from '../../api/client';
import { confirmDeletion } from '../confirm';
import { notifyDone, notifyError } from '../notify';

export type NounPath = 'templates' | 'crawlers' | 'indexers' | 'dictionaries';

const singular: Record<NounPath, string> = {
  templates: 'template',
  crawlers: 'crawler',
  indexers: 'indexer',
  dictionaries: 'dictionary',
};

/** What goes with it, where that is more than itself. */
const consequences: Partial<Record<NounPath, string>> = {
  crawlers:
    'All its runs go with it, and all documents that they have found. The space is freed in the background. This cannot be undone.',
};

interface Named {
  id: number;
  name: string;
}

/** Where the list of a noun, the page of one, and the page for a new one are. */
export function useNounLinks(noun: NounPath) {
  const { projectId = '' } = useParams({ strict: false });
  return {
    list: { to: `/projects/$projectId/${noun}`, params: { projectId } } as LinkProps,
    create: { to: `/projects/$projectId/${noun}/new`, params: { projectId } } as LinkProps,
    open: ({ id }: { id: number }) =>
      ({ to: `/projects/$projectId/${noun}/$id`, params: { projectId, id: String(id) } }) as LinkProps,
  };
}

/** Duplicate and delete, the same for every configuration noun. */
export function useNounActions(noun: NounPath) {
  const navigate = useNavigate();
  const links = useNounLinks(noun);
  const copy = $api.useMutation('post', `/api/v1/${noun}/{id}/duplicate`, {
    onError: notifyError,
    onSuccess: (made) => {
      notifyDone(`Made “${made.name}”.`);
      void navigate(links.open(made));
    },
  });
  const remove = $api.useMutation('delete', `/api/v1/${noun}/{id}`, {
    onError: notifyError,
    onSuccess: () => notifyDone(`The ${singular[noun]} is deleted.`),
  });
  return {
    duplicateNoun: ({ id }: Named) => copy.mutate({ params: { path: { id } } }),
    deleteNoun: ({ id, name }: Named) =>
      confirmDeletion({
        what: `the ${singular[noun]} “${name}”`,
        consequence: consequences[noun],
        onConfirm: () => remove.mutate({ params: { path: { id } } }),
      }),
  };
}
