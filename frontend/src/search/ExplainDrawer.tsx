import { Alert, Code, Drawer, Stack, Text } from '@mantine/core';
import type { Explanation, SearchResult } from '../api/types';
import { sentenceOf } from '../api/errors';
import { ListSkeleton } from '../shared/ListSkeleton';
import { sayCount } from '../shared/numbers';
import { useAnswer } from './asking';
import { barsOf, sayFormula, sayRarity, sayScore, type Bar } from './explanation';
import type { FacetWish } from './facets';
import classes from './search.module.css';
import { searchBody, type SearchState } from './searchState';

function FieldLines({ bar, documents }: { bar: Bar; documents: number }) {
  const rarity = sayRarity(bar.part, documents);
  return (
    <Text component="div" size="xs" c="dimmed">
      {bar.part.fields.map(({ field, tf, length, average_length, boost }) => (
        <div key={field}>
          {tf === 1 ? 'Once' : `${tf} times`} in <b>{field}</b> ({length.toLocaleString()} of usually{' '}
          {sayCount(Math.round(average_length), 'word')}
          {boost === 1 ? '' : `, counts × ${boost}`})
        </div>
      ))}
      {bar.part.weight !== 1 && bar.part.weight > 0 && <div>Weight × {sayScore(bar.part.weight)}</div>}
      {rarity && <div>{rarity}</div>}
    </Text>
  );
}

function BarRow({ bar, documents }: { bar: Bar; documents: number }) {
  return (
    <li className={classes.barRow}>
      <div className={classes.barHead}>
        <span>{bar.label}</span>
        <b>{sayScore(bar.score)}</b>
      </div>
      <div className={classes.barTrack} aria-hidden="true">
        <div
          className={classes.barFill}
          data-negative={bar.score < 0 || undefined}
          style={{ width: `${Math.max(bar.length, 1)}%` }}
        />
      </div>
      <FieldLines bar={bar} documents={documents} />
    </li>
  );
}

function FormulaStep({ explanation }: { explanation: Explanation }) {
  const { formula, variables, text } = explanation;
  if (!formula) return null;
  const read = Object.entries(variables);
  return (
    <section aria-label="Formula">
      <Text fw={600} mb={6}>
        {sayFormula(explanation)}
      </Text>
      <Code block>{formula}</Code>
      <dl className={classes.variables}>
        <div>
          <dt>text</dt>
          <dd>{sayScore(text)}</dd>
        </div>
        {read.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? 'missing' : sayScore(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** How a score came about: parts as bars that add up, then what the formula made of them. */
export function ExplanationView({ explanation }: { explanation: Explanation }) {
  const bars = barsOf(explanation);
  return (
    <Stack gap="lg">
      <Text>
        Score <b>{sayScore(explanation.score)}</b>
        {explanation.formula ? '' : `, the sum of ${bars.length === 1 ? 'one part' : `${bars.length} parts`}`}
        . The higher the score, the further up.
      </Text>
      {bars.length === 0 && (
        <Text c="dimmed">No word was searched for, so every document has the same score for its words.</Text>
      )}
      <ol className={classes.bars} aria-label="Parts of the score">
        {bars.map((bar) => (
          <BarRow key={bar.part.label} bar={bar} documents={explanation.documents} />
        ))}
      </ol>
      {bars.length > 0 && (
        <div className={classes.barSum}>
          <span>Together</span>
          <b>{sayScore(explanation.text)}</b>
        </div>
      )}
      <FormulaStep explanation={explanation} />
    </Stack>
  );
}

interface ExplainDrawerProps {
  indexer: number;
  state: SearchState;
  wishes: FacetWish[];
  result: SearchResult | null;
  onClose: () => void;
}

/** Asks the same search again with its reasons, and shows those of one result. */
export function ExplainDrawer({ indexer, state, wishes, result, onClose }: ExplainDrawerProps) {
  const body = { ...searchBody(state, wishes), facets: [], explain: true };
  const { data, error } = useAnswer(indexer, body, { enabled: result !== null });
  const found = data?.results.find(({ key }) => key === result?.key);
  return (
    <Drawer
      opened={result !== null}
      onClose={onClose}
      position="right"
      size="md"
      title="Why this rank"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text fw={600} mb="md">
        {result && `${result.rank}. ${result.title.map(({ text }) => text).join('')}`}
      </Text>
      {!data && !error && <ListSkeleton rows={4} />}
      {error && <Alert color="red">{sentenceOf(error)}</Alert>}
      {found?.explanation && <ExplanationView explanation={found.explanation} />}
      {data && !found?.explanation && (
        <Alert color="gray">The index has changed in the meantime. Search again to see the new ranks.</Alert>
      )}
    </Drawer>
  );
}
