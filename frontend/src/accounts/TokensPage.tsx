import { Button, Code, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ColumnDef } from '@tanstack/react-table';
import { $api } from '../api/client';
import type { ApiToken } from '../api/types';
import { confirmDeletion } from '../shared/confirm';
import { EmptyState } from '../shared/EmptyState';
import { notifyDone, notifyError } from '../shared/notify';
import { RowMenu } from '../shared/nouns/RowMenu';
import { PageHeader } from '../shared/PageHeader';
import { AddIcon } from '../shared/pictures/icons';
import { actionsColumn } from '../shared/table/actionsColumn';
import { DataTable } from '../shared/table/DataTable';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';
import { Moment } from '../shared/time';
import { NewToken } from './NewToken';

function useDeleteToken() {
  const remove = $api.useMutation('delete', '/api/v1/tokens/{id}', {
    onError: notifyError,
    onSuccess: () => notifyDone('Token deleted.'),
  });
  return ({ id, name }: ApiToken) =>
    confirmDeletion({
      what: `the token “${name}”`,
      consequence: 'Programs that use it can no longer sign in.',
      onConfirm: () => remove.mutate({ params: { path: { id } } }),
    });
}

export function TokensPage() {
  const [state, changeState] = useTableSearch();
  const [opened, dialog] = useDisclosure(false);
  const deleteToken = useDeleteToken();
  const tokens = $api.useQuery('get', '/api/v1/tokens', { params: { query: listQuery(state) } });
  const columns: ColumnDef<ApiToken>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ row }) => (
        <Text fw={600} fz="sm">
          {row.original.name}
        </Text>
      ),
    },
    {
      id: 'prefix',
      header: 'Begins with',
      meta: { hideBelow: 'sm' },
      cell: ({ row }) => <Code>{row.original.prefix}</Code>,
    },
    { id: 'expires_at', header: 'Expires', cell: ({ row }) => <Moment value={row.original.expires_at} /> },
    {
      id: 'last_used_at',
      header: 'Last used',
      meta: { hideBelow: 'sm' },
      cell: ({ row }) => <Moment value={row.original.last_used_at} />,
    },
    actionsColumn((original) => <RowMenu name={original.name} onDelete={() => deleteToken(original)} />),
  ];
  const newButton = (
    <Button leftSection={<AddIcon />} onClick={dialog.open}>
      New token
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API tokens"
        description="Keys with which your own programs use Gleaner as you."
        actions={newButton}
      />
      <DataTable
        label="tokens"
        columns={columns}
        answer={tokens}
        state={state}
        onStateChange={changeState}
        searchable={false}
        empty={
          <EmptyState scene="key" title="No tokens yet" actions={newButton}>
            A token lets a program do what you may do, without your password. It expires by itself, and you
            can delete it at any time. The API is described at{' '}
            <a href="/api/v1/docs" style={{ color: 'inherit' }}>
              /api/v1/docs
            </a>
            .
          </EmptyState>
        }
      />
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New API token"
        closeButtonProps={{ 'aria-label': 'Close' }}
        closeOnClickOutside={false}
      >
        <NewToken onDone={dialog.close} />
      </Modal>
    </>
  );
}
