import { Alert, Anchor, Drawer, Stack, Text } from '@mantine/core';
import { $api } from '../api/client';
import { sentenceOf } from '../api/errors';
import type { ResultColumn, SearchResult } from '../api/types';
import { ListSkeleton } from '../shared/ListSkeleton';
import classes from './search.module.css';
import { sayAddress, sayColumnValue } from './values';

interface SimilarDrawerProps {
  indexer: number;
  columns: ResultColumn[];
  result: SearchResult | null;
  onClose: () => void;
}

function SimilarItem({ result, columns }: { result: SearchResult; columns: ResultColumn[] }) {
  const prices = columns
    .filter(({ kind }) => kind === 'price')
    .map((column) => sayColumnValue(column, result.fields[column.name]));
  return (
    <li>
      <Anchor href={result.url} target="_blank" rel="noreferrer" fw={600}>
        {result.title.map(({ text }) => text).join('')}
      </Anchor>
      <Text className={classes.address}>{sayAddress(result.url)}</Text>
      <Text size="sm" fw={600}>
        {prices.filter(Boolean).join(' · ')}
      </Text>
    </li>
  );
}

/** Documents like one of the results. */
export function SimilarDrawer({ indexer, columns, result, onClose }: SimilarDrawerProps) {
  const params = { path: { id: indexer }, query: { doc: result?.key ?? '', limit: 10 } };
  const { data, error } = $api.useQuery(
    'get',
    '/api/v1/indexers/{id}/similar',
    { params },
    { enabled: result !== null },
  );
  return (
    <Drawer
      opened={result !== null}
      onClose={onClose}
      position="right"
      size="md"
      title="Similar documents"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text c="dimmed" mb="md">
        {result &&
          `Like “${result.title.map(({ text }) => text).join('')}”, by the words that tell most about it.`}
      </Text>
      {!data && !error && <ListSkeleton rows={5} />}
      {error && <Alert color="red">{sentenceOf(error)}</Alert>}
      {data?.results.length === 0 && <Text>Nothing else in the index is like it.</Text>}
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Similar documents">
        {data?.results.map((each) => (
          <SimilarItem key={each.key} result={each} columns={columns} />
        ))}
      </Stack>
    </Drawer>
  );
}
