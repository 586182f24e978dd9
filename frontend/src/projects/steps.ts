import type { Project } from '../api/types';
import { sayCount } from '../shared/numbers';
import type { LinkProps } from '@tanstack/react-router';

export type StepState = 'done' | 'next' | 'later';

export interface Step {
  title: string;
  about: string;
  /** What is there already, e.g. "2 templates". */
  standing: string;
  state: StepState;
  /** What to do here now; absent where there is nothing to do yet. */
  action?: { label: string; to: LinkProps['to'] };
}

type Counts = Project['counts'];

const templates = '/projects/$projectId/templates';
const crawlers = '/projects/$projectId/crawlers';
const runners = '/projects/$projectId/runners';
const indexers = '/projects/$projectId/indexers';

function crawlStanding({ crawlers, documents }: Counts): string {
  if (!crawlers) return 'No crawlers yet';
  return `${sayCount(crawlers, 'crawler')}, ${sayCount(documents, 'document')}`;
}

function crawlAction(counts: Counts, editable: boolean): Step['action'] {
  if (!counts.crawlers)
    return editable ? { label: 'Make a crawler', to: '/projects/$projectId/crawlers/new' } : undefined;
  return counts.runners ? { label: 'Open runners', to: runners } : { label: 'Open crawlers', to: crawlers };
}

/** The path of a project, Design to Search: what is done, and the one step that comes next. */
export function stepsOf(counts: Counts, editable: boolean): Step[] {
  const steps: Omit<Step, 'state'>[] = [
    {
      title: 'Design',
      about: 'Say what a document looks like.',
      standing: counts.templates ? sayCount(counts.templates, 'template') : 'No templates yet',
      action: counts.templates
        ? { label: 'Open templates', to: templates }
        : editable
          ? { label: 'Make a template', to: '/projects/$projectId/templates/new' }
          : undefined,
    },
    {
      title: 'Crawl',
      about: 'Collect documents from websites.',
      standing: crawlStanding(counts),
      action: counts.templates ? crawlAction(counts, editable) : undefined,
    },
    {
      title: 'Index',
      about: 'Decide how they are found and ranked.',
      standing: counts.indexers ? sayCount(counts.indexers, 'indexer') : 'No indexers yet',
      action: counts.indexers
        ? { label: 'Open indexers', to: indexers }
        : counts.templates && editable
          ? { label: 'Make an indexer', to: '/projects/$projectId/indexers/new' }
          : undefined,
    },
    { title: 'Search', about: 'Ask your own search engine.', standing: 'Ready once an index is built' },
  ];
  const done = [counts.templates > 0, counts.crawlers > 0, counts.indexers > 0, false];
  const next = done.indexOf(false);
  return steps.map((step, at) => ({ ...step, state: done[at] ? 'done' : at === next ? 'next' : 'later' }));
}
