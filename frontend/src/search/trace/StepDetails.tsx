import { Anchor, Badge, Code, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Trace, TraceStep } from '../../api/types';
import { Value } from '../../documents/values';
import { LinkButton } from '../../shared/LinkButton';
import { sayBytes, sayCount } from '../../shared/numbers';
import { ExplanationView } from '../ExplainDrawer';
import { sayAddress } from '../values';
import classes from './trace.module.css';

const documentsShown = 5;

function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Pages that link to it, unless the sentence has named the only one. */
function LinkingPages({ trace, sentence }: { trace: Trace; sentence: string }) {
  if (trace.found_on.every(({ url }) => sentence.includes(url))) return null;
  return (
    <ul className={classes.links} aria-label="Pages that link to it">
      {trace.found_on.map(({ url, anchor }) => (
        <li key={`${url} ${anchor}`}>
          <Anchor href={url} target="_blank" rel="noreferrer" fz="sm">
            {sayAddress(url)}
          </Anchor>
          {anchor && (
            <Text component="span" size="sm" c="dimmed">
              {' '}
              with the words “{anchor}”
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}

function Answer({ page }: { page: NonNullable<Trace['page']> }) {
  const facts: [string, ReactNode][] = [
    ['Answer', page.http_status ?? 'none'],
    ['Kind', page.content_type || '–'],
    ['Size', sayBytes(page.size_bytes)],
    ['Loaded in', `${Math.round(page.load_ms)} ms`],
    ['Read in', `${Math.round(page.processing_ms)} ms`],
    ['Lane', page.lane],
  ];
  if (page.target) facts.push(['Leads to', page.target]);
  return (
    <>
      <Facts facts={facts} />
      {page.quality && <Quality quality={page.quality} />}
    </>
  );
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** How good the page looks by itself: one number, and the signs it is the mean of. */
function Quality({ quality }: { quality: NonNullable<NonNullable<Trace['page']>['quality']> }) {
  return (
    <details className={classes.details}>
      <summary>Page quality {percent(quality.score)}</summary>
      <Facts
        facts={quality.parts.map(({ name, value, weight, reason }) => [
          `${name} (counts ${weight})`,
          `${percent(value)}: ${reason}`,
        ])}
      />
    </details>
  );
}

type Traced = Trace['documents'][number];

function nameOf({ values, url }: Traced): string {
  const [first] = Object.values(values).filter((value) => typeof value === 'string');
  return (first as string | undefined) ?? sayAddress(url);
}

/** The values of a document; where the run kept its pages, also what found them. */
function DocumentValues({ document }: { document: Traced }) {
  const names = new Set([
    ...document.selectors.map(({ field }) => field),
    ...Object.keys(document.values as object),
  ]);
  return (
    <div className={classes.values}>
      {[...names].map((name) => {
        const fired = document.selectors.find(({ field }) => field === name);
        return (
          <div key={name}>
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <div>
              <Value value={document.values[name]} name={name} />
              {fired?.selector && <Code className={classes.selector}>{fired.selector}</Code>}
              {fired?.is_fallback && (
                <Badge size="xs" variant="light" color="wheat" tt="none">
                  fallback
                </Badge>
              )}
              {fired && !fired.selector && (
                <Text size="xs" c={fired.is_required ? 'var(--mantine-color-error)' : 'dimmed'}>
                  No selector found anything.
                </Text>
              )}
            </div>
          </div>
        );
      })}
    </div>
  );
}

function Documents({ documents }: { documents: Traced[] }) {
  const more = documents.length - documentsShown;
  return (
    <>
      {documents.slice(0, documentsShown).map((document) => (
        <details key={document.id} className={classes.details}>
          <summary>{nameOf(document)}</summary>
          <DocumentValues document={document} />
        </details>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          and {sayCount(more, 'document')} more
        </Text>
      )}
    </>
  );
}

function Indexes({ indexes }: { indexes: Trace['indexes'] }) {
  return indexes
    .filter(({ is_indexed }) => is_indexed)
    .map(({ indexer, document, name, words }) => (
      <details key={`${indexer} ${document}`} className={classes.details}>
        <summary>Words by field in “{name}”</summary>
        <Facts facts={Object.entries(words).map(([field, count]) => [field, count.toLocaleString()])} />
      </details>
    ));
}

function Ranks({ trace, q }: { trace: Trace; q: string }) {
  const { projectId = '' } = useParams({ strict: false });
  return trace.indexes.map(({ indexer, document, name, explanation, rank }) => (
    <div key={`${indexer} ${document}`}>
      {explanation && (
        <details className={classes.details}>
          <summary>
            Why number {rank?.toLocaleString()} in “{name}”
          </summary>
          <div className={classes.explanation}>
            <ExplanationView explanation={explanation} />
          </div>
        </details>
      )}
      <LinkButton
        variant="subtle"
        size="compact-sm"
        ml={-8}
        link={{
          to: '/projects/$projectId/search/$indexerId',
          params: { projectId, indexerId: String(indexer) },
          search: { q },
        }}
      >
        Search “{name}” for it
      </LinkButton>
    </div>
  ));
}

/** What is known beyond the sentence of a step. */
export function StepDetails({ step, trace, q }: { step: TraceStep; trace: Trace; q: string }) {
  if (step.state === 'not reached') return null;
  switch (step.name) {
    case 'discovered':
      return <LinkingPages trace={trace} sentence={step.sentence} />;
    case 'fetched':
      return trace.page && <Answer page={trace.page} />;
    case 'extracted':
      return <Documents documents={trace.documents} />;
    case 'indexed':
      return <Indexes indexes={trace.indexes} />;
    case 'ranked':
      return <Ranks trace={trace} q={q} />;
    default:
      return null;
  }
}
