import { Button, Select, Text, TextInput } from '@mantine/core';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { $api } from '../../api/client';
import type { ApiError } from '../../api/errors';
import { isStatus, type FieldErrors } from '../../api/errors';
import { EmptyState } from '../../shared/EmptyState';
import { ErrorPanel } from '../../shared/ErrorPanel';
import { ListSkeleton } from '../../shared/ListSkeleton';
import { useNounLinks } from '../../shared/nouns/useNounActions';
import { PageHeader } from '../../shared/PageHeader';
import surfaces from '../../shared/surfaces.module.css';
import { useProjectId } from '../../shared/useProject';
import classes from './trace.module.css';
import { TracePath } from './TracePath';
import type { TraceSearch } from './traceSearch';

const route = getRouteApi('/app/projects/$projectId/crawlers/$id/trace');

/** Another crawler of the project may be the one that should have found it. */
function CrawlerChoice({ chosen, asked }: { chosen: number; asked: TraceSearch }) {
  const project = useProjectId();
  const navigate = useNavigate();
  const query = { project, page_size: 500, ordering: 'name' };
  const crawlers = $api.useQuery('get', '/api/v1/crawlers', { params: { query } }).data?.results ?? [];
  if (crawlers.length < 2) return null;
  const openCrawler = (id: string | null) =>
    id &&
    void navigate({
      to: '/projects/$projectId/crawlers/$id/trace',
      params: { projectId: String(project), id },
      search: asked,
    });
  return (
    <Select
      label="Crawler"
      searchable
      value={String(chosen)}
      data={crawlers.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={openCrawler}
    />
  );
}

interface TraceFormProps {
  crawler: number;
  asked: TraceSearch;
  /** What the server refused of it, by field. */
  refused: FieldErrors;
}

function TraceForm({ crawler, asked, refused }: TraceFormProps) {
  const navigate = useNavigate();
  const [url, setUrl] = useState(asked.url ?? '');
  const [q, setQuery] = useState(asked.q ?? '');
  const [isMissing, setMissing] = useState(false);
  const followAddress = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!url.trim());
    if (!url.trim()) return;
    void navigate({ to: '.', search: { url: url.trim(), q: q.trim() || undefined } as never });
  };
  return (
    <form className={`${surfaces.card} ${classes.form}`} onSubmit={followAddress} noValidate>
      <TextInput
        label="Address"
        description="Of the page that you expected to find, or not to find."
        placeholder="https://shop.example.org/products/17"
        type="url"
        required
        className={classes.address}
        value={url}
        error={isMissing ? 'Give the address of a page.' : refused.url?.join(' ')}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <TextInput
        label="Query"
        description="Optional: at which place is it for these words?"
        value={q}
        error={refused.q?.join(' ')}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <CrawlerChoice chosen={crawler} asked={asked} />
      <Button type="submit" className={classes.submit}>
        Follow it
      </Button>
    </form>
  );
}

function NothingAsked() {
  return (
    <EmptyState scene="crawler" title="Follow an address through the crawl">
      <Text>
        Type the address of a page that you miss in the results, or that should not be there. You see how far
        it came: discovered, let through by the crawler’s rules, fetched, extracted, not a duplicate, indexed,
        ranked. Where it stopped, the reason stands beside it.
      </Text>
    </EmptyState>
  );
}

function useTrace(crawler: number, { url = '', q }: TraceSearch) {
  const params = { path: { id: crawler }, query: { url, ...(q ? { q } : {}) } };
  return $api.useQuery('get', '/api/v1/crawlers/{id}/trace', { params }, { enabled: url !== '' });
}

/** Why a page is in the results, or is not. */
export function TracePage() {
  const id = Number(useParams({ strict: false }).id);
  const asked = route.useSearch();
  const links = useNounLinks('crawlers');
  const crawler = $api.useQuery('get', '/api/v1/crawlers/{id}', { params: { path: { id } } });
  const { data, error, isFetching, refetch } = useTrace(id, asked);
  if (crawler.error && !crawler.data)
    return <ErrorPanel wholePage error={crawler.error} retry={() => void crawler.refetch()} />;
  const crumbs = [
    { label: 'Crawlers', link: links.list },
    { label: crawler.data?.name ?? '…', link: links.open({ id }) },
  ];
  const isRefused = isStatus(error, 400);
  const refused = isRefused ? (error as unknown as ApiError).fields : {};
  return (
    <>
      <PageHeader
        title="Why is it there, or not?"
        crumbs={crumbs}
        description="Follow an address from its discovery to its place in the results."
      />
      <TraceForm key={`${id} ${asked.url} ${asked.q}`} crawler={id} asked={asked} refused={refused} />
      {!asked.url && <NothingAsked />}
      {isFetching && !data && <ListSkeleton rows={6} height={64} />}
      {error && !isRefused && !data && <ErrorPanel error={error} retry={() => void refetch()} />}
      {data && !isRefused && <TracePath trace={data} q={asked.q ?? ''} />}
    </>
  );
}
