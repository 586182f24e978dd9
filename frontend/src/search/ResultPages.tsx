import { Anchor, Button, Pagination, Text } from '@mantine/core';
import type { SearchAnswer } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { sayCount } from '../shared/numbers';
import classes from './search.module.css';
import { deepestResult, resultsPerPage } from './searchState';

interface PagesProps {
  answer: SearchAnswer;
  turnTo: (page: number) => void;
  showDuplicates: () => void;
}

/** As many pages as surely have results: with near-duplicates hidden, more appear as one turns them. */
function Pages({ answer, turnTo }: PagesProps) {
  const pages = Math.ceil(answer.reachable / resultsPerPage);
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages of results" className={classes.pages}>
      <Pagination
        total={pages}
        value={answer.page}
        onChange={turnTo}
        getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
        getControlProps={(control) => ({
          'aria-label': control === 'next' ? 'Next page' : 'Previous page',
        })}
      />
    </nav>
  );
}

/** Why the last page is the last one, where there is more than it shows. */
function sayEnd({ total, hidden, reachable }: SearchAnswer): string {
  const said =
    hidden > 0 ? `${sayCount(hidden, 'near-duplicate')} ${hidden === 1 ? 'is' : 'are'} hidden.` : '';
  if (total <= reachable) return said;
  if (reachable < deepestResult)
    return `${said} Results further down have no pages. Narrow the search.`.trim();
  return `Only the first ${deepestResult.toLocaleString()} results have pages. Narrow the search, or export it.`;
}

function End({ answer, showDuplicates }: PagesProps) {
  const end = answer.page * resultsPerPage >= answer.reachable ? sayEnd(answer) : '';
  if (!end) return null;
  return (
    <Text size="sm" c="dimmed" ta="center" mt="md" role="note">
      {end}{' '}
      {answer.hidden > 0 && (
        <Anchor component="button" type="button" fz="inherit" onClick={showDuplicates}>
          Show them too
        </Anchor>
      )}
    </Text>
  );
}

/** What stands below the results: the other pages, or why there are none. */
export function ResultPages(props: PagesProps) {
  const { answer, turnTo } = props;
  const back = (
    <Button variant="default" onClick={() => turnTo(1)}>
      Go to the first page
    </Button>
  );
  return (
    <>
      {answer.total > 0 && answer.results.length === 0 && (
        <EmptyState scene="documents" title="This page is empty" actions={back}>
          The results end before it.
        </EmptyState>
      )}
      <Pages {...props} />
      <End {...props} />
    </>
  );
}
