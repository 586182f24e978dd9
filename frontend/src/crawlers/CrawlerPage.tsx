import { useNavigate, useParams } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Crawler } from '../api/types';
import { useMayEdit, useProjectId } from '../shared/useProject';
import { EmptyState } from '../shared/EmptyState';
import { LinkButton } from '../shared/LinkButton';
import { ListSkeleton } from '../shared/ListSkeleton';
import { notifyDone } from '../shared/notify';
import { NewNounPage, NounPage } from '../shared/nouns/NounPage';
import { useNounLinks } from '../shared/nouns/useNounActions';
import { StartRun } from '../runners/StartRun';
import { StartWithChoices } from '../runners/StartWithChoices';
import { CrawlerForm } from './CrawlerForm';
import { crawlerPayload, crawlerValues, emptyCrawler, type CrawlerValues } from './crawlerForm';
import { useTemplateChoices } from './useTemplateChoices';

function NewCrawler() {
  const project = useProjectId();
  const navigate = useNavigate();
  const links = useNounLinks('crawlers');
  const choices = useTemplateChoices();
  const templates = useNounLinks('templates');
  const create = $api.useMutation('post', '/api/v1/crawlers');
  const createCrawler = async (values: CrawlerValues) => {
    const made = await create.mutateAsync({ body: crawlerPayload(values, project) });
    notifyDone(`Crawler “${made.name}” is made.`);
    await navigate({ ...links.open(made), ignoreBlocker: true, replace: true });
    return undefined;
  };
  if (!choices) return <ListSkeleton rows={4} height={90} />;
  const [only, second] = choices;
  if (!only) {
    return (
      <EmptyState
        scene="template"
        title="A crawler needs a template"
        actions={<LinkButton link={templates.create}>Make a template</LinkButton>}
      >
        The template tells the crawler what to keep from each page. Make one first, then come back.
      </EmptyState>
    );
  }
  const initial = emptyCrawler(second ? null : only.value);
  return (
    <CrawlerForm
      isNew
      readOnly={false}
      initial={initial}
      save={{ pending: create.isPending, run: createCrawler }}
    />
  );
}

export function NewCrawlerPage() {
  return (
    <NewNounPage
      noun="crawlers"
      listTitle="Crawlers"
      title="New crawler"
      description="A template and one address are enough. Everything else has a sensible start."
    >
      <NewCrawler />
    </NewNounPage>
  );
}

function EditCrawler({ crawler }: { crawler: Crawler }) {
  const readOnly = !useMayEdit();
  const change = $api.useMutation('patch', '/api/v1/crawlers/{id}');
  const saveCrawler = async (values: CrawlerValues) => {
    const body = crawlerPayload(values, crawler.project);
    const saved = await change.mutateAsync({ params: { path: { id: crawler.id } }, body });
    notifyDone('Crawler saved.');
    return crawlerValues(saved, values);
  };
  return (
    <CrawlerForm
      isNew={false}
      readOnly={readOnly}
      initial={crawlerValues(crawler)}
      save={{ pending: change.isPending, run: saveCrawler }}
    />
  );
}

export function CrawlerPage() {
  const { id } = useParams({ strict: false });
  const mayEdit = useMayEdit();
  const answer = $api.useQuery('get', '/api/v1/crawlers/{id}', { params: { path: { id: Number(id) } } });
  return (
    <NounPage
      noun="crawlers"
      listTitle="Crawlers"
      answer={answer}
      actions={({ id: crawler, project }) => (
        <>
          <LinkButton
            variant="default"
            link={{
              to: '/projects/$projectId/crawlers/$id/trace',
              params: { projectId: String(project), id: String(crawler) },
              search: {},
            }}
          >
            Why is a page missing?
          </LinkButton>
          {mayEdit && <StartWithChoices crawler={crawler} project={project} />}
          {mayEdit && <StartRun crawler={crawler} project={project} />}
        </>
      )}
    >
      {(crawler) => <EditCrawler key={crawler.id} crawler={crawler} />}
    </NounPage>
  );
}
