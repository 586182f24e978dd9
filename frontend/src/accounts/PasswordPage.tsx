import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { $api } from '../api/client';
import { FormSection } from '../shared/forms/FormSection';
import { useRefusal } from '../shared/forms/useRefusal';
import { notifyDone } from '../shared/notify';
import { PageHeader } from '../shared/PageHeader';

const eye = { 'aria-label': 'Show or hide the password' };

function PasswordForm() {
  const form = useForm({
    initialValues: { current_password: '', new_password: '', repeated: '' },
    validate: {
      current_password: (password) => (password ? null : 'Enter your present password.'),
      new_password: (password) => (password ? null : 'Enter a new password.'),
      repeated: (repeated, { new_password }) =>
        repeated === new_password ? null : 'The two new passwords differ.',
    },
  });
  const change = $api.useMutation('post', '/api/v1/auth/password', {
    onError: useRefusal(form),
    onSuccess: () => {
      form.reset();
      notifyDone('Your password is changed.');
    },
  });
  const changePassword = form.onSubmit(({ current_password, new_password }) =>
    change.mutate({ body: { current_password, new_password } }),
  );
  return (
    <form noValidate onSubmit={changePassword}>
      <Stack>
        <PasswordInput
          label="Present password"
          autoComplete="current-password"
          visibilityToggleButtonProps={eye}
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          visibilityToggleButtonProps={eye}
          {...form.getInputProps('new_password')}
        />
        <PasswordInput
          label="New password again"
          autoComplete="new-password"
          visibilityToggleButtonProps={eye}
          {...form.getInputProps('repeated')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function PasswordPage() {
  return (
    <>
      <PageHeader title="Change password" />
      <FormSection title="Password" description="Long is better than complicated. You stay signed in here.">
        <PasswordForm />
      </FormSection>
    </>
  );
}
