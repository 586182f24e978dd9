import { Button, Group, PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { $api } from '../api/client';
import type { User } from '../api/types';
import { useRefusal } from '../shared/forms/useRefusal';
import { notifyDone } from '../shared/notify';

interface UserFormProps {
  user: User | null;
  onDone: () => void;
}

/** A person as administrators see them. An empty password of a known person stays as it is. */
export function UserForm({ user, onDone }: UserFormProps) {
  const form = useForm({
    initialValues: {
      username: user?.username ?? '',
      email: user?.email ?? '',
      password: '',
      is_admin: user?.is_admin ?? false,
      is_active: user?.is_active ?? true,
    },
    validate: {
      username: (name) => (name.trim() ? null : 'Enter a user name.'),
      password: (password) =>
        user || password ? null : 'Give a first password; the person can change it later.',
    },
  });
  const finish = {
    onError: useRefusal(form),
    onSuccess: () => {
      notifyDone(user ? 'User saved.' : 'User added.');
      onDone();
    },
  };
  const add = $api.useMutation('post', '/api/v1/users', finish);
  const change = $api.useMutation('patch', '/api/v1/users/{id}', finish);
  const saveUser = form.onSubmit(({ password, ...rest }) => {
    const body = password ? { ...rest, password } : rest;
    if (user) change.mutate({ params: { path: { id: user.id } }, body });
    else add.mutate({ body });
  });
  return (
    <form noValidate onSubmit={saveUser}>
      <Stack>
        <TextInput label="User name" autoComplete="off" data-autofocus {...form.getInputProps('username')} />
        <TextInput
          label="E-mail"
          type="email"
          description="Optional."
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={user ? 'New password' : 'Password'}
          description={user ? 'Leave empty to keep the present one.' : undefined}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          {...form.getInputProps('password')}
        />
        <Switch
          label="Administrator"
          description="Sees every project and manages users."
          {...form.getInputProps('is_admin', { type: 'checkbox' })}
        />
        <Switch label="May sign in" {...form.getInputProps('is_active', { type: 'checkbox' })} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending || change.isPending}>
            {user ? 'Save user' : 'Add user'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
