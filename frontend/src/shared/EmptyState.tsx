import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Illustration, type Scene } from './pictures/Illustration';
import classes from './surfaces.module.css';

interface EmptyStateProps {
  scene: Scene;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** 1 where it stands for a whole page. */
  order?: 1 | 2;
}

/** Where nothing is yet: what belongs here, why one would want it, and how to get the first one. */
export function EmptyState({ scene, title, children, actions, order = 2 }: EmptyStateProps) {
  return (
    <Box className={classes.card} px="lg" py={{ base: 36, sm: 52 }}>
      <Stack align="center" gap="xs" ta="center">
        <Illustration scene={scene} />
        <Title order={order} size="h2" mt="sm" tabIndex={order === 1 ? -1 : undefined}>
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
