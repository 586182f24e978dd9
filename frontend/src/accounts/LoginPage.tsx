import { Alert, Box, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { $api } from '../api/client';
import { ApiError, sentenceOf } from '../api/errors';
import { sayCount } from '../shared/numbers';
import { Illustration } from '../shared/pictures/Illustration';
import { LogoMark } from '../shared/pictures/Logo';
import classes from './LoginPage.module.css';
import { safeNext, sessionOptions } from './session';

const route = getRouteApi('/login');

function useSignIn() {
  const { next } = route.useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  return $api.useMutation('post', '/api/v1/auth/login', {
    onSuccess: (me) => {
      // What is left of a session that ended by itself may be somebody else's.
      queryClient.removeQueries();
      queryClient.setQueryData(sessionOptions().queryKey, me);
      router.history.push(safeNext(next));
    },
  });
}

function waitingHint(error: unknown): string {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  return seconds
    ? ` Try again in ${seconds < 90 ? sayCount(seconds, 'second') : sayCount(Math.ceil(seconds / 60), 'minute')}.`
    : '';
}

function LoginForm() {
  const signIn = useSignIn();
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: {
      username: (name) => (name.trim() ? null : 'Enter your user name.'),
      password: (password) => (password ? null : 'Enter your password.'),
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((body) => signIn.mutate({ body }))}>
      <Stack gap="md">
        {signIn.error && (
          <Alert color="red" role="alert">
            {sentenceOf(signIn.error)}
            {waitingHint(signIn.error)}
          </Alert>
        )}
        <TextInput
          label="User name"
          autoComplete="username"
          autoCapitalize="off"
          size="md"
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          size="md"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

export function LoginPage() {
  useDocumentTitle('Sign in · Gleaner');
  return (
    <div className={classes.page}>
      <main className={classes.form}>
        <Box w="100%" maw={360}>
          <Group gap="sm" mb={40}>
            <LogoMark size={36} />
            <Text fw={700} fz={21} lts="-0.02em">
              Gleaner
            </Text>
          </Group>
          <Title order={1}>Welcome back</Title>
          <Text c="dimmed" mt={4} mb="xl">
            Sign in to your projects.
          </Text>
          <LoginForm />
        </Box>
      </main>
      <aside className={classes.aside}>
        <Illustration scene="field" width={320} />
        <Text className={classes.claim}>Gather what matters from any website. Search it your way.</Text>
        <Text className={classes.steps}>Design → Crawl → Index → Search</Text>
      </aside>
    </div>
  );
}
