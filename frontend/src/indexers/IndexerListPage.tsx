import { Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { ColumnDef } from '@tanstack/react-table';
import { $api } from '../api/client';
import type { Indexer } from '../api/types';
import { NounListPage } from '../shared/nouns/NounListPage';
import { StatusBadge } from '../shared/StatusBadge';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';
import { useProjectId } from '../shared/useProject';

const columns: ColumnDef<Indexer>[] = [
  { id: 'status', header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.status} /> },
  {
    id: 'columns',
    header: 'Columns',
    meta: { hideBelow: 'md' },
    cell: ({ row }) => (
      <Text size="sm" maw={300} truncate>
        {row.original.columns.map(({ name }) => name).join(', ') || '–'}
      </Text>
    ),
  },
];

export function IndexerListPage() {
  const [state] = useTableSearch();
  const params = { query: { project: useProjectId(), ...listQuery(state) } };
  const indexers = $api.useQuery(
    'get',
    '/api/v1/indexers',
    { params },
    { placeholderData: keepPreviousData },
  );
  return (
    <NounListPage
      noun="indexers"
      title="Indexers"
      description="What can be searched, and what comes first."
      newLabel="New indexer"
      answer={indexers}
      columns={columns}
      empty={{
        scene: 'indexer',
        title: 'Make your documents searchable',
        text: 'An indexer chooses which inspectors become columns of the search, and lets you decide the ranking: by words, by price, by votes, by a formula of your own.',
      }}
    />
  );
}
