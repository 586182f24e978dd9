import { Alert, Button, CopyButton, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { $api } from '../api/client';
import { CodeInput } from '../shared/forms/CodeInput';
import { useRefusal } from '../shared/forms/useRefusal';

function IssuedToken({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="wheat" title="Copy it now">
        This is the only time the token is shown. Keep it like a password.
      </Alert>
      <CodeInput
        label="Token"
        readOnly
        value={token}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <Group justify="flex-end">
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

/** Asks for a name, then shows the token this once. */
export function NewToken({ onDone }: { onDone: () => void }) {
  const form = useForm<{ name: string; expires_in_days: number | '' }>({
    initialValues: { name: '', expires_in_days: 90 },
    validate: { name: (name) => (name.trim() ? null : 'Give the token a name.') },
  });
  const create = $api.useMutation('post', '/api/v1/tokens', { onError: useRefusal(form) });
  if (create.data) return <IssuedToken token={create.data.token} onDone={onDone} />;
  const createToken = form.onSubmit(({ name, expires_in_days }) =>
    create.mutate({
      body: { name: name.trim(), expires_in_days: expires_in_days === '' ? 90 : expires_in_days },
    }),
  );
  return (
    <form noValidate onSubmit={createToken}>
      <Stack>
        <TextInput
          label="Name"
          description="What will use it, e.g. nightly export."
          data-autofocus
          {...form.getInputProps('name')}
        />
        <NumberInput
          label="Expires in"
          description="Days, at most 365."
          min={1}
          max={365}
          allowDecimal={false}
          suffix=" days"
          {...form.getInputProps('expires_in_days')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
