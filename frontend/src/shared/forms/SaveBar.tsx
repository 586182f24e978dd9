import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './FormSection.module.css';

interface SaveBarProps {
  isDirty: () => boolean;
  saving: boolean;
  label: string;
  children?: ReactNode;
}

function askToLeave(): Promise<boolean> {
  return new Promise((resolve) =>
    modals.openConfirmModal({
      title: 'Leave without saving?',
      children: (
        <Text size="sm" c="dimmed">
          What you changed on this page would be lost.
        </Text>
      ),
      labels: { confirm: 'Leave', cancel: 'Stay here' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    }),
  );
}

/** The foot of a form page: saves, says whether there is anything to save, and guards it against leaving. */
export function SaveBar({ isDirty, saving, label, children }: SaveBarProps) {
  useBlocker({
    shouldBlockFn: async () => isDirty() && !(await askToLeave()),
    enableBeforeUnload: isDirty,
  });
  return (
    <Group className={classes.saveBar} justify="flex-end" gap="sm">
      <Text size="sm" c="dimmed" mr="auto" role="status">
        {isDirty() ? 'Unsaved changes' : ''}
      </Text>
      {children}
      <Button type="submit" loading={saving}>
        {label}
      </Button>
    </Group>
  );
}
