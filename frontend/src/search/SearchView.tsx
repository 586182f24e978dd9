import { Box, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { SearchResult } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { ListSkeleton } from '../shared/ListSkeleton';
import { ExplainDrawer } from './ExplainDrawer';
import { FacetPanel, usefulFacets } from './FacetPanel';
import { QueryNotes, ResultHead } from './ResultHead';
import { ResultItem, type ResultActions } from './ResultItem';
import { ResultPages } from './ResultPages';
import { ResultTable } from './ResultTable';
import classes from './search.module.css';
import { SearchBar } from './SearchBar';
import { readSearchState, type SearchState } from './searchState';
import { SearchTrouble, WaitingNote } from './SearchTrouble';
import { SimilarDrawer } from './SimilarDrawer';
import { useSearchAnswer } from './useSearchAnswer';

/** The search in the address, and how to change it: every search is a step to go back to. */
export function useSearchState(): [SearchState, (next: SearchState) => void] {
  const state = readSearchState(useSearch({ strict: false }) as Record<string, unknown>);
  const navigate = useNavigate();
  const change = (next: SearchState) => void navigate({ to: '.', search: next as never });
  return [state, change];
}

function NothingFound({ state, change }: { state: SearchState; change: (next: SearchState) => void }) {
  const withoutFilters = state.facets && (
    <Button variant="default" onClick={() => change({ ...state, facets: undefined, page: undefined })}>
      Search without the filters
    </Button>
  );
  if (!state.q && !state.facets) {
    return (
      <EmptyState scene="documents" title="The index is empty">
        No documents have come in yet. As soon as a crawler finds some, they can be searched here.
      </EmptyState>
    );
  }
  return (
    <EmptyState scene="documents" title="Nothing was found" actions={withoutFilters}>
      {state.q ? `No document answers “${state.q}”${state.facets ? ' with these filters' : ''}. ` : ''}
      Try fewer or other words, or OR between them.
    </EmptyState>
  );
}

interface SearchViewProps {
  indexer: number;
  placeholder: string;
  buildAction?: ReactNode;
  traceLink?: ResultActions['traceLink'];
  /** What stands above the title of a result, such as buttons to judge it for the query it was found by. */
  judging?: (result: SearchResult, query: string) => ReactNode;
  /** What stands below the results. */
  footer?: ReactNode;
}

/** A whole search: box, notes, facets, results, pages, and the reasons behind them. */
export function SearchView(props: SearchViewProps) {
  const { indexer, placeholder, buildAction, traceLink, judging, footer } = props;
  const [state, change] = useSearchState();
  const search = useSearchAnswer(indexer, state);
  const [explained, setExplained] = useState<SearchResult | null>(null);
  const [likeness, setLikeness] = useState<SearchResult | null>(null);
  const [narrowing, { toggle }] = useDisclosure(false);
  const { answer, wishes, error } = search;
  const turnTo = (page: number) => {
    change({ ...state, page: page > 1 ? page : undefined });
    window.scrollTo({ top: 0 });
  };
  const showDuplicates = () => change({ ...state, all: true, page: undefined });
  const actions: ResultActions = {
    explainResult: setExplained,
    showSimilar: setLikeness,
    showDuplicates,
    traceLink,
  };
  const facets = answer ? usefulFacets(wishes, answer, state) : [];
  const searched = answer ? (answer.corrected ?? answer.query) : '';
  const chosen = Object.keys(state.facets ?? {}).length;
  return (
    <>
      <SearchBar
        indexer={indexer}
        q={state.q ?? ''}
        placeholder={placeholder}
        safe={state.safe}
        onSearch={(q) =>
          change({ q: q || undefined, view: state.view, facets: state.facets, safe: state.safe })
        }
      />
      {search.hindrance && !error ? (
        <WaitingNote hindrance={search.hindrance} failures={search.failures} />
      ) : null}
      {error && <SearchTrouble error={error} retry={search.retry} buildAction={buildAction} />}
      {!answer && !error && <ListSkeleton rows={4} height={96} />}
      {answer && !error && (
        <div className={classes.page} data-plain={facets.length === 0 || undefined}>
          {facets.length > 0 && (
            <aside aria-label="Narrow down">
              <Button
                variant="default"
                size="xs"
                hiddenFrom="md"
                onClick={toggle}
                aria-expanded={narrowing}
                mb="sm"
              >
                Narrow down{chosen ? ` (${chosen})` : ''}
              </Button>
              <Box visibleFrom={narrowing ? undefined : 'md'}>
                <FacetPanel facets={facets} answer={answer} state={state} change={change} />
              </Box>
            </aside>
          )}
          <section aria-label="Results" aria-busy={search.isFetching} className={classes.results}>
            <QueryNotes answer={answer} state={state} change={change} />
            <ResultHead {...{ answer, state, change, indexer, wishes }} listOnly={judging !== undefined} />
            {answer.total === 0 && <NothingFound state={state} change={change} />}
            {state.view === 'table' && !judging && answer.results.length > 0 ? (
              <ResultTable results={answer.results} columns={answer.columns} actions={actions} />
            ) : (
              <ol className={classes.list} start={answer.results[0]?.rank}>
                {answer.results.map((result) => (
                  <ResultItem
                    key={result.key}
                    result={result}
                    columns={answer.columns}
                    actions={actions}
                    judging={judging?.(result, searched)}
                  />
                ))}
              </ol>
            )}
            <ResultPages answer={answer} turnTo={turnTo} showDuplicates={showDuplicates} />
            {footer}
          </section>
        </div>
      )}
      <ExplainDrawer {...{ indexer, state, wishes }} result={explained} onClose={() => setExplained(null)} />
      <SimilarDrawer
        indexer={indexer}
        columns={answer?.columns ?? []}
        result={likeness}
        onClose={() => setLikeness(null)}
      />
    </>
  );
}
