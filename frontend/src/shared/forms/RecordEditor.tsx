import { ActionIcon, Button, Group, Input, NumberInput, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { AddIcon, TrashIcon } from '../pictures/icons';

interface RecordEditorProps<Values extends object> {
  form: UseFormReturnType<Values>;
  /** Where the rows of `{name, value}` are in the form. */
  path: string;
  count: number;
  label: string;
  description?: ReactNode;
  nameLabel: string;
  valueLabel: string;
  addLabel: string;
  numeric?: boolean;
}

/** Pairs of a name and a value, one row each. */
export function RecordEditor<Values extends object>(props: RecordEditorProps<Values>) {
  const { form, path, count, label, description, nameLabel, valueLabel, addLabel, numeric = false } = props;
  const addRow = () => form.insertListItem(path as never, { name: '', value: numeric ? 1 : '' } as never);
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      error={form.errors[path]}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Stack gap="xs" mt="xs" align="stretch">
        {Array.from({ length: count }, (_, row) => (
          <Group key={row} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={`${nameLabel} ${row + 1}`}
              placeholder={nameLabel}
              {...form.getInputProps(`${path}.${row}.name` as never)}
            />
            {numeric ? (
              <NumberInput
                w={110}
                aria-label={`${valueLabel} ${row + 1}`}
                placeholder={valueLabel}
                {...form.getInputProps(`${path}.${row}.value` as never)}
              />
            ) : (
              <TextInput
                flex={2}
                aria-label={`${valueLabel} ${row + 1}`}
                placeholder={valueLabel}
                {...form.getInputProps(`${path}.${row}.value` as never)}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove ${nameLabel.toLowerCase()} ${row + 1}`}
              onClick={() => form.removeListItem(path as never, row)}
            >
              <TrashIcon />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<AddIcon size={14} />}
          onClick={addRow}
          style={{ alignSelf: 'flex-start' }}
        >
          {addLabel}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
