import { Anchor, Badge, Box, Drawer, Table } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { $api } from '../api/client';
import type { Document } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { useNewsInterval } from '../shared/events/live';
import { ListSkeleton } from '../shared/ListSkeleton';
import surfaces from '../shared/surfaces.module.css';
import tables from '../shared/table/DataTable.module.css';
import { KeysetPager } from '../shared/table/keyset';
import { Moment } from '../shared/time';
import { DocumentHistory } from './DocumentHistory';
import { fieldsOf, nameOf, Value } from './values';

interface DocumentTableProps {
  query: { project?: number; crawler?: number; runner?: number; cursor?: string };
  /** Whether more may come at any moment. */
  isGrowing?: boolean;
}

/** A phone shows one field beside the name, wider screens more. */
function roomFor(column: number): 'sm' | 'md' | undefined {
  if (column === 0) return undefined;
  return column < 3 ? 'sm' : 'md';
}

function DocumentRow({
  document,
  fields,
  onOpen,
}: {
  document: Document;
  fields: string[];
  onOpen: () => void;
}) {
  const [first, ...others] = fields;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component="button" type="button" onClick={onOpen} fz="sm" fw={600} ta="start">
          {nameOf(document, first)}
        </Anchor>
        {document.gone_at && (
          <Badge ml={8} size="sm" variant="light" color="gray" tt="none">
            gone
          </Badge>
        )}
      </Table.Td>
      {others.map((field, at) => (
        <Table.Td key={field} visibleFrom={roomFor(at)}>
          <Value value={document.values[field]} name={field} />
        </Table.Td>
      ))}
      <Table.Td visibleFrom="sm">
        <Moment value={document.last_seen_at} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Extracted records, newest first; each opens into its values and their history. */
export function DocumentTable({ query, isGrowing = false }: DocumentTableProps) {
  const [opened, setOpened] = useState<Document | null>(null);
  const newsEveryMs = useNewsInterval();
  const answer = $api.useQuery(
    'get',
    '/api/v1/documents',
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: isGrowing && newsEveryMs },
  );
  if (answer.error && !answer.data)
    return <ErrorPanel error={answer.error} retry={() => void answer.refetch()} />;
  if (!answer.data) return <ListSkeleton rows={6} />;
  const { results, next, previous } = answer.data;
  if (!results.length && !query.cursor) {
    return (
      <EmptyState scene="documents" title="No documents yet">
        What crawlers extract with a template arrives here: one row per document, with every value and how it
        changed over time.
      </EmptyState>
    );
  }
  const fields = fieldsOf(results);
  return (
    <Box className={surfaces.card}>
      <Table.ScrollContainer minWidth={320} type="native">
        <Table aria-label="Documents" verticalSpacing="xs" horizontalSpacing="md" className={tables.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{fields[0] ?? 'Document'}</Table.Th>
              {fields.slice(1).map((field, at) => (
                <Table.Th key={field} visibleFrom={roomFor(at)}>
                  {field}
                </Table.Th>
              ))}
              <Table.Th visibleFrom="sm">Last seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map((document) => (
              <DocumentRow
                key={document.id}
                document={document}
                fields={fields}
                onOpen={() => setOpened(document)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <KeysetPager label="Pages of documents" next={next} previous={previous} />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="lg"
        title="Document"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened && <DocumentHistory document={opened} />}
      </Drawer>
    </Box>
  );
}
