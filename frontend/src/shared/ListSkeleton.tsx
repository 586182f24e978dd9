import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** Grey bars in the place of what is being loaded. */
export function ListSkeleton({ rows = 5, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}
