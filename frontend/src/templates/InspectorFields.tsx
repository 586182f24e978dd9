import { Button, Checkbox, Collapse, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { CodeInput } from '../shared/forms/CodeInput';
import { FieldRow } from '../shared/forms/FieldRow';
import { LinesInput } from '../shared/forms/LinesInput';
import { hasErrorsBelow } from '../shared/forms/useRefusal';
import { ChevronDownIcon, ChevronUpIcon } from '../shared/pictures/icons';
import { CleanUpEditor } from './CleanUpEditor';
import { inspectorTypeChoices, inspectorTypes, readsLocale } from './inspectorTypes';
import type { TemplateValues } from './templateForm';

interface InspectorFieldsProps {
  form: UseFormReturnType<TemplateValues>;
  at: number;
}

const advancedFields = ['fallbacks', 'attribute', 'variable', 'locale', 'cleanup', 'multiple'];

function AdvancedFields({ form, at }: InspectorFieldsProps) {
  const path = `inspectors.${at}` as const;
  const { type } = form.values.inspectors[at] ?? { type: 'text' };
  return (
    <Stack gap="md">
      {type !== 'constant' && (
        <LinesInput
          label="Fallback selectors"
          description="Tried in order, one per line, when the selector finds nothing."
          placeholder="//h1"
          {...form.getInputProps(`${path}.fallbacks`)}
        />
      )}
      <FieldRow>
        {type !== 'constant' && (
          <CodeInput
            label="Attribute"
            description="Take this attribute instead of the text, e.g. title."
            {...form.getInputProps(`${path}.attribute`)}
          />
        )}
        <CodeInput
          label="Variable"
          description="The name this value has in ranking formulas, e.g. price."
          {...form.getInputProps(`${path}.variable`)}
        />
        {readsLocale(type) && (
          <TextInput
            label="Locale"
            description="How it is written, e.g. de or en-GB. Empty: found out by itself."
            {...form.getInputProps(`${path}.locale`)}
          />
        )}
      </FieldRow>
      {type !== 'constant' && <CleanUpEditor form={form} at={at} />}
      <Checkbox
        label="Several values"
        description="Keep everything the selector finds, not only the first."
        {...form.getInputProps(`${path}.multiple`, { type: 'checkbox' })}
      />
    </Stack>
  );
}

/** The fields of one inspector: what most need on top, the rest folded away until asked for or in error. */
export function InspectorFields({ form, at }: InspectorFieldsProps) {
  const [unfolded, { toggle }] = useDisclosure(false);
  const path = `inspectors.${at}` as const;
  const inspector = form.values.inspectors[at];
  if (!inspector) return null;
  const isOpen = unfolded || advancedFields.some((name) => hasErrorsBelow(form.errors, `${path}.${name}`));
  return (
    <Stack gap="md">
      {form.errors[path] && (
        <Text c="var(--mantine-color-error)" size="sm">
          {form.errors[path]}
        </Text>
      )}
      <FieldRow>
        <TextInput
          label="Name"
          description="What this field is called."
          required
          {...form.getInputProps(`${path}.name`)}
        />
        <Select
          label="Type"
          description={inspectorTypes[inspector.type].about}
          data={inspectorTypeChoices}
          {...form.getInputProps(`${path}.type`)}
        />
      </FieldRow>
      {inspector.type === 'constant' ? (
        <TextInput
          label="Value"
          description="Every document gets this value."
          {...form.getInputProps(`${path}.value`)}
        />
      ) : (
        <CodeInput
          label="Selector"
          description="XPath of the element. With an item scope, begin with ./ or .//"
          placeholder="//h1"
          required
          {...form.getInputProps(`${path}.selector`)}
        />
      )}
      <FieldRow>
        <Checkbox
          label="Required"
          description="Shown and counted where it is missing. A page with none of these is no document."
          {...form.getInputProps(`${path}.required`, { type: 'checkbox' })}
        />
        <Checkbox
          label="Key"
          description="Identifies the document from run to run, like an article number."
          {...form.getInputProps(`${path}.key`, { type: 'checkbox' })}
        />
      </FieldRow>
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          rightSection={isOpen ? <ChevronUpIcon size={14} /> : <ChevronDownIcon size={14} />}
          onClick={toggle}
        >
          Advanced
        </Button>
        <Collapse expanded={isOpen} keepMounted={false}>
          <div style={{ paddingTop: 12 }}>
            <AdvancedFields form={form} at={at} />
          </div>
        </Collapse>
      </div>
    </Stack>
  );
}
