import { Box } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorPanel } from '../shared/ErrorPanel';

/** A page that could not even start, e.g. because the server is away. */
export function RouteTrouble({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Box component="main" maw={640} mx="auto" p="xl">
      <ErrorPanel wholePage error={error} retry={retry} />
    </Box>
  );
}
