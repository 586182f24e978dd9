import { Code, FileButton, Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormSection } from '../shared/forms/FormSection';
import { LinesInput } from '../shared/forms/LinesInput';
import { NounForm, type SaveNoun } from '../shared/nouns/NounForm';
import { UploadIcon } from '../shared/pictures/icons';
import { countEntries, type DictionaryValues } from './dictionaryForm';
import { sayCount } from '../shared/numbers';

interface DictionaryFormProps {
  initial: DictionaryValues;
  readOnly: boolean;
  isNew: boolean;
  save: SaveNoun<DictionaryValues>;
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

export function DictionaryForm({ initial, readOnly, isNew, save }: DictionaryFormProps) {
  const form = useForm<DictionaryValues>({
    initialValues: initial,
    validate: { name: (name) => (name.trim() ? null : 'Give the dictionary a name.') },
  });
  const takeFile = async (file: File | null) => {
    if (file) form.setFieldValue('entries', await file.text());
  };
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
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {sayCount(countEntries(form.values.entries), 'entry', 'entries')}
          </Text>
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
      </FormSection>
    </NounForm>
  );
}
