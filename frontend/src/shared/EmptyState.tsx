import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Illustration, type Scene } from './pictures/Illustration';
import classes from './surfaces.module.css';

interface EmptyStateProps {
  scene: Scene;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  bare?: boolean;
}

/** Where nothing is yet: what belongs here, why one would want it, and how to get the first one. */
export function EmptyState({ scene, title, children, actions, bare = false }: EmptyStateProps) {
  return (
    <Box className={bare ? undefined : classes.card} px="lg" py={{ base: 36, sm: 52 }}>
      <Stack align="center" gap="xs" ta="center">
        <Illustration scene={scene} />
        <Title order={2} mt="sm">
          {title}
        </Title>
        <Text component="div" c="dimmed" maw={480}>
          {children}
        </Text>
        {actions && (
          <Group mt="md" justify="center">
            {actions}
          </Group>
        )}
      </Stack>
    </Box>
  );
}
