import { ActionIcon, Group, NumberInput, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { TrashIcon } from '../shared/pictures/icons';
import type { IndexerValues } from './indexerForm';
import { canWeigh, weightMeaning } from './ranking';

/** One row per part of the score whose weight was chosen. */
export function WeightRows({ form }: { form: UseFormReturnType<IndexerValues> }) {
  const { weights, hits } = form.values;
  const rows = weights.map(({ name }, row) => ({ name, row })).filter(({ name }) => canWeigh(name, hits));
  return rows.map(({ name, row }) => (
    <Group key={name} gap="sm" wrap="nowrap" align="flex-start">
      <div style={{ flex: 1, paddingTop: 4 }}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {weightMeaning(name, form.values)}
        </Text>
      </div>
      <NumberInput
        w={110}
        min={0}
        step={0.1}
        aria-label={`Weight of ${name}`}
        {...form.getInputProps(`weights.${row}.value`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Remove the weight of ${name}`}
        onClick={() => form.removeListItem('weights', row)}
      >
        <TrashIcon />
      </ActionIcon>
    </Group>
  ));
}
