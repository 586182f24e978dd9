import { Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { ColumnDef } from '@tanstack/react-table';
import { $api } from '../api/client';
import type { Crawler } from '../api/types';
import { useProjectId } from '../shared/useProject';
import { NounListPage } from '../shared/nouns/NounListPage';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';

function sayFirstSeed(seeds: string[]): string {
  const first = (seeds[0] ?? '').replace(/^https?:\/\//, '').replace(/\/$/, '');
  return seeds.length > 1 ? `${first} and ${seeds.length - 1} more` : first;
}

const columns: ColumnDef<Crawler>[] = [
  { id: 'template', header: 'Template', cell: ({ row }) => row.original.template_name },
  {
    id: 'seeds',
    header: 'Starts at',
    meta: { hideBelow: 'md' },
    cell: ({ row }) => (
      <Text size="sm" maw={260} truncate>
        {sayFirstSeed(row.original.seeds)}
      </Text>
    ),
  },
  { id: 'runners', header: 'Runs', meta: { hideBelow: 'sm' }, cell: ({ row }) => row.original.runner_count },
];

export function CrawlerListPage() {
  const [state] = useTableSearch();
  const params = { query: { project: useProjectId(), ...listQuery(state) } };
  const crawlers = $api.useQuery(
    'get',
    '/api/v1/crawlers',
    { params },
    { placeholderData: keepPreviousData },
  );
  return (
    <NounListPage
      noun="crawlers"
      title="Crawlers"
      description="Where to collect documents, and how."
      newLabel="New crawler"
      answer={crawlers}
      columns={columns}
      empty={{
        scene: 'crawler',
        title: 'Send out your first crawler',
        text: 'A crawler starts at an address, follows the links you allow, and applies a template to every page it finds. It keeps to the rules of each website and never hurries it.',
      }}
    />
  );
}
