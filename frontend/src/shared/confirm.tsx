import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

interface Deletion {
  /** What goes, e.g. "the template “Products”". */
  what: string;
  consequence?: string;
  onConfirm: () => void;
}

/** Ask before something is lost for good. */
export function confirmDeletion({ what, consequence, onConfirm }: Deletion): void {
  modals.openConfirmModal({
    title: `Delete ${what}?`,
    children: (
      <Text size="sm" c="dimmed">
        {consequence ?? 'This cannot be undone.'}
      </Text>
    ),
    labels: { confirm: 'Delete', cancel: 'Keep it' },
    confirmProps: { color: 'red.8' },
    cancelProps: { 'data-autofocus': true },
    onConfirm,
  });
}

interface Step {
  title: string;
  /** What follows from it. */
  consequence: string;
  confirm: string;
  cancel: string;
  onConfirm: () => void;
}

/** Ask before something that others notice. */
export function confirmStep({ title, consequence, confirm, cancel, onConfirm }: Step): void {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" c="dimmed">
        {consequence}
      </Text>
    ),
    labels: { confirm, cancel },
    confirmProps: { color: 'red.8' },
    cancelProps: { 'data-autofocus': true },
    onConfirm,
  });
}
