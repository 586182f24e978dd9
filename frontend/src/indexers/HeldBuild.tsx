import { Alert, Anchor, Button, Group, List, Stack, Table, Text } from '@mantine/core';
import { $api } from '../api/client';
import type { Build, Indexer } from '../api/types';
import { sayCount, sayNumber } from '../shared/numbers';
import { notifyDone, notifyError } from '../shared/notify';
import { useMayEdit } from '../shared/useProject';

type Comparison = NonNullable<Build['comparison']>;
type Example = Comparison['lost_examples'][number];

function Examples({ title, examples }: { title: string; examples: Example[] }) {
  if (!examples.length) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {examples.map(({ key, title: name, url }) => (
          <List.Item key={key}>
            <Anchor href={url} target="_blank" rel="noreferrer" fz="sm">
              {name || url}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

const percent = (share: number) => `${share.toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;

function Difference({ comparison }: { comparison: Comparison }) {
  const columns = Object.entries(comparison.fill);
  return (
    <Table aria-label="What would change" withRowBorders={false} verticalSpacing={3} fz="sm" maw={460}>
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          <Table.Th ta="end">Searched now</Table.Th>
          <Table.Th ta="end">New build</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Table.Tr>
          <Table.Th>Documents</Table.Th>
          <Table.Td ta="end">{sayNumber(comparison.documents_before)}</Table.Td>
          <Table.Td ta="end">{sayNumber(comparison.documents_after)}</Table.Td>
        </Table.Tr>
        {columns.map(([name, { before, after }]) => (
          <Table.Tr key={name}>
            <Table.Th fw={400}>{name} is filled in</Table.Th>
            <Table.Td ta="end">{percent(before)}</Table.Td>
            <Table.Td ta="end" c={after < before ? 'var(--mantine-color-error)' : undefined}>
              {percent(after)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Decision({ indexer }: { indexer: Indexer }) {
  const options = { onError: notifyError };
  const request = { params: { path: { id: indexer.id } } };
  const accept = $api.useMutation('post', '/api/v1/indexers/{id}/accept', options);
  const discard = $api.useMutation('post', '/api/v1/indexers/{id}/discard', options);
  const isPending = accept.isPending || discard.isPending;
  const acceptBuild = () =>
    accept.mutate(request, { onSuccess: () => notifyDone('Searches use the new build now.') });
  const discardBuild = () =>
    discard.mutate(request, { onSuccess: () => notifyDone('The new build is thrown away.') });
  return (
    <Group gap="xs">
      <Button disabled={isPending} onClick={acceptBuild}>
        Use the new build
      </Button>
      <Button variant="default" disabled={isPending} onClick={discardBuild}>
        Throw it away
      </Button>
    </Group>
  );
}

/** A build that lost too much: what would change, and a person decides. */
export function HeldBuild({ indexer, build }: { indexer: Indexer; build: Build }) {
  const mayEdit = useMayEdit();
  const { comparison } = build;
  return (
    <Alert color="red" title="A new build waits for your decision">
      <Stack gap="sm">
        <Text size="sm">
          Searches still use the build before it. {comparison?.reasons.join(' ') || build.reason}
        </Text>
        {comparison && (
          <>
            <Text size="sm">
              {sayCount(comparison.lost, 'document')} would be lost, {sayNumber(comparison.new)} would be new.
              {comparison.deleted > 0 &&
                ` ${sayCount(comparison.deleted, 'document')} deleted, or taken out with the crawler.`}
            </Text>
            <Difference comparison={comparison} />
            <Examples title="Would be lost, for example" examples={comparison.lost_examples} />
            {Object.entries(comparison.emptied_examples).map(([column, examples]) => (
              <Examples key={column} title={`Would have no ${column}, for example`} examples={examples} />
            ))}
          </>
        )}
        {mayEdit && <Decision indexer={indexer} />}
      </Stack>
    </Alert>
  );
}
