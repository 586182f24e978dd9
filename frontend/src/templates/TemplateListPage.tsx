import { Badge, Group, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { ColumnDef } from '@tanstack/react-table';
import { $api } from '../api/client';
import type { Template } from '../api/types';
import { useProjectId } from '../shared/useProject';
import { NounListPage } from '../shared/nouns/NounListPage';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';

const mostShown = 4;

function InspectorNames({ template }: { template: Template }) {
  const names = template.inspectors.map(({ name }) => name);
  return (
    <Group gap={4}>
      {names.slice(0, mostShown).map((name) => (
        <Badge key={name} variant="light" color="gray" tt="none" fw={500}>
          {name}
        </Badge>
      ))}
      {names.length > mostShown && (
        <Text size="xs" c="dimmed">
          and {names.length - mostShown} more
        </Text>
      )}
    </Group>
  );
}

const columns: ColumnDef<Template>[] = [
  {
    id: 'inspectors',
    header: 'Inspectors',
    meta: { hideBelow: 'sm' },
    cell: ({ row }) => <InspectorNames template={row.original} />,
  },
  {
    id: 'chain',
    header: 'Action chain',
    meta: { hideBelow: 'md' },
    cell: ({ row }) => row.original.actions.length || '–',
  },
];

export function TemplateListPage() {
  const [state] = useTableSearch();
  const params = { query: { project: useProjectId(), ...listQuery(state) } };
  const templates = $api.useQuery(
    'get',
    '/api/v1/templates',
    { params },
    { placeholderData: keepPreviousData },
  );
  return (
    <NounListPage
      noun="templates"
      title="Templates"
      description="What one kind of document looks like on a page."
      newLabel="New template"
      answer={templates}
      columns={columns}
      empty={{
        scene: 'template',
        title: 'Describe your first document',
        text: 'A template says what to pick from a page: for a product its title, price and picture. Each of these is an inspector that points at its place on the page.',
      }}
    />
  );
}
