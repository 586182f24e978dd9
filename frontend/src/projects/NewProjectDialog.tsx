import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { $api } from '../api/client';
import { useRefusal } from '../shared/forms/useRefusal';
import { notifyDone } from '../shared/notify';

function NewProjectForm({ onCancel }: { onCancel: () => void }) {
  const form = useForm({
    initialValues: { name: '', description: '' },
    validate: { name: (name) => (name.trim() ? null : 'Give the project a name.') },
  });
  const navigate = useNavigate();
  const create = $api.useMutation('post', '/api/v1/projects', {
    onError: useRefusal(form),
    onSuccess: (project) => {
      notifyDone(`Project “${project.name}” is ready.`);
      void navigate({ to: '/projects/$projectId', params: { projectId: String(project.id) } });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((body) => create.mutate({ body }))}>
      <Stack>
        <TextInput
          label="Name"
          description="For example the website or the question you have."
          data-autofocus
          required
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Description"
          description="What this project is for. Optional."
          {...form.getInputProps('description')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create project
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function NewProjectDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="New project" closeButtonProps={{ 'aria-label': 'Close' }}>
      <NewProjectForm onCancel={onClose} />
    </Modal>
  );
}
