import { Button, Code, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ColumnDef } from '@tanstack/react-table';
import { useState } from 'react';
import { $api } from '../api/client';
import type { Secret } from '../api/types';
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
import { Moment } from '../shared/time';
import { useMayEdit, useProjectId } from '../shared/useProject';

function SecretForm({ secret, onDone }: { secret: Secret | null; onDone: () => void }) {
  const projectId = useProjectId();
  const form = useForm({
    initialValues: { name: secret?.name ?? '', value: '' },
    validate: {
      name: (name) => (name.trim() ? null : 'Give the secret a name.'),
      value: (value) => (value ? null : 'Enter the value to keep.'),
    },
  });
  const finish = {
    onError: useRefusal(form),
    onSuccess: () => {
      notifyDone('Secret saved.');
      onDone();
    },
  };
  const add = $api.useMutation('post', '/api/v1/projects/{project_pk}/secrets', finish);
  const replace = $api.useMutation('put', '/api/v1/projects/{project_pk}/secrets/{id}', finish);
  const save = form.onSubmit(({ name, value }) =>
    secret
      ? replace.mutate({ params: { path: { project_pk: projectId, id: secret.id } }, body: { value } })
      : add.mutate({ params: { path: { project_pk: projectId } }, body: { name: name.trim(), value } }),
  );
  return (
    <form noValidate onSubmit={save}>
      <Stack>
        <TextInput
          label="Name"
          description="For example: shop password"
          disabled={secret !== null}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={secret ? 'New value' : 'Value'}
          description="Kept encrypted. Nobody can read it back, not even you."
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the value' }}
          {...form.getInputProps('value')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending || replace.isPending}>
            Save secret
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useDeleteSecret() {
  const projectId = useProjectId();
  const remove = $api.useMutation('delete', '/api/v1/projects/{project_pk}/secrets/{id}', {
    onError: notifyError,
    onSuccess: () => notifyDone('Secret deleted.'),
  });
  return (secret: Secret) =>
    confirmDeletion({
      what: `the secret “${secret.name}”`,
      consequence: 'Crawls that type this secret will stop with an error until you add it again.',
      onConfirm: () => remove.mutate({ params: { path: { project_pk: projectId, id: secret.id } } }),
    });
}

export function SecretsPage() {
  const projectId = useProjectId();
  const editable = useMayEdit();
  const [state, changeState] = useTableSearch();
  const [edited, setEdited] = useState<Secret | null>(null);
  const [opened, dialog] = useDisclosure(false);
  const deleteSecret = useDeleteSecret();
  const params = { path: { project_pk: projectId }, query: listQuery(state) };
  const secrets = $api.useQuery('get', '/api/v1/projects/{project_pk}/secrets', { params });
  const open = (secret: Secret | null) => {
    setEdited(secret);
    dialog.open();
  };
  const columns: ColumnDef<Secret>[] = [
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
      id: 'use',
      header: 'How to use it',
      meta: { hideBelow: 'sm' },
      cell: ({ row }) => <Code>{`\${${row.original.name}}`}</Code>,
    },
    { id: 'updated_at', header: 'Changed', cell: ({ row }) => <Moment value={row.original.updated_at} /> },
  ];
  if (editable) {
    columns.push(
      actionsColumn((original) => (
        <RowMenu name={original.name} onEdit={() => open(original)} onDelete={() => deleteSecret(original)} />
      )),
    );
  }
  const addButton = editable && (
    <Button leftSection={<AddIcon />} onClick={() => open(null)}>
      Add secret
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Secrets"
        description="Passwords and other values that an action chain types. They are kept encrypted and never exported."
        actions={addButton}
      />
      <DataTable
        label="secrets"
        columns={columns}
        answer={secrets}
        state={state}
        onStateChange={changeState}
        searchable={false}
        empty={
          <EmptyState scene="key" title="No secrets yet" actions={addButton}>
            When a website asks for a login, keep its password here and write <Code>{'${its name}'}</Code> in
            the action that types it. The value is filled in only when the crawl runs.
          </EmptyState>
        }
      />
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={edited ? `Change “${edited.name}”` : 'Add secret'}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SecretForm secret={edited} onDone={dialog.close} />
      </Modal>
    </>
  );
}
