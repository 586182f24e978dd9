import { Alert, List, Text } from '@mantine/core';
import type { Indexer, JudgedQuery, SearchResult } from '../../api/types';
import { LinkButton } from '../../shared/LinkButton';
import { useNounLinks } from '../../shared/nouns/useNounActions';
import { sayCount } from '../../shared/numbers';
import { SearchView, useSearchState } from '../SearchView';
import { GradeButtons } from './GradeButtons';
import { enoughQueries } from './measures';

function FirstSteps() {
  return (
    <Alert color="fern" title="Teach Gleaner what a good result is" mb="md">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>Type a query as the people who search would type it.</List.Item>
        <List.Item>
          Grade the results you know: 3 for exactly what is wanted, 0 for what should not be there.
        </List.Item>
        <List.Item>
          Do the same for about {enoughQueries} different queries. Then measure how good the ranking is.
        </List.Item>
      </List>
    </Alert>
  );
}

/** How much was judged, and what to do next. */
function saySoFar(all: JudgedQuery[], q: string | undefined): string {
  const judged = all.find(({ text }) => text === q?.trim().replace(/\s+/g, ' '));
  const queries = `${sayCount(all.length, 'query', 'queries')} judged so far`;
  if (!q) return `${queries}. Type a query to judge its results.`;
  if (!judged) return `${queries}. None of these results is judged yet: choose a grade above a title.`;
  return `${sayCount(judged.judgements.length, 'result')} judged for this query, ${queries}.`;
}

interface JudgePanelProps {
  indexer: Indexer;
  judged: JudgedQuery[];
}

/** The search with buttons to judge every result. */
export function JudgePanel({ indexer, judged }: JudgePanelProps) {
  const [{ q }] = useSearchState();
  const links = useNounLinks('indexers');
  const judging = (result: SearchResult, query: string) => {
    if (!query.trim()) return null;
    const known = judged.find(({ text }) => text === query.trim().replace(/\s+/g, ' '));
    const stored = known?.judgements.find(({ key }) => key === result.key)?.grade ?? null;
    return (
      <GradeButtons key={`${query} ${result.key}`} {...{ indexer: indexer.id, query, result, stored }} />
    );
  };
  return (
    <>
      {judged.length === 0 && <FirstSteps />}
      {judged.length > 0 && (
        <Text size="sm" c="dimmed" mb="md" role="status">
          {saySoFar(judged, q)}
        </Text>
      )}
      <SearchView
        indexer={indexer.id}
        placeholder="A query that people ask"
        buildAction={<LinkButton link={links.open(indexer)}>Open the indexer and start it</LinkButton>}
        judging={judging}
      />
    </>
  );
}
