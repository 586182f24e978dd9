import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '../api/client';
import type { Project } from '../api/types';
import { ErrorPanel } from '../shared/ErrorPanel';
import { FormSection } from '../shared/forms/FormSection';
import { useRefusal } from '../shared/forms/useRefusal';
import { ListSkeleton } from '../shared/ListSkeleton';
import { notifyDone, notifyError } from '../shared/notify';
import { PageHeader } from '../shared/PageHeader';
import { useProject } from '../shared/useProject';
import { StorageTable } from './StorageTable';

function NameForm({ project }: { project: Project }) {
  const form = useForm({
    initialValues: { name: project.name, description: project.description },
    validate: { name: (name) => (name.trim() ? null : 'Give the project a name.') },
  });
  const save = $api.useMutation('patch', '/api/v1/projects/{id}', {
    onError: useRefusal(form),
    onSuccess: () => {
      form.resetDirty();
      notifyDone('Project saved.');
    },
  });
  const readOnly = project.role !== 'admin';
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((body) => save.mutate({ params: { path: { id: project.id } }, body }))}
    >
      <Stack>
        <TextInput label="Name" readOnly={readOnly} {...form.getInputProps('name')} />
        <Textarea label="Description" readOnly={readOnly} {...form.getInputProps('description')} />
        {!readOnly && (
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function DeleteDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const remove = $api.useMutation('delete', '/api/v1/projects/{id}', {
    onError: notifyError,
    onSuccess: () => {
      notifyDone(`Project “${project.name}” is deleted.`);
      void navigate({ to: '/' });
    },
  });
  return (
    <Stack>
      <Text size="sm">
        This deletes the project with all its templates, crawlers, runners, documents and indexers. It cannot
        be undone. Export it first if you may need it again.
      </Text>
      <TextInput
        label={`Type “${project.name}” to confirm`}
        data-autofocus
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <Button
          color="red.8"
          disabled={typed !== project.name}
          loading={remove.isPending}
          onClick={() => remove.mutate({ params: { path: { id: project.id } } })}
        >
          Delete this project
        </Button>
      </Group>
    </Stack>
  );
}

function Settings({ project }: { project: Project }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <FormSection title="Name" description="How the project is called everywhere, also in its project file.">
        <NameForm project={project} />
      </FormSection>
      <FormSection
        title="Storage"
        description="What this project holds in the database. Delete runs that you do not need, or let ./gleaner prune free the pages of old ones."
      >
        <StorageTable project={project.id} />
      </FormSection>
      {project.role === 'admin' && (
        <FormSection title="Delete" description="For good, with everything in it.">
          <Group justify="space-between">
            <Text size="sm" flex="1 1 260px">
              Once deleted, a project and its documents cannot be brought back.
            </Text>
            <Button variant="default" c="var(--mantine-color-error)" onClick={dialog.open}>
              Delete project…
            </Button>
          </Group>
        </FormSection>
      )}
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={`Delete “${project.name}”?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <DeleteDialog project={project} onClose={dialog.close} />
      </Modal>
    </>
  );
}

export function ProjectSettingsPage() {
  const { data: project, error, refetch } = useProject();
  return (
    <>
      <PageHeader title="Settings" description="Rename this project, see what it takes, or delete it." />
      {project ? (
        <Settings key={project.id} project={project} />
      ) : error ? (
        <ErrorPanel error={error} retry={() => void refetch()} />
      ) : (
        <ListSkeleton rows={2} height={140} />
      )}
    </>
  );
}
