import { keepPreviousData } from '@tanstack/react-query';
import type { ColumnDef } from '@tanstack/react-table';
import { $api } from '../api/client';
import type { ListedDictionary } from '../api/types';
import { NounListPage } from '../shared/nouns/NounListPage';
import { sayNumber } from '../shared/numbers';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';
import { useProjectId } from '../shared/useProject';

const columns: ColumnDef<ListedDictionary>[] = [
  { id: 'entries', header: 'Entries', cell: ({ row }) => sayNumber(row.original.entry_count) },
];

export function DictionaryListPage() {
  const [state] = useTableSearch();
  const params = { query: { project: useProjectId(), ...listQuery(state) } };
  const dictionaries = $api.useQuery(
    'get',
    '/api/v1/dictionaries',
    { params },
    { placeholderData: keepPreviousData },
  );
  return (
    <NounListPage
      noun="dictionaries"
      title="Dictionaries"
      description="Known names that feed the suggestions of a search."
      newLabel="New dictionary"
      answer={dictionaries}
      columns={columns}
      empty={{
        scene: 'dictionary',
        title: 'Teach the search some names',
        text: 'A dictionary lists names with a score and their synonyms: cities, brands, authors. An indexer uses it to suggest what people may mean while they type.',
      }}
    />
  );
}
