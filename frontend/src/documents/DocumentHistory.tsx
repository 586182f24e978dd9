import { Anchor, Stack, Table, Text, Title } from '@mantine/core';
import { $api } from '../api/client';
import type { Document } from '../api/types';
import { ErrorPanel } from '../shared/ErrorPanel';
import { ListSkeleton } from '../shared/ListSkeleton';
import { Moment } from '../shared/time';
import { Value } from './values';

function ValueTable({ values, label }: { values: Record<string, unknown>; label: string }) {
  return (
    <Table aria-label={label} verticalSpacing="xs" layout="fixed">
      <Table.Tbody>
        {Object.entries(values).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={140}>{name}</Table.Th>
            <Table.Td>
              <Value value={value} name={name} isWhole />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** One document and every version of its values, newest first. */
export function DocumentHistory({ document }: { document: Document }) {
  const path = { parent_pk: document.id };
  const versions = $api.useQuery('get', '/api/v1/documents/{parent_pk}/versions', { params: { path } });
  return (
    <Stack gap="lg">
      <div>
        <Anchor href={document.url} target="_blank" rel="noreferrer" style={{ overflowWrap: 'anywhere' }}>
          {document.url}
        </Anchor>
        <Text size="sm" c="dimmed" mt={4}>
          First seen <Moment value={document.first_seen_at} />, last seen{' '}
          <Moment value={document.last_seen_at} />
          {document.gone_at && (
            <>
              , gone since <Moment value={document.gone_at} />
            </>
          )}
        </Text>
      </div>
      {versions.error && !versions.data && (
        <ErrorPanel error={versions.error} retry={() => void versions.refetch()} />
      )}
      {versions.isPending && <ListSkeleton rows={4} height={24} />}
      {versions.data?.results.map((version) => (
        <section key={version.id} aria-label={`Version ${version.number}`}>
          <Title order={3}>
            Version {version.number}
            {version.is_current && ' (current)'}
          </Title>
          <Text size="sm" c="dimmed">
            Extracted <Moment value={version.extracted_at} />
          </Text>
          <ValueTable values={version.values} label={`Values of version ${version.number}`} />
        </section>
      ))}
    </Stack>
  );
}
