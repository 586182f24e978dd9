import { Code, FileButton, Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import type { Dictionary } from '../api/types';
import { FormSection } from '../shared/forms/FormSection';
import { LinesInput } from '../shared/forms/LinesInput';
import { NounForm, type SaveNoun } from '../shared/nouns/NounForm';
import { DownloadIcon, UploadIcon } from '../shared/pictures/icons';
import { countEntries, firstEntries, mostShown, type DictionaryValues } from './dictionaryForm';
import { sayCount, sayNumber } from '../shared/numbers';

interface DictionaryFormProps {
  initial: DictionaryValues;
  readOnly: boolean;
  isNew: boolean;
  save: SaveNoun<DictionaryValues>;
  stored?: Dictionary;
}

const lineHelp = (
  <>
    One name per line, then its score and its synonyms:
    <br />
    <Code>Freiburg, 5, Freiburg im Breisgau</Code>
    <br />
    The higher the score, the earlier it is suggested. Score and synonyms may be left out.
  </>
);

function sayShown(count: number, isInPart: boolean, readOnly: boolean): string {
  const all = sayCount(count, 'entry', 'entries');
  if (!isInPart) return all;
  const how = readOnly ? '' : ' To change them, edit the file and fill the dictionary from it.';
  return `The first ${sayNumber(mostShown)} of ${all}.${how}`;
}

export function DictionaryForm({ initial, readOnly, isNew, save, stored }: DictionaryFormProps) {
  const form = useForm<DictionaryValues>({
    initialValues: initial,
    validate: { name: (name) => (name.trim() ? null : 'Give the dictionary a name.') },
  });
  const [filed, setFiled] = useState<string | null>(null);
  const takeFile = async (file: File | null) => {
    if (!file) return;
    const text = await file.text();
    setFiled(text);
    form.setFieldValue('entries', text);
  };
  const { entries } = form.values;
  const isStored = stored !== undefined && entries === stored.entries;
  const count = useMemo(
    () => (isStored ? stored.entry_count : countEntries(entries)),
    [isStored, stored, entries],
  );
  const isInPart = count > mostShown && (isStored || entries === filed);
  return (
    <NounForm
      form={form}
      readOnly={readOnly}
      label={isNew ? 'Create dictionary' : 'Save dictionary'}
      save={save}
    >
      <FormSection title="Dictionary" description="What the names are, in a word or two.">
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <Textarea label="Description" {...form.getInputProps('description')} />
      </FormSection>
      <FormSection title="Entries" description={lineHelp}>
        <LinesInput
          label="Entries"
          classNames={{ input: 'gl-growing gl-growing-tall' }}
          placeholder={'Freiburg, 5, Freiburg im Breisgau\nBasel, 4, Bâle, Basle'}
          {...form.getInputProps('entries')}
          {...(isInPart ? { value: firstEntries(entries), readOnly: true } : {})}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {sayShown(count, isInPart, readOnly)}
          </Text>
          <Group gap="xs">
            {stored && (
              <Button
                component="a"
                href={`/api/v1/dictionaries/${stored.id}/entries`}
                download
                variant="default"
                size="xs"
                leftSection={<DownloadIcon size={14} />}
              >
                Download
              </Button>
            )}
            {!readOnly && (
              <FileButton accept=".txt,.csv,text/plain,text/csv" onChange={(file) => void takeFile(file)}>
                {(props) => (
                  <Button {...props} variant="default" size="xs" leftSection={<UploadIcon size={14} />}>
                    Fill from a file
                  </Button>
                )}
              </FileButton>
            )}
          </Group>
        </Group>
      </FormSection>
    </NounForm>
  );
}
