import { ActionIcon, Button, Group, Input, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CodeInput } from '../shared/forms/CodeInput';
import { AddIcon, TrashIcon } from '../shared/pictures/icons';
import type { TemplateValues } from './templateForm';

interface CleanUpEditorProps {
  form: UseFormReturnType<TemplateValues>;
  at: number;
}

/** Search-and-replace steps that a value goes through, in order. */
export function CleanUpEditor({ form, at }: CleanUpEditorProps) {
  const path = `inspectors.${at}.cleanup` as const;
  const steps = form.values.inspectors[at]?.cleanup ?? [];
  return (
    <Input.Wrapper
      label="Clean-up"
      labelElement="div"
      description="What matches the pattern (a regular expression) becomes the replacement; one step after the other."
      error={form.errors[path]}
    >
      <Stack gap="xs" mt="xs">
        {steps.map((_, step) => (
          <Group key={step} gap="xs" wrap="nowrap" align="flex-start">
            <CodeInput
              flex={1}
              aria-label={`Pattern ${step + 1}`}
              placeholder="Pattern"
              {...form.getInputProps(`${path}.${step}.pattern`)}
            />
            <CodeInput
              flex={1}
              aria-label={`Replacement ${step + 1}`}
              placeholder="Replacement"
              {...form.getInputProps(`${path}.${step}.replacement`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove clean-up ${step + 1}`}
              onClick={() => form.removeListItem(path, step)}
            >
              <TrashIcon />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<AddIcon size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem(path, { pattern: '', replacement: '' })}
        >
          Add clean-up step
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
