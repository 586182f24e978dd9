import { Box, Stack, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import surfaces from '../surfaces.module.css';
import classes from './FormSection.module.css';

interface FormSectionProps {
  title: string;
  description: ReactNode;
  children: ReactNode;
  /** Lay the words above the fields rather than beside them: for editors that need the width. */
  wide?: boolean;
}

/** A titled group of fields: what the group is about on the left, its fields on the right. */
export function FormSection({ title, description, children, wide = false }: FormSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section} data-wide={wide || undefined}>
      <Box>
        <Title order={2} id={id}>
          {title}
        </Title>
        <Text component="div" size="sm" c="dimmed" mt={4}>
          {description}
        </Text>
      </Box>
      <Stack gap="md" className={`${surfaces.card} ${classes.fields}`}>
        {children}
      </Stack>
    </section>
  );
}
