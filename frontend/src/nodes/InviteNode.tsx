import { Alert, Button, CopyButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { $api } from '../api/client';
import type { Invitation } from '../api/types';
import { CodeInput } from '../shared/forms/CodeInput';
import { useRefusal } from '../shared/forms/useRefusal';

function IssuedInvitation({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="wheat" title="Copy it now">
        This is the only time the command is shown. It is secret: whoever has it can join as “
        {invitation.name}” until you revoke the node.
      </Alert>
      {invitation.is_local_only && (
        <Alert color="red" title="Other machines cannot reach this one">
          PostgreSQL or Redis listens on this machine only. Let them listen on an address that the new machine
          reaches, then invite it again with that address.
        </Alert>
      )}
      <Textarea
        label="Command"
        description="Paste it on the new machine, in a clone of Gleaner."
        readOnly
        autosize
        maxRows={6}
        value={invitation.command}
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      <Group justify="flex-end">
        <CopyButton value={invitation.command}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} data-autofocus>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

/** Asks how the machine shall be called, then shows the one command this once. */
export function InviteNode({ onDone }: { onDone: () => void }) {
  const form = useForm({
    initialValues: { name: '', host: '' },
    validate: { name: (name) => (name.trim() ? null : 'Give the machine a name, such as crawler-2.') },
  });
  const invite = $api.useMutation('post', '/api/v1/nodes/invite', { onError: useRefusal(form) });
  if (invite.data) return <IssuedInvitation invitation={invite.data} onDone={onDone} />;
  const inviteNode = form.onSubmit(({ name, host }) =>
    invite.mutate({ body: { name: name.trim(), host: host.trim() } }),
  );
  return (
    <form noValidate onSubmit={inviteNode}>
      <Stack>
        <Text size="sm" c="dimmed">
          The new machine gets a database login of its own with a worker’s rights, and the key to the secrets
          of action chains. Invite only machines that you trust with them.
        </Text>
        <TextInput
          label="Name"
          description="Small letters, digits, dots and hyphens. An earlier invitation of that name ends."
          placeholder="crawler-2"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <CodeInput
          label="Address of this machine"
          description="Where the new machine reaches PostgreSQL and Redis. Empty: as they are configured."
          placeholder="10.0.0.1"
          {...form.getInputProps('host')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Make the invitation
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
