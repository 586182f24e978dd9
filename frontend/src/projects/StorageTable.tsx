import { Table, Text } from '@mantine/core';
import { $api } from '../api/client';
import type { Storage } from '../api/types';
import { ErrorPanel } from '../shared/ErrorPanel';
import { ListSkeleton } from '../shared/ListSkeleton';
import { sayBytes, sayNumber } from '../shared/numbers';

type Kind = Storage['kinds'][number];

const names: Record<Kind['kind'], string> = {
  documents: 'Documents',
  versions: 'Versions of documents',
  pages: 'Pages',
  page_contents: 'Text, links and copies of pages',
  frontier: 'Addresses found (frontier)',
  log: 'Lines of logs',
};

/** Exact counts as they are; estimates say so. */
function sayRows({ rows, is_estimate }: Kind): string {
  return is_estimate ? `about ${sayNumber(rows)}` : sayNumber(rows);
}

/** What a project holds, by kind: rows, and about how many bytes. */
export function StorageTable({ project }: { project: number }) {
  const path = { id: project };
  const storage = $api.useQuery('get', '/api/v1/projects/{id}/storage', { params: { path } });
  if (storage.error && !storage.data)
    return <ErrorPanel error={storage.error} retry={() => void storage.refetch()} />;
  if (!storage.data) return <ListSkeleton rows={6} height={24} />;
  const { kinds, bytes } = storage.data;
  return (
    <>
      <Table aria-label="Storage" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th ta="right">Rows</Table.Th>
            <Table.Th ta="right">Takes about</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {kinds.map((kind) => (
            <Table.Tr key={kind.kind}>
              <Table.Td>{names[kind.kind]}</Table.Td>
              <Table.Td ta="right">{sayRows(kind)}</Table.Td>
              <Table.Td ta="right">{sayBytes(kind.bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>Together</Table.Th>
            <Table.Th />
            <Table.Th ta="right">{sayBytes(bytes)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
      <Text size="xs" c="dimmed">
        Sizes are estimates. Files of indexes are not part of it.
      </Text>
    </>
  );
}
