import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../api/client';
import { ApiError, sentenceOf } from '../api/errors';
import { LinkButton } from '../shared/LinkButton';
import { FileDrop } from './FileDrop';
import { ImportSummary } from './ImportSummary';
import { readProjectFile } from './projectFile';

interface ImportDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Merge into this project; without it the file's own name decides. */
  projectId?: number;
}

async function sendProjectFile(file: File, projectId: number | undefined) {
  const body = await readProjectFile(file);
  if (projectId === undefined) {
    const { data } = await client.POST('/api/v1/projects/import', { body });
    return data;
  }
  const path = { id: projectId };
  const { data } = await client.POST('/api/v1/projects/{id}/import', { params: { path }, body });
  return data;
}

function Refusal({ error }: { error: unknown }) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  return (
    <Alert color="red" role="alert" title="The file was not imported">
      {sentenceOf(error)}
      {fields.map(([path, sentences]) => (
        <Text key={path} size="sm" mt={4}>
          <b>{path}</b>: {sentences.join(' ')}
        </Text>
      ))}
    </Alert>
  );
}

/** Bring in a project file and say what it changed. Nothing is ever deleted by an import. */
export function ImportDialog({ opened, onClose, projectId }: ImportDialogProps) {
  const send = useMutation({ mutationFn: (file: File) => sendProjectFile(file, projectId) });
  const close = () => {
    onClose();
    send.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Import a project file"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {send.data ? (
          <>
            <ImportSummary report={send.data} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Close
              </Button>
              {projectId === undefined && (
                <LinkButton
                  link={{ to: '/projects/$projectId', params: { projectId: String(send.data.project) } }}
                >
                  Open the project
                </LinkButton>
              )}
            </Group>
          </>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              A project file holds templates, crawlers, indexers and dictionaries. What has the same name is
              updated, what is new is added, and nothing is deleted.
            </Text>
            {send.error && <Refusal error={send.error} />}
            {send.isPending ? (
              <Group justify="center" py="xl" role="status">
                <Loader size="sm" />
                <Text>Importing…</Text>
              </Group>
            ) : (
              <FileDrop
                label="Choose a project file"
                hint="or drop it here (.json)"
                accept="application/json,.json"
                onFile={(file) => send.mutate(file)}
              />
            )}
          </>
        )}
      </Stack>
    </Modal>
  );
}
