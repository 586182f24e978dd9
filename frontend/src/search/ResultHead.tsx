import { Alert, Anchor, Button, Group, Menu, SegmentedControl, Select, Switch, Text } from '@mantine/core';
import type { ResultColumn, SearchAnswer } from '../api/types';
import { sayCount } from '../shared/numbers';
import { DownloadIcon } from '../shared/pictures/icons';
import type { FacetWish } from './facets';
import { exportAddress, type SearchState } from './searchState';

interface HeadProps {
  answer: SearchAnswer;
  state: SearchState;
  change: (next: SearchState) => void;
}

function QueryLink({ q, onSearch }: { q: string; onSearch: () => void }) {
  return (
    <Anchor component="button" type="button" onClick={onSearch} fw={600} fz="inherit">
      {q}
    </Anchor>
  );
}

/** What was searched for instead, what may have been meant, and what of the query was read otherwise. */
export function QueryNotes({ answer, state, change }: HeadProps) {
  const { corrected, did_you_mean, notices, query } = answer;
  const search = (q: string, exact?: true) => change({ ...state, q, exact, page: undefined });
  return (
    <>
      {corrected && (
        <Text mb="sm">
          Showing results for <b>{corrected}</b>. Search for{' '}
          <QueryLink q={query} onSearch={() => search(query, true)} /> instead?
        </Text>
      )}
      {did_you_mean && (
        <Text mb="sm">
          Did you mean <QueryLink q={did_you_mean} onSearch={() => search(did_you_mean)} />?
        </Text>
      )}
      {notices.length > 0 && (
        <Alert color="gray" mb="sm" p="xs" role="note">
          {notices.map(({ message, hint, position }) => (
            <div key={`${position} ${message}`}>
              {message} {hint}
            </div>
          ))}
        </Alert>
      )}
    </>
  );
}

const ways: Record<string, [string, string]> = {
  date: ['oldest first', 'newest first'],
  price: ['lowest first', 'highest first'],
  number: ['lowest first', 'highest first'],
  text: ['A to Z', 'Z to A'],
};

function sortChoices(columns: ResultColumn[]) {
  return [
    { value: '', label: 'Best first' },
    ...columns
      .filter(({ can_sort }) => can_sort)
      .flatMap(({ name, kind }) => {
        const [up, down] = ways[kind] ?? ['ascending', 'descending'];
        return [
          { value: name, label: `${name}, ${up}` },
          { value: `-${name}`, label: `${name}, ${down}` },
        ];
      }),
  ];
}

const exportFormats = { csv: 'CSV', jsonl: 'JSON lines', json: 'JSON', xlsx: 'Excel', parquet: 'Parquet' };

/** The whole result as a file: plain links, so that the browser saves the stream as it comes. */
function ExportMenu({ indexer, wishes, state, isEmpty }: ExportProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" disabled={isEmpty} leftSection={<DownloadIcon size={15} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(exportFormats).map(([format, label]) => (
          <Menu.Item key={format} component="a" href={exportAddress(indexer, state, wishes, format)} download>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ExportProps {
  indexer: number;
  wishes: FacetWish[];
  state: SearchState;
  isEmpty: boolean;
}

/** With near-duplicates hidden, nobody knows how many there are further down. */
export function sayTotal({ total, hidden, reachable, query, ms, index }: SearchAnswer): string {
  const about = hidden > 0 && reachable < total ? 'About ' : '';
  const found = `${about}${sayCount(total, query.trim() ? 'result' : 'document')}`;
  const time = ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
  return `${found} of ${index.documents.toLocaleString()} in ${time} ms`;
}

type ResultHeadProps = HeadProps &
  Omit<ExportProps, 'isEmpty'> & {
    /** There is no table to choose. */
    listOnly: boolean;
  };

/** How much was found and how fast; order, look and export of it. */
export function ResultHead({ answer, state, change, listOnly, ...rest }: ResultHeadProps) {
  return (
    <Group justify="space-between" mb="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {sayTotal(answer)}
      </Text>
      <Group gap="xs">
        <Switch
          size="xs"
          label="Safe search"
          checked={answer.is_safe}
          onChange={({ currentTarget }) => change({ ...state, safe: currentTarget.checked, page: undefined })}
        />
        {!listOnly && (
          <SegmentedControl
            size="xs"
            aria-label="Show results as"
            value={state.view ?? 'list'}
            data={[
              { value: 'list', label: 'List' },
              { value: 'table', label: 'Table' },
            ]}
            onChange={(view) => change({ ...state, view: view === 'table' ? 'table' : undefined })}
          />
        )}
        <Select
          size="xs"
          w={{ base: 118, xs: 180 }}
          aria-label="Order"
          value={state.sort ?? ''}
          data={sortChoices(answer.columns)}
          onChange={(sort) => change({ ...state, sort: sort || undefined, page: undefined })}
        />
        <ExportMenu {...rest} state={state} isEmpty={answer.total === 0} />
      </Group>
    </Group>
  );
}
