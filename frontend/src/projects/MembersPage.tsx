import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ColumnDef } from '@tanstack/react-table';
import { useState } from 'react';
import { $api } from '../api/client';
import type { Membership, Role } from '../api/types';
import { confirmDeletion } from '../shared/confirm';
import { EmptyState } from '../shared/EmptyState';
import { useRefusal } from '../shared/forms/useRefusal';
import { notifyDone, notifyError } from '../shared/notify';
import { RowMenu } from '../shared/nouns/RowMenu';
import { PageHeader } from '../shared/PageHeader';
import { AddIcon } from '../shared/pictures/icons';
import { actionsColumn } from '../shared/table/actionsColumn';
import { DataTable } from '../shared/table/DataTable';
import { listQuery, useTableSearch } from '../shared/table/tableSearch';
import { RoleBadge, roleChoices } from './RoleBadge';
import { useMayAdminister, useProjectId } from '../shared/useProject';

const roleHelp =
  'Viewers look. Editors change templates, crawlers and indexers. Administrators also manage members and secrets.';

interface MemberFormProps {
  member: Membership | null;
  onDone: () => void;
}

function MemberForm({ member, onDone }: MemberFormProps) {
  const projectId = useProjectId();
  const form = useForm<{ username: string; role: Role }>({
    initialValues: { username: member?.username ?? '', role: member?.role ?? 'editor' },
    validate: { username: (name) => (name.trim() ? null : 'Enter the user name of the person.') },
  });
  const finish = {
    onError: useRefusal(form),
    onSuccess: () => {
      notifyDone(member ? 'Role changed.' : 'Member added.');
      onDone();
    },
  };
  const add = $api.useMutation('post', '/api/v1/projects/{project_pk}/members', finish);
  const change = $api.useMutation('patch', '/api/v1/projects/{project_pk}/members/{id}', finish);
  const save = form.onSubmit(({ username, role }) =>
    member
      ? change.mutate({ params: { path: { project_pk: projectId, id: member.id } }, body: { role } })
      : add.mutate({
          params: { path: { project_pk: projectId } },
          body: { username: username.trim(), role },
        }),
  );
  return (
    <form noValidate onSubmit={save}>
      <Stack>
        <TextInput
          label="User name"
          disabled={member !== null}
          data-autofocus={member ? undefined : true}
          {...form.getInputProps('username')}
        />
        <Select label="Role" description={roleHelp} data={roleChoices} {...form.getInputProps('role')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending || change.isPending}>
            {member ? 'Save role' : 'Add member'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useRemoveMember() {
  const projectId = useProjectId();
  const remove = $api.useMutation('delete', '/api/v1/projects/{project_pk}/members/{id}', {
    onError: notifyError,
    onSuccess: () => notifyDone('Member removed.'),
  });
  return (member: Membership) =>
    confirmDeletion({
      what: `the membership of ${member.username}`,
      consequence: 'The person can no longer see this project. What they made stays.',
      onConfirm: () => remove.mutate({ params: { path: { project_pk: projectId, id: member.id } } }),
    });
}

export function MembersPage() {
  const projectId = useProjectId();
  const editable = useMayAdminister();
  const [state, changeState] = useTableSearch();
  const [edited, setEdited] = useState<Membership | null>(null);
  const [opened, dialog] = useDisclosure(false);
  const removeMember = useRemoveMember();
  const params = { path: { project_pk: projectId }, query: listQuery(state) };
  const members = $api.useQuery('get', '/api/v1/projects/{project_pk}/members', { params });
  const open = (member: Membership | null) => {
    setEdited(member);
    dialog.open();
  };
  const columns: ColumnDef<Membership>[] = [
    {
      id: 'username',
      header: 'Person',
      cell: ({ row }) => (
        <Text fw={600} fz="sm">
          {row.original.username}
        </Text>
      ),
    },
    { id: 'role', header: 'Role', cell: ({ row }) => <RoleBadge role={row.original.role} /> },
  ];
  if (editable) {
    columns.push(
      actionsColumn((original) => (
        <RowMenu
          name={original.username}
          onEdit={() => open(original)}
          onDelete={() => removeMember(original)}
        />
      )),
    );
  }
  const addButton = editable && (
    <Button leftSection={<AddIcon />} onClick={() => open(null)}>
      Add member
    </Button>
  );
  return (
    <>
      <PageHeader title="Members" description="Who may see and change this project." actions={addButton} />
      <DataTable
        label="members"
        columns={columns}
        answer={members}
        state={state}
        onStateChange={changeState}
        searchable={false}
        empty={
          <EmptyState scene="people" title="Nobody else yet" actions={addButton}>
            Add the people you work with and choose what each may do.
          </EmptyState>
        }
      />
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={edited ? 'Change role' : 'Add member'}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <MemberForm member={edited} onDone={dialog.close} />
      </Modal>
    </>
  );
}
