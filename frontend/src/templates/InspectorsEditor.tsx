import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { useState } from 'react';
import { ReorderableList } from '../shared/forms/ReorderableList';
import { hasErrorsBelow } from '../shared/forms/useRefusal';
import { AddIcon } from '../shared/pictures/icons';
import { InspectorFields } from './InspectorFields';
import { inspectorTypes } from './inspectorTypes';
import { newInspector, type InspectorValues, type TemplateValues } from './templateForm';

function InspectorSummary({ inspector }: { inspector: InspectorValues }) {
  const flags = (['required', 'key', 'multiple'] as const).filter((flag) => inspector[flag]);
  const found = inspector.type === 'constant' ? inspector.value : inspector.selector;
  return (
    <Group gap="sm" wrap="nowrap">
      <Text component="span" fw={600} fz="sm" truncate style={{ flexShrink: 0, maxWidth: '45%' }}>
        {inspector.name || 'New inspector'}
      </Text>
      <Badge variant="light" color="gray" tt="none" style={{ flexShrink: 0 }}>
        {inspectorTypes[inspector.type].label}
      </Badge>
      {flags.map((flag) => (
        <Badge key={flag} variant="light" color="wheat" tt="none" visibleFrom="md" style={{ flexShrink: 0 }}>
          {flag}
        </Badge>
      ))}
      {found && (
        <Code
          visibleFrom="sm"
          style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 }}
        >
          {found}
        </Code>
      )}
    </Group>
  );
}

interface InspectorsEditorProps {
  form: UseFormReturnType<TemplateValues>;
  readOnly: boolean;
}

/** The fields of a template: an ordered list, each opening into its details. */
export function InspectorsEditor({ form, readOnly }: InspectorsEditorProps) {
  const { inspectors } = form.values;
  const [opened, setOpened] = useState<string | null>(
    inspectors.length === 1 ? (inspectors[0]?.uid ?? null) : null,
  );
  const addInspector = () => {
    const added = newInspector();
    form.insertListItem('inspectors', added);
    setOpened(added.uid);
  };
  const duplicateInspector = (at: number) => {
    const original = inspectors[at];
    if (!original) return;
    const copy = { ...original, id: undefined, uid: randomId(), name: `${original.name} copy`, variable: '' };
    form.insertListItem('inspectors', copy, at + 1);
    setOpened(copy.uid);
  };
  return (
    <Stack gap="md">
      {form.errors.inspectors && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {form.errors.inspectors}
        </Text>
      )}
      {inspectors.length === 0 && (
        <Text c="dimmed" size="sm">
          No inspectors yet. Add one for each thing you want to keep: a title, a price, a picture.
        </Text>
      )}
      <ReorderableList
        label="Inspectors"
        readOnly={readOnly}
        opened={opened}
        onOpen={setOpened}
        onMove={(from, to) => form.reorderListItem('inspectors', { from, to })}
        onDuplicate={duplicateInspector}
        onRemove={(at) => form.removeListItem('inspectors', at)}
        rows={inspectors.map((inspector, at) => ({
          key: inspector.uid,
          name: inspector.name || `inspector ${at + 1}`,
          invalid: hasErrorsBelow(form.errors, `inspectors.${at}`),
          summary: <InspectorSummary inspector={inspector} />,
          body: <InspectorFields form={form} at={at} />,
        }))}
      />
      {!readOnly && (
        <Button
          variant="light"
          leftSection={<AddIcon />}
          onClick={addInspector}
          style={{ alignSelf: 'flex-start' }}
        >
          Add inspector
        </Button>
      )}
    </Stack>
  );
}
