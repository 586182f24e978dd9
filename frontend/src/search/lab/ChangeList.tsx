import { Box, Table, Text } from '@mantine/core';
import surfaces from '../../shared/surfaces.module.css';
import tables from '../../shared/table/DataTable.module.css';
import type { Change } from './settings';

interface ChangeListProps {
  changes: Change[];
  before: string;
  after: string;
  /** What stands here when nothing differs. */
  empty: string;
}

/** What differs between two settings. */
export function ChangeList({ changes, before, after, empty }: ChangeListProps) {
  if (!changes.length) return <Text c="dimmed">{empty}</Text>;
  return (
    <Box className={surfaces.card} maw={640}>
      <Table aria-label="What differs" verticalSpacing={6} horizontalSpacing="md" className={tables.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What differs</Table.Th>
            <Table.Th>{before}</Table.Th>
            <Table.Th>{after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.label}>
              <Table.Th scope="row" fw={400}>
                {change.label}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{change.before}</Table.Td>
              <Table.Td fw={600} style={{ overflowWrap: 'anywhere' }}>
                {change.after}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
