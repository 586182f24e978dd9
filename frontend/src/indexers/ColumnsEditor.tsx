import {
  Badge,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { useState } from 'react';
import { CodeInput } from '../shared/forms/CodeInput';
import { FieldRow } from '../shared/forms/FieldRow';
import { ReorderableList } from '../shared/forms/ReorderableList';
import { hasErrorsBelow } from '../shared/forms/useRefusal';
import { AddIcon } from '../shared/pictures/icons';
import { newColumn, type ColumnValues, type IndexerValues } from './indexerForm';
import { languageChoices, reductions } from './ranking';
import { useSources } from './useSources';

interface EditorProps {
  form: UseFormReturnType<IndexerValues>;
}

function ColumnFields({ form, at }: EditorProps & { at: number }) {
  const sources = useSources();
  const path = `columns.${at}` as const;
  const column = form.values.columns[at];
  const known = new Set(sources.flatMap(({ items }) => items.map(({ value }) => value)));
  const unknown = (column?.sources ?? []).filter((source) => !known.has(source));
  const data = unknown.length
    ? [...sources, { group: 'No longer there', items: unknown.map((value) => ({ value, label: value })) }]
    : sources;
  return (
    <Stack gap="md">
      <FieldRow>
        <TextInput
          label="Name"
          description="The heading of this column in results."
          required
          {...form.getInputProps(`${path}.name`)}
        />
        <CodeInput
          label="Variable"
          description="The name of this value in the formula, e.g. price."
          {...form.getInputProps(`${path}.variable`)}
        />
      </FieldRow>
      <MultiSelect
        label="Sources"
        description="Inspectors that fill this column. Choose one per template to compare several websites."
        placeholder={column?.sources.length ? undefined : 'Choose inspectors'}
        required
        searchable
        data={data}
        nothingFoundMessage="No such inspector. Make it in a template first."
        {...form.getInputProps(`${path}.sources`)}
      />
      <FieldRow>
        <NumberInput
          label="Boost"
          description="How much a match here counts; 1 is normal."
          min={0}
          step={0.5}
          {...form.getInputProps(`${path}.boost`)}
        />
        <Select
          label="Language"
          description="Of the words in this column."
          data={[
            { value: '', label: 'The language of the indexer' },
            ...languageChoices(column?.language ?? ''),
          ]}
          {...form.getInputProps(`${path}.language`)}
        />
      </FieldRow>
      <Checkbox
        label="Searchable"
        description="Its words can be searched. Without this it is only shown."
        {...form.getInputProps(`${path}.searchable`, { type: 'checkbox' })}
      />
      {column?.searchable && (
        <Select
          label="Forms of a word"
          description="Whether “houses” also finds “house”."
          data={reductions}
          {...form.getInputProps(`${path}.reduction`)}
        />
      )}
      <Checkbox
        label="Offer its values to narrow results down"
        description="Beside the results people can tick them, with how many documents each has: brands, colours, authors."
        {...form.getInputProps(`${path}.facet`, { type: 'checkbox' })}
      />
    </Stack>
  );
}

function ColumnSummary({ column }: { column: ColumnValues }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Text component="span" fw={600} fz="sm" truncate>
        {column.name || 'New column'}
      </Text>
      {column.boost !== 1 && column.boost !== '' && (
        <Badge variant="light" color="wheat" tt="none" style={{ flexShrink: 0 }}>
          × {column.boost}
        </Badge>
      )}
      <Text component="span" fz="sm" c="dimmed" truncate visibleFrom="sm">
        {column.sources.join(', ')}
      </Text>
    </Group>
  );
}

/** The columns of an index, in the order results show them. */
export function ColumnsEditor({ form, readOnly }: EditorProps & { readOnly: boolean }) {
  const { columns } = form.values;
  const [opened, setOpened] = useState<string | null>(
    columns.length === 1 ? (columns[0]?.uid ?? null) : null,
  );
  const addColumn = () => {
    const added = newColumn();
    form.insertListItem('columns', added);
    setOpened(added.uid);
  };
  const duplicateColumn = (at: number) => {
    const original = columns[at];
    if (!original) return;
    const copy = { ...original, id: undefined, uid: randomId(), name: `${original.name} copy`, variable: '' };
    form.insertListItem('columns', copy, at + 1);
    setOpened(copy.uid);
  };
  return (
    <Stack gap="md">
      {form.errors.columns && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {form.errors.columns}
        </Text>
      )}
      <ReorderableList
        label="Columns"
        readOnly={readOnly}
        opened={opened}
        onOpen={setOpened}
        onMove={(from, to) => form.reorderListItem('columns', { from, to })}
        onDuplicate={duplicateColumn}
        onRemove={(at) => form.removeListItem('columns', at)}
        rows={columns.map((column, at) => ({
          key: column.uid,
          name: column.name || `column ${at + 1}`,
          invalid: hasErrorsBelow(form.errors, `columns.${at}`),
          summary: <ColumnSummary column={column} />,
          body: <ColumnFields form={form} at={at} />,
        }))}
      />
      {!readOnly && (
        <Button
          variant="light"
          leftSection={<AddIcon />}
          onClick={addColumn}
          style={{ alignSelf: 'flex-start' }}
        >
          Add column
        </Button>
      )}
    </Stack>
  );
}
