import { Anchor, Button, Select, Text } from '@mantine/core';
import { Link, useNavigate, useParams, type LinkProps } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Indexer } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { LinkButton } from '../shared/LinkButton';
import { ListSkeleton } from '../shared/ListSkeleton';
import { useNounLinks } from '../shared/nouns/useNounActions';
import { PageHeader } from '../shared/PageHeader';
import { useMayEdit, useProjectId } from '../shared/useProject';
import { SearchView, useSearchState } from './SearchView';
import { useTraceLinks } from './trace/useTraceLinks';

function NoIndexers() {
  const links = useNounLinks('indexers');
  const editable = useMayEdit();
  return (
    <EmptyState
      scene="indexer"
      title="There is nothing to search yet"
      actions={editable && <LinkButton link={links.create}>Make an indexer</LinkButton>}
    >
      An indexer makes what your crawlers collected searchable, ranked as you decide.
    </EmptyState>
  );
}

function IndexerChoice({ indexers, chosen }: { indexers: Indexer[]; chosen: Indexer }) {
  const navigate = useNavigate();
  const { projectId = '' } = useParams({ strict: false });
  const openIndexer = (id: string | null) =>
    id &&
    void navigate({
      to: '/projects/$projectId/search/$indexerId',
      params: { projectId, indexerId: id },
      search: {},
    });
  if (indexers.length < 2) return null;
  return (
    <Select
      aria-label="Indexer"
      w={220}
      searchable
      value={String(chosen.id)}
      data={indexers.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={openIndexer}
    />
  );
}

/** What to do about a result that is missing, or about a wrong order. */
function BetterResults({ indexer, q, whyNot }: { indexer: Indexer; q?: string; whyNot?: LinkProps }) {
  const mayEdit = useMayEdit();
  const { projectId = '' } = useParams({ strict: false });
  const lab = {
    to: '/projects/$projectId/indexers/$id/lab',
    params: { projectId, id: String(indexer.id) },
    search: { q },
  } as LinkProps;
  return (
    <Text size="sm" c="dimmed" mt="lg">
      {whyNot && (
        <>
          A page is missing?{' '}
          <Anchor fz="sm" renderRoot={(props) => <Link {...whyNot} {...props} />}>
            Find out why it is not there
          </Anchor>
          .{' '}
        </>
      )}
      {mayEdit && (
        <>
          The order is wrong?{' '}
          <Anchor fz="sm" renderRoot={(props) => <Link {...lab} {...props} />}>
            Judge these results
          </Anchor>
          .
        </>
      )}
    </Text>
  );
}

/** The search of a project: choose an indexer, ask it. */
export function ProjectSearchPage() {
  const { indexerId } = useParams({ strict: false });
  const links = useNounLinks('indexers');
  const [{ q }] = useSearchState();
  const { whyHere, whyNot } = useTraceLinks(q);
  const query = { project: useProjectId(), page_size: 500, ordering: 'name' };
  const indexers = $api.useQuery('get', '/api/v1/indexers', { params: { query } });
  if (indexers.error && !indexers.data)
    return <ErrorPanel wholePage error={indexers.error} retry={() => void indexers.refetch()} />;
  const all = indexers.data?.results ?? [];
  const built = all.find(({ status }) => status === 'completed') ?? all[0];
  const chosen = indexerId ? all.find(({ id }) => id === Number(indexerId)) : built;
  return (
    <>
      <PageHeader
        title={chosen?.name ?? 'Search'}
        description={chosen?.description || undefined}
        actions={
          chosen && (
            <>
              <IndexerChoice indexers={all} chosen={chosen} />
              <LinkButton variant="default" link={links.open(chosen)}>
                Indexer
              </LinkButton>
              {chosen.public && (
                <Button
                  variant="default"
                  component="a"
                  href={`/search/${chosen.id}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  Public page
                </Button>
              )}
            </>
          )
        }
      />
      {indexers.isPending && <ListSkeleton rows={4} height={96} />}
      {indexers.data && !chosen && <NoIndexers />}
      {chosen && (
        <SearchView
          key={chosen.id}
          indexer={chosen.id}
          placeholder={`Search ${chosen.name}`}
          buildAction={<LinkButton link={links.open(chosen)}>Open the indexer and start it</LinkButton>}
          traceLink={whyHere}
          footer={<BetterResults indexer={chosen} q={q} whyNot={whyNot} />}
        />
      )}
    </>
  );
}
