import { Badge, Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import type { ColumnDef } from '@tanstack/react-table';
import { useState } from 'react';
import { $api } from '../api/client';
import type { User } from '../api/types';
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
import { UserForm } from './UserForm';

function useDeleteUser() {
  const remove = $api.useMutation('delete', '/api/v1/users/{id}', {
    onError: notifyError,
    onSuccess: () => notifyDone('User deleted.'),
  });
  return ({ id, username }: User) =>
    confirmDeletion({
      what: `the user ${username}`,
      consequence: 'The person can no longer sign in. Projects they worked on stay.',
      onConfirm: () => remove.mutate({ params: { path: { id } } }),
    });
}

const facts: ColumnDef<User>[] = [
  {
    id: 'username',
    header: 'User',
    enableSorting: true,
    cell: ({ row: { original } }) => (
      <>
        <Text fw={600} fz="sm">
          {original.username}
        </Text>
        <Text size="xs" c="dimmed">
          {original.email}
        </Text>
      </>
    ),
  },
  {
    id: 'rights',
    header: 'Rights',
    cell: ({ row: { original } }) => (
      <Badge
        variant="light"
        tt="none"
        color={!original.is_active ? 'gray' : original.is_admin ? 'fern' : 'wheat'}
      >
        {!original.is_active ? 'Blocked' : original.is_admin ? 'Administrator' : 'User'}
      </Badge>
    ),
  },
  {
    id: 'last_login',
    header: 'Last signed in',
    meta: { hideBelow: 'sm' },
    cell: ({ row }) => <Moment value={row.original.last_login} />,
  },
];

export function UsersPage() {
  const [state, changeState] = useTableSearch();
  const [edited, setEdited] = useState<User | null>(null);
  const [opened, dialog] = useDisclosure(false);
  const deleteUser = useDeleteUser();
  const params = { query: listQuery(state) };
  const users = $api.useQuery('get', '/api/v1/users', { params }, { placeholderData: keepPreviousData });
  const open = (user: User | null) => {
    setEdited(user);
    dialog.open();
  };
  const columns: ColumnDef<User>[] = [
    ...facts,
    actionsColumn((original) => (
      <RowMenu name={original.username} onEdit={() => open(original)} onDelete={() => deleteUser(original)} />
    )),
  ];
  const addButton = (
    <Button leftSection={<AddIcon />} onClick={() => open(null)}>
      Add user
    </Button>
  );
  return (
    <>
      <PageHeader title="Users" description="Who may sign in to this Gleaner." actions={addButton} />
      <DataTable
        label="users"
        columns={columns}
        answer={users}
        state={state}
        onStateChange={changeState}
        empty={
          <EmptyState scene="people" title="Nobody here" actions={addButton}>
            Add the people who may use this Gleaner.
          </EmptyState>
        }
      />
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={edited ? `Edit ${edited.username}` : 'Add user'}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <UserForm key={edited?.id ?? 'new'} user={edited} onDone={dialog.close} />
      </Modal>
    </>
  );
}
